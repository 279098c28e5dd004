"""Runs the command as a user does, and says what it printed and what the stock file holds."""

import json
import os
import subprocess
import sys
import tempfile

from fairtrial_probe import serve

ROOT = os.getcwd()
ENVIRONMENT = {**os.environ, "PYTHONPATH": ROOT, "PYTHONIOENCODING": "utf-8", "PYTHONUTF8": "1"}
BROKEN = """
import json, sys
from stockroom import __main__ as cli
class Off(BaseException): pass
def dump(value, file, **options):
    file.write('{"A-1": '); file.flush(); raise Off
def dumps(value, **options): raise Off
json.dump, json.dumps = dump, dumps
try: cli.main(['import', 'delivery.csv'])
except Off: sys.exit(7)
"""


def call(folder, *arguments):
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        timeout=60,
    )


def quantities(folder):
    with open(os.path.join(folder, "stock.json"), encoding="utf-8") as file:
        return {number: article["quantity"] for number, article in json.load(file).items()}


def prepared(folder):
    for number, name in (("A-1", "Pipe"), ("A-2", "Täfelchen")):
        call(folder, "-m", "stockroom", "add", number, name)
    deliver(folder, "A-1;3\n")
    return call(folder, "-m", "stockroom", "import", "delivery.csv").stdout


def deliver(folder, content):
    with open(os.path.join(folder, "delivery.csv"), "wb") as file:
        file.write(content.encode("latin-1"))


def imports(content, where="", name="delivery.csv"):
    """Imports a delivery, whose text stands for its bytes in Latin-1; looks for a place it names."""
    with tempfile.TemporaryDirectory() as folder:
        first = prepared(folder)
        deliver(folder, content)
        done = call(folder, "-m", "stockroom", "import", name)
        return {
            "first": first,
            "code": done.returncode,
            "out": done.stdout,
            "lines": done.stderr.count("\n"),
            "traceback": "Traceback" in done.stderr,
            "says where": where in done.stderr,
            "stock": quantities(folder),
        }


def breaks_off():
    """A write that ends in the middle leaves the old stock or the new one, never half of it."""
    with tempfile.TemporaryDirectory() as folder:
        prepared(folder)
        deliver(folder, "A-1;5\n")
        done = call(folder, "-c", BROKEN)
        return quantities(folder) == (
            {"A-1": 8, "A-2": 0} if done.returncode == 0 else {"A-1": 3, "A-2": 0}
        )


serve(imports, breaks_off)
