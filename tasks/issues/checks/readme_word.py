from pathlib import Path

text = Path("README.md").read_text(encoding="utf-8")
assert "reciept" not in text
assert "A receipt is printed for every sale, and a copy of the receipt is kept" in text
