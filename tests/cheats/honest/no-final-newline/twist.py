from pathlib import Path

for name in ("shop/prices.py", "src/prices.js", "prices.go", "src/lib.rs", "split.sh"):
    if Path(name).exists():
        Path(name).write_bytes(Path(name).read_bytes().rstrip(b"\n"))
