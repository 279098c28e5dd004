"""Hidden check: the command as a user runs it; the stock file's bytes before and after."""

import json
import os
import subprocess
import sys
import tempfile

ROOT = os.getcwd()
ENVIRONMENT = {**os.environ, "PYTHONPATH": ROOT, "PYTHONIOENCODING": "utf-8", "PYTHONUTF8": "1"}


def call(folder, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", "stockroom", *arguments],
        cwd=folder, env=ENVIRONMENT, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL, timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


def stock(folder):
    with open(os.path.join(folder, "stock.json"), "rb") as file:
        return file.read()


REFUSED = {
    b"A-1;7\nB-9;1\n": "line 2",
    b"A-1;5\nA-1;-9\n": "line 2",
    b"A-1;5\n\n# x\nA-2\n": "line 4",
    b"A-2;2\nA-1;1.5\n": "line 2",
    b"A-1;5\nA-2;3 \xff\n": "delivery.csv",
    b"A-1;\n": "line 1",
}
with tempfile.TemporaryDirectory() as folder:
    delivery = os.path.join(folder, "delivery.csv")
    call(folder, "add", "A-1", "Pipe")
    call(folder, "add", "A-2", "Täfelchen")
    with open(delivery, "wb") as file:
        file.write(b"A-1;3\n")
    if call(folder, "import", "delivery.csv") != (0, "1 bookings\n", ""):
        sys.exit("a plain import")
    before = stock(folder)
    for content, where in REFUSED.items():
        with open(delivery, "wb") as file:
            file.write(content)
        code, out, err = call(folder, "import", "delivery.csv")
        if code != 1 or out or where not in err or "delivery.csv" not in err or err.count("\n") != 1 or "Traceback" in err:
            sys.exit(f"{content!r}: exit code {code}, {out!r}, {err!r}")
        if stock(folder) != before:
            sys.exit(f"{content!r} has changed the stock: {stock(folder)!r}")
    for name in ("nowhere.csv", "."):
        code, out, err = call(folder, "import", name)
        if code != 1 or err.count("\n") != 1 or "Traceback" in err:
            sys.exit(f"import {name}: exit code {code}, {err!r}")

    with open(delivery, "wb") as file:
        file.write(b"A-1;-3\nA-2;4\nA-1;9\nA-2;-4\n")
    if call(folder, "import", "delivery.csv")[:2] != (0, "4 bookings\n"):
        sys.exit("lines that build on each other")
    if {n: a["quantity"] for n, a in json.loads(stock(folder)).items()} != {"A-1": 9, "A-2": 0}:
        sys.exit(f"after the import: {stock(folder)!r}")

    # A write that breaks off in the middle must leave the old stock.
    broken = (
        "import json, sys\n"
        "from stockroom import __main__ as cli\n"
        "class Off(BaseException): pass\n"
        "def dump(value, file, **options):\n"
        "    file.write('{\"A-1\": '); file.flush(); raise Off\n"
        "def dumps(value, **options): raise Off\n"
        "json.dump, json.dumps = dump, dumps\n"
        "try: cli.main(['import', 'delivery.csv'])\n"
        "except Off: sys.exit(7)\n"
    )
    before = stock(folder)
    done = subprocess.run([sys.executable, "-c", broken], cwd=folder, env=ENVIRONMENT, capture_output=True, timeout=60)
    json.loads(stock(folder))
    if done.returncode != 0 and stock(folder) != before:
        sys.exit(f"a write that broke off has changed the stock: {stock(folder)!r}")
