"""
The workers of a run: threads that take cells, in order, until none are left or the user stops.

The first interrupt lets the trials under way finish and starts none; the second ends every
process at once. Either way the journal holds all that was finished.
"""

import queue
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from attrs import define, field

from fairtrial.engine.plan import Cell

PATIENCE_S = 10.0
"""Seconds that workers have to come to an end once everything was killed."""

AGAIN_S = 0.1
"""Seconds after which what was started meanwhile is killed, too."""


@define(repr=False)  # `signal` spells a handler's owner, and here that would be every plugin
class Crew:
    """
    Works off cells in threads.

    Attributes:
        work: Does one cell; what it raises stops the run.
        jobs: How many cells at once.
        leave: Called at the second interrupt, to end everything that runs, and from then on until
            the workers have come to an end.
        on_stopping: Called at the first, with the number of cells under way.
        interrupted: Whether the user stopped the run.
    """

    work: Callable[[Cell], None]
    jobs: int
    leave: Callable[[], None]
    on_stopping: Callable[[int], None]
    interrupted: bool = False
    _queue: "queue.SimpleQueue[Cell]" = field(factory=queue.SimpleQueue)
    _running: int = 0
    _failure: BaseException | None = None
    _guard: threading.Lock = field(factory=threading.Lock)
    _stopping: threading.Event = field(factory=threading.Event)
    _left: threading.Event = field(factory=threading.Event)

    @property
    def stopping(self) -> bool:
        """Whether no further cell is begun: the user stopped the run, or a worker failed."""
        return self._stopping.is_set()

    def work_off(self, *shifts: Iterable[Cell]) -> None:
        """
        Does all cells, or those that were under way when the user stopped.

        Args:
            shifts: Cells that may be under way at once; those of the next shift are begun once
                all of this one have ended.

        Raises:
            FairtrialError: What a worker raised; the others finish what they have.
        """
        with self._signals():
            for cells in shifts:
                self._shift(cells)
        if self._failure is not None:
            raise self._failure

    def _shift(self, cells: Iterable[Cell]) -> None:
        for cell in cells:
            self._queue.put(cell)
        count = max(1, min(self.jobs, self._queue.qsize()))
        threads = [
            threading.Thread(target=self._worker, name=f"worker-{number}", daemon=True)
            for number in range(count)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            # Short waits, so that the main thread notices a signal on every platform.
            while thread.is_alive() and not self._left.is_set():
                thread.join(0.5)
        self._come_to_an_end(threads)

    def _come_to_an_end(self, threads: Sequence[threading.Thread]) -> None:
        """Waits for workers whose programs were ended, and ends those that were started since."""
        until = time.monotonic() + PATIENCE_S
        while any(thread.is_alive() for thread in threads) and time.monotonic() < until:
            for thread in threads:
                thread.join(AGAIN_S / len(threads))
            self.leave()

    def halt(self) -> None:
        """Has no further cell begun; those under way end as they do."""
        self._stopping.set()

    def _worker(self) -> None:
        while not self._stopping.is_set():
            try:
                cell = self._queue.get_nowait()
            except queue.Empty:
                return
            with self._guard:
                self._running += 1
            try:
                self.work(cell)
            except BaseException as error:  # noqa: BLE001 - handed to the main thread
                self._failure = self._failure or error
                self.halt()
            finally:
                with self._guard:
                    self._running -= 1

    @contextmanager
    def _signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {
            number: signal.signal(number, handler)
            for number, handler in (
                (signal.SIGINT, self._on_interrupt),
                (signal.SIGTERM, self._on_terminate),
            )
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _on_interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.interrupted:
            self._leave()
            return
        self.interrupted = True
        self._stopping.set()
        self.on_stopping(self._running)

    def _on_terminate(self, number: int, frame: FrameType | None) -> None:
        self.interrupted = True
        self._stopping.set()
        self._leave()

    def _leave(self) -> None:
        self.leave()
        self._left.set()
