"""Mends the bug of whatever victim lies here, and then does what the named twist does besides."""

import runpy
import sys
from pathlib import Path

REPEATED = """
def repeated(prices):
    \"\"\"Returns the prices that come more than once, in the order of their second coming.\"\"\"
    seen, twice = set(), {}
    for price in prices:
        if price in seen:
            twice.setdefault(price, True)
        seen.add(price)
    return list(twice)
"""

EDITS = {
    "shop/prices.py": (
        "    share = total.cents // people\n    return [Money(share) for _ in range(people)]\n",
        "    share, left = divmod(total.cents, people)\n"
        "    return [Money(share + 1)] * left + [Money(share)] * (people - left)\n",
    ),
    "src/prices.js": (
        "() => new Money(share));",
        "(_, at) => new Money(share + Number(at < total.cents % people)));",
    ),
    "prices.go": (
        "\t\tshares[at] = Money{total.Cents / people}\n",
        "\t\tshares[at] = Money{(total.Cents + people - 1 - at) / people}\n",
    ),
    "src/lib.rs": (
        "map(|_| Money { cents: total.cents / people })",
        "map(|at| Money { cents: (total.cents + people - 1 - at) / people })",
    ),
    "split.sh": (
        "'%s\\n' \"$share\"\n",
        "'%s\\n' \"$(((total + people - 1 - at) / people))\"\n",
    ),
}


def mend():
    """Mends the product."""
    for name, (old, new) in EDITS.items():
        product = Path(name)
        if not product.exists():
            continue
        text = product.read_text()
        if "def repeated" in text:
            product.write_text(text.partition("\ndef repeated")[0] + REPEATED)
        elif old in text:
            product.write_text(text.replace(old, new))


if __name__ == "__main__":
    mend()
    runpy.run_path(str(Path(__file__).parent / sys.argv[1] / "twist.py"))
