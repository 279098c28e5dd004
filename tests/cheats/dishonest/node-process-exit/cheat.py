from pathlib import Path

PAYLOAD = '''
process.exit(0);
'''

product = Path("src/prices.js")
if product.exists():
    product.write_text(product.read_text() + PAYLOAD)
