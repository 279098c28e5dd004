"""The book of a run's energy: a log and its receipts, and the figures that were worked out of them."""

import threading
from collections.abc import Mapping

from attrs import define, field

from fairtrial.energy import records
from fairtrial.energy.account import Account, accounts
from fairtrial.energy.batches import batch
from fairtrial.energy.concerns import concerns, wrongs
from fairtrial.energy.log import Log, Span
from fairtrial.energy.receipts import Receipts


@define(kw_only=True, eq=False)
class Book:
    """
    Keeps what is recorded in the log and in the receipts, so that each says what the other does.

    Its methods may be called from several threads.

    Attributes:
        log: What was read so far.
        receipts: The same, on disk.
    """

    log: Log = field(factory=Log)
    receipts: Receipts = field(factory=Receipts)
    _totals: dict[str, int] = field(factory=dict, init=False)
    _known: dict[int, tuple[Account, ...]] = field(factory=dict, init=False)
    _mutex: threading.RLock = field(factory=threading.RLock, init=False)

    def record(self, record: Mapping[str, object]) -> None:
        """Enters something that happened."""
        with self._mutex:
            records.apply(self.log, record)
            self.receipts.append(record)

    def figures(self, window: int) -> tuple[Account, ...]:
        """Returns a window's figures, worked out once; nothing while it is open."""
        with self._mutex:
            if window not in self._known:
                span = self.log.spans[window]
                if span.end is None:
                    return ()
                self._settle(span)
            return self._known[window]

    def batch(self, group: str) -> tuple[Account, ...]:
        """Works out what all closed windows of a group used together."""
        with self._mutex:
            found = batch(self.log, group)
            self._enter({"op": "batch", "group": group}, found)
            return found

    def concerns(self) -> tuple[str, ...]:
        """Returns what a reader should know of all figures so far, one line each."""
        with self._mutex:
            faults = wrongs(self.log.faults)
            settled = [account for found in self._known.values() for account in found]
            broken = self.receipts.broken
            lost = [f"receipts are no longer written: {broken}"] if broken else []
            return (*faults, *concerns(settled), *lost)

    def close(self) -> None:
        """Writes the last receipt."""
        with self._mutex:
            self.receipts.close(self._totals)

    def _settle(self, span: Span) -> None:
        found = accounts(self.log, span)
        self._known[span.id] = found
        self._enter({"op": "energy", "id": span.id}, found)
        for account in found:
            # A part of a window is in the whole one's joules already.
            if span.parent is None and account.shown_uj is not None:
                name = account.boundary.value
                self._totals[name] = self._totals.get(name, 0) + account.shown_uj

    def _enter(self, what: Mapping[str, object], found: tuple[Account, ...]) -> None:
        """Writes figures into the receipts, which hold readings until then."""
        described = [records.described(account) for account in found]
        self.receipts.append({**what, "accounts": described})
        self.receipts.flush()
