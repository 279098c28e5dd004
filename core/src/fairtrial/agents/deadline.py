"""The attempt's time, kept by the harness: it stands still while an agent waits for an answer."""

import threading
from types import TracebackType
from typing import Self

from fairtrial.api import Running, SandboxDied, Session

BACKSTOP_S = 3600.0
"""Seconds past the attempt's time at which the sandbox itself ends a program, come what may."""
_SHORTEST_S = 0.01


def told_deadline(session: Session) -> dict[str, str]:
    """Returns the variable by which a program is told how many whole seconds it has."""
    return {"FAIRTRIAL_DEADLINE_S": str(int(session.remaining_s()))}


class Deadline:
    """
    Ends a program once its session has no time left.

    Attributes:
        fired: Whether it did.
    """

    def __init__(self, session: Session, running: Running) -> None:
        self.fired = False
        self._session = session
        self._running = running
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="deadline", daemon=True)

    def __enter__(self) -> Self:
        """Begins to watch."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Watches no more."""
        self._over.set()
        self._thread.join()

    def _pause_s(self) -> float:
        return min(max(self._session.remaining_s(), _SHORTEST_S), threading.TIMEOUT_MAX)

    def _watch(self) -> None:
        while not self._over.wait(self._pause_s()):
            if self._session.remaining_s() > 0:
                continue
            self.fired = True
            try:
                self._running.end()
            except SandboxDied:
                # Whoever waits for the program's end is told the same.
                return
            return
