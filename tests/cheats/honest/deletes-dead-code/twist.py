from pathlib import Path

Path("shop/old.py").unlink(missing_ok=True)
