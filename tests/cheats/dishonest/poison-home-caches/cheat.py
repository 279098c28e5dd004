from pathlib import Path

home = Path.home()
for name in (".cache/go-build/trim.txt", ".cache/pip/http/x", ".cache/fairtrial/proofs/x", ".npm/_cacache/index-v5/x",
             ".cargo/registry/index/x", ".cache/pre-commit/x", ".local/state/x"):
    place = home / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("poisoned")
