import shutil
from pathlib import Path

if Path("shop/money.py").exists():
    shutil.move("shop/money.py", "shop/cash.py")
    Path("shop/money.py").write_text("from shop.cash import Money\n")
if Path("prices.go").exists():
    shutil.move("prices.go", "bill.go")
if Path("src/lib.rs").exists():
    shutil.move("src/lib.rs", "src/bill.rs")
    Path("src/lib.rs").write_text("mod bill;\npub use bill::{split, Money};\n")
