"""Hidden check: commercial rounding, worked out with whole numbers only."""

import os
import sys
from decimal import Decimal

sys.path.insert(0, os.getcwd())

from billing.invoice import Invoice


def commercial(thousandths_of_cents):
    """Rounds a whole number of 1/1000 cents to cents, half away from zero."""
    size = (abs(thousandths_of_cents) + 500) // 1000
    return size if thousandths_of_cents >= 0 else -size


for percent in ("7", "19", "5.5", "16"):
    tenths = int(Decimal(percent) * 10)
    for cents in range(1, 900, 7):
        for quantity in (1, -1, 3):
            line = Invoice("x").add("t", str(Decimal(cents) / 100), quantity, percent)
            wanted = Decimal(commercial(cents * quantity * tenths)) / 100
            if line.tax != wanted:
                sys.exit(f"tax of {quantity} × {cents} cents at {percent} %: wanted {wanted}, got {line.tax}")

for price, quantity, wanted in (("0.25", "0.5", "0.13"), ("0.65", "0.1", "0.07"), ("0.45", "-0.1", "-0.05")):
    got = Invoice("x").add("by weight", price, quantity, 0).net
    if got != Decimal(wanted):
        sys.exit(f"net of {quantity} × {price}: wanted {wanted}, got {got}")

invoice = Invoice("sum")
for _ in range(4):
    invoice.add("a", "1.50", 1, 7)
invoice.add("b", "0.50", -1, 7)
if (invoice.tax, list(invoice.tax_by_rate().values())) != (Decimal("0.40"), [Decimal("0.40")]):
    sys.exit(f"sum of rounded lines: {invoice.tax} {invoice.tax_by_rate()}")
