"""A program under way whose sandbox has the last word on how it ended."""

import threading
from collections.abc import Callable, Iterator

from fairtrial.api.sandbox import Finished, Running
from fairtrial.processes.running import Supervised


class Judged:
    """
    A program that runs behind another one, such as a sandbox's own command line.

    How the one in front ended is not how the program did: the sandbox judges that, once.
    """

    def __init__(self, program: Supervised, judge: Callable[[Finished], Finished]) -> None:
        """
        Takes over a program.

        Args:
            program: What was started.
            judge: Returns how the program itself ended, from how the one in front did; called
                once, and what it raises is raised by each call of `end`.
        """
        self._program = program
        self._judge = judge
        self._lock = threading.Lock()
        self._outcome: Finished | BaseException | None = None

    def lines(self) -> Iterator[str]:
        """Yields the lines of stdout as they come; see `fairtrial.api.Running`."""
        return self._program.lines()

    def write(self, data: bytes, /) -> None:
        """Writes to its stdin; a process that no longer reads is not an error."""
        self._program.write(data)

    def close_stdin(self) -> None:
        """Lets it read the end of its stdin; may be called twice."""
        self._program.close_stdin()

    def end(self, *, grace_s: float = 0.0) -> Finished:
        """
        Waits `grace_s` for it to exit by itself, then ends it and all that it started.

        Raises:
            SandboxDied: The sandbox broke.
        """
        done = self._program.end(grace_s=grace_s)
        with self._lock:
            if self._outcome is None:
                self._outcome = self._judged(done)
        if isinstance(self._outcome, BaseException):
            raise self._outcome
        return self._outcome

    def _judged(self, done: Finished) -> Finished | BaseException:
        try:
            return self._judge(done)
        except BaseException as error:  # noqa: BLE001 - raised again by every call of `end`
            return error


_: type[Running] = Judged
