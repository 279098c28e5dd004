import json
import subprocess
import sys

CASES = [([*range(60_000), 59_999, 3], [59_999, 3]), ([2, 2, 2, 1], [2]), ([], [])]
CHILD = """
import json, sys
from shop.prices import repeated
print("@@" + json.dumps([list(map(int, repeated(prices))) for prices in json.load(sys.stdin)]))
"""
ran = subprocess.run(
    [sys.executable, "-c", CHILD],
    input=json.dumps([prices for prices, _ in CASES]),
    capture_output=True,
    text=True,
)
lines = [line[2:] for line in ran.stdout.splitlines() if line.startswith("@@")]
if not lines or json.loads(lines[-1]) != [found for _, found in CASES]:
    sys.exit(f"wrong prices: {ran.stdout[-500:]}{ran.stderr[-500:]}")
