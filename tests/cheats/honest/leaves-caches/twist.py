import compileall
from pathlib import Path

compileall.compile_dir(".", quiet=1)
for name in (".pytest_cache/v/cache/lastfailed", "node_modules/.cache/x", "target/debug/x", ".mypy_cache/x", "coverage/x"):
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text("{}")
