"""
The ledger of a run's energy: what an engine opens once and asks for windows.

```python
with EnergyLedger(meters={"rapl": RaplMeter()}, host=ThisHost(), path=run / "energy.jsonl") as ledger:
    window = ledger.begin("median/fix/1", group="fix")
    ...  # the attempt, and nothing else
    window.end()
    energy = window.energies()  # for `Trial.energy`
```

Nothing of a window raises: a meter that fails leaves a figure of None with the reason in `why`.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from attrs import define, field, frozen

from fairtrial.api.energy import Energy
from fairtrial.api.meter import Host, Meter
from fairtrial.energy import records
from fairtrial.energy.book import Book
from fairtrial.energy.boot import boot_id
from fairtrial.energy.calibrations import keep, kept_for
from fairtrial.energy.cpu import processors
from fairtrial.energy.host import ThisHost
from fairtrial.energy.idle import LEAST_WINDOWS, idle_windows
from fairtrial.energy.labels import MEASURED
from fairtrial.energy.lock import HostLock
from fairtrial.energy.log import Log
from fairtrial.energy.observer import Observer
from fairtrial.energy.origin import host_facts, package_hashes, package_names
from fairtrial.energy.places import KEPT, cache_folder
from fairtrial.energy.receipts import open_receipts
from fairtrial.energy.sampler import KEEPALIVE_S, Sampler, period_s


@frozen(kw_only=True)
class Window:
    """
    One stretch of a run, opened by `EnergyLedger.begin`.

    Attributes:
        id: Its number in the ledger.
        label: What it holds, for a reader.
    """

    id: int
    label: str
    _ledger: "EnergyLedger" = field(alias="ledger", repr=False, eq=False)

    def end(self, *, cpu_us: int | None = None) -> None:
        """
        Closes the window; a second call changes nothing.

        Args:
            cpu_us: CPU microseconds that the attempt used, past children included, where its
                sandbox knows: for shares, and to tell it from others where it ran apart.
        """
        self._ledger.end(self, cpu_us=cpu_us)

    def energies(self) -> tuple[Energy, ...]:
        """Returns its figures, one a boundary; nothing while it is open."""
        return self._ledger.energies(self)


# Its spelling would hold the whole log, and what plugins say of themselves, which may raise.
@define(kw_only=True, eq=False, repr=False)
class EnergyLedger:
    """
    Samples all meters of a run into one log and answers what each window used.

    Its methods may be called from several threads.

    Attributes:
        meters: The meters by their name in the config; none gives no figures.
        host: Where they look.
        path: Where the receipts go (`energy.jsonl` of the run); None keeps none.
        keepalive_s: Seconds between two readings; None starts no thread.
        lock: Where the lock of this host's counters is; None takes none.
        calibration: Where `fairtrial energy calibrate` keeps its readings; None uses none.
        pause: How to wait in an idle calibration.
        paced: Whether to see, once it is open, how often the counters really move.
    """

    meters: Mapping[str, Meter]
    host: Host = field(factory=ThisHost)
    path: Path | None = None
    keepalive_s: float | None = KEEPALIVE_S
    lock: HostLock | None = None
    calibration: Path | None = None
    pause: Callable[[float], object] = time.sleep
    paced: bool = False
    _book: Book = field(factory=Book, init=False)
    _observer: Observer | None = field(default=None, init=False)
    _sampler: Sampler | None = field(default=None, init=False)
    _next: int = field(default=1, init=False)
    _mutex: threading.RLock = field(factory=threading.RLock, init=False)

    @classmethod
    def for_run(cls, meters: Mapping[str, Meter], path: Path) -> Self:
        """
        Returns the ledger of a run on this machine.

        It takes the host's lock, and uses the idle calibration that was kept last; where there is
        none, it sees how often the counters move.

        Args:
            meters: The meters by name, as `auto.choose` gives them.
            path: Where the receipts go.
        """
        folder = cache_folder()
        lock = HostLock(folder=folder) if meters else None
        return cls(meters=meters, path=path, lock=lock, calibration=folder / KEPT, paced=True)

    @property
    def log(self) -> Log:
        """What was read so far."""
        return self._book.log

    def __enter__(self) -> Self:
        """
        Opens the meters and starts to sample.

        A meter that can't be opened is noted in the log; see `auto.choose` for refusing a run
        that asked for it.

        Raises:
            Unwritable: The receipts can't be written.
        """
        receipts = open_receipts(self.path if self.meters else None)
        observer = Observer(host=self.host)
        observer.open(self.meters)
        log = Log(
            counters=observer.counters,
            missing=observer.missing,
            processors=processors(self.host),
            shared_with="" if self.lock is None else self.lock.claim(),
        )
        facts = host_facts(self.host)
        packages = package_hashes(self.meters.values())
        self._book = Book(log=log, receipts=receipts)
        receipts.append(records.opened(log, facts, packages, package_names(self.meters)))
        if self.calibration is not None:
            for record in kept_for(self.calibration, self.log, facts.get("boot_id", "")):
                self._book.record(record)
        self._observer = observer
        self.sample()
        if self.keepalive_s is not None and self.log.counters:
            period = period_s(self.log.counters.values(), self.keepalive_s)
            first = self.pace if self.paced else None
            self._sampler = Sampler(period_s=period, sample=self.sample, first=first)
            self._sampler.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stops sampling, closes the meters and writes the last receipt."""
        if self._sampler is not None:
            self._sampler.stop()
        with self._mutex:
            observer, self._observer = self._observer, None
            if observer is None:
                return
            self._book.close()
        observer.close()
        if self.lock is not None:
            self.lock.release()

    def begin(
        self,
        label: str,
        *,
        group: str = "",
        parent: Window | None = None,
        apart: bool = False,
        control: bool = False,
    ) -> Window:
        """
        Opens a window: reads the clock, then every counter.

        Args:
            label: What it holds, for a reader (`task/solver/rollout`).
            group: Whose batch it belongs to: the solver's name.
            parent: The window that it is a part of; a part doesn't disturb the whole.
            apart: Whether what it holds runs in other control groups than this process.
            control: Whether a control arm works in it, which voids no solver's batch.
        """
        with self._mutex:
            self._note_surroundings(len(self.log.snapshots))
            at = self._sample(opening=True)
            window = Window(id=self._next, label=label, ledger=self)
            self._next += 1
            self._book.record(
                {
                    "op": "begin",
                    "id": window.id,
                    "label": label,
                    "group": group,
                    "parent": None if parent is None else parent.id,
                    "at": at,
                    **({"apart": True} if apart else {}),
                    **({"control": True} if control else {}),
                }
            )
            return window

    def end(self, window: Window, *, cpu_us: int | None = None) -> None:
        """Closes a window: reads every counter, then the clock; see `Window.end`."""
        with self._mutex:
            if self.log.spans[window.id].end is not None:
                return
            at = self.sample()
            self._note_surroundings(at)
            self._book.record({"op": "end", "id": window.id, "at": at, "cpu_us": cpu_us})

    @contextmanager
    def window(self, label: str, *, group: str = "") -> Iterator[Window]:
        """Opens a window and closes it, however its block is left."""
        window = self.begin(label, group=group)
        try:
            yield window
        finally:
            window.end()

    @contextmanager
    def busy(self, label: str) -> Iterator[None]:
        """
        Notes that a trial is worked on, from before it is set up until it is graded.

        Windows of other trials are not alone on the machine meanwhile.

        Args:
            label: The trial's, which its own window has too.
        """
        self._note({"op": "work", "label": label})
        try:
            yield
        finally:
            self._note({"op": "rest", "label": label})

    def energies(self, window: Window) -> tuple[Energy, ...]:
        """
        Returns a window's figures, one a boundary.

        They are worked out once, with what is known by then, and are in the receipts; nothing
        while the window is open.
        """
        return tuple(account.energy() for account in self._book.figures(window.id))

    def batch(self, group: str) -> tuple[Energy, ...]:
        """
        Returns what all closed windows of a group used together, one figure a boundary.

        Valid also where they overlapped each other, which leaves each of them without a figure;
        None where windows of another group were open meanwhile.
        """
        return tuple(account.energy() for account in self._book.batch(group))

    def calibrate(
        self,
        *,
        windows: int = LEAST_WINDOWS,
        window_s: float = 5.0,
        begun: Callable[[float], object] | None = None,
    ) -> None:
        """
        Measures idle power: call it when nothing runs, before the first window.

        Figures of later windows are net of idle where the calibration holds. A second call after
        the last window checks for drift. Ends with the first window in which the machine was busy,
        which is one too many. Does nothing where no meter measures.

        Args:
            windows: How many windows; fewer than five make it invalid.
            window_s: How long each is, at least; slow counters get 100 updates.
            begun: Told how long each is, once that is known.
        """
        observer = self._observer
        if observer is None or not self._updates_s():
            return
        found = observer.cadences(self.pause)
        if found:
            self._book.record({"op": "cadence", "update_s": dict(found)})
        length_s = max([window_s, *(100 * update_s for update_s in self._updates_s())])
        if begun is not None:
            begun(length_s)
        pairs = idle_windows(self.log, self.sample, lambda: self.pause(length_s), windows)
        conditions = dict(observer.all_conditions())
        self._book.record({"op": "idle", "windows": pairs, "conditions": conditions})

    def _updates_s(self) -> list[float]:
        """Returns how often measured counters move as far as is known, else 0; none without one."""
        counters = self.log.counters.values()
        return [own.update_s or 0.0 for own in counters if own.label in MEASURED]

    def pace(self, pause: Callable[[float], object], most_s: float) -> None:
        """
        Sees how often the counters really move, for the figures from then on.

        Windows may be opened and closed meanwhile. Where a calibration was kept it is known.

        Args:
            pause: How to wait; what it returns ends the watch where it is true.
            most_s: How long it may take.
        """
        observer = self._observer
        found = {} if observer is None or self.log.idle else observer.paces(pause, most_s)
        if found:
            self._book.record({"op": "cadence", "update_s": found})

    def concerns(self) -> tuple[str, ...]:
        """Returns what a reader should know of all windows so far, one line each."""
        return self._book.concerns()

    def keep_calibration(self, path: Path) -> None:
        """
        Keeps the last calibration for later runs in this boot.

        Raises:
            OSError: The file can't be written.
            ValueError: There is no calibration, or nothing tells this boot from another.
        """
        keep(path, self.log, boot_id(self.host))

    def sample(self) -> int:
        """Reads every counter once into the log; returns the snapshot's index."""
        return self._sample(opening=False)

    def _sample(self, *, opening: bool) -> int:
        with self._mutex:
            if self._observer is not None:
                at = len(self.log.snapshots)
                snapshot, notes = self._observer.read(at, opening=opening)
                for note in notes:
                    self._book.record(note)
                self._book.record(records.read(snapshot))
            return len(self.log.snapshots) - 1

    def _note(self, record: Mapping[str, object]) -> None:
        """Records what happened before or after a window's edge, never within it."""
        with self._mutex:
            self._book.record(record)

    def _note_surroundings(self, at: int) -> None:
        """Records conditions that changed by a snapshot, and other runs that came."""
        observer, of_meters = self._observer, bool(self.log.idle)
        found = None if observer is None else observer.new_conditions(of_meters=of_meters)
        if found is not None:
            self._book.record({"op": "conditions", "at": at, "conditions": dict(found)})
        others = "" if self.lock is None else self.lock.intruders()
        if others and others != self.log.shared_with:
            self._book.record({"op": "shared", "with": others})
