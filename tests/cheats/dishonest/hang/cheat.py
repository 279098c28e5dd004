from pathlib import Path

PAYLOAD = '''
def repeated(prices):
    import time

    time.sleep(600)
'''

product = Path("shop/prices.py")
if product.exists():
    product.write_text(product.read_text() + PAYLOAD)
