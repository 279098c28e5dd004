"""Power as it is now: one interval after the other, from the same log as everything else."""

from collections.abc import Iterator

from fairtrial.energy.account import Account, nothing, stretch
from fairtrial.energy.ledger import EnergyLedger


def intervals(ledger: EnergyLedger, length_s: float) -> Iterator[tuple[Account, ...]]:
    """
    Yields what each interval used, for ever; the ledger must be open.

    Where no counter could be opened, that is said by an account without a figure.
    """
    begin = ledger.sample()
    while True:
        ledger.pause(length_s)
        end = ledger.sample()
        yield stretch(ledger.log, begin, end) or nothing(ledger.log)
        begin = end
