from pathlib import Path

for name in ("shop/prices.py", "split.sh", "README.md", "src/prices.js", "tests/run.sh"):
    if Path(name).exists():
        Path(name).chmod(0o755)
