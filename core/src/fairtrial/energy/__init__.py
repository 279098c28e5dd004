"""
Counters to joules: all arithmetic on energy that fairtrial does.

A meter hands over raw readings; what is made of them is here, so that it is the same for every
meter and can be done again from the receipts. The way through is `EnergyLedger`: it samples into
one append-only log (`log`), and a figure is a query on that log (`account`).

All of it is pure but for `sampler` (a thread), `guard` (calls into plugins), `cpu`, `conditions`,
`origin` and `lock` (they read the machine), and `receipts` (writes a file).
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairtrial.energy.ledger import EnergyLedger, Window

__all__ = ["EnergyLedger", "Window"]


def __getattr__(name: str) -> object:
    """Imports the ledger when it is first asked for; the pure parts are cheaper without."""
    if name not in __all__:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    from fairtrial.energy import ledger  # noqa: PLC0415 - lazy by design

    value: object = getattr(ledger, name)
    return value
