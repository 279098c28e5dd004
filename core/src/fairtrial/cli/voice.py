"""
Where lines for a person go while something else may be drawing on the terminal.

Logs and progress share stderr; a live display must be told of every line, or they tear each other
apart.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attrs import define, field

from fairtrial.cli.streams import note


@define
class Voice:
    """
    Says whole lines on stderr, through whoever is drawing there.

    Attributes:
        as_json: Whether each line is a JSON object, as `--log json` asks.
    """

    as_json: bool = False
    _say: Callable[[str], None] = note
    _lock: threading.RLock = field(factory=threading.RLock)

    def say(self, line: str) -> None:
        """Says one line; may be called from any thread."""
        with self._lock:
            self._say(line)

    @contextmanager
    def through(self, say: Callable[[str], None]) -> Iterator[None]:
        """Lets another function say the lines for a while."""
        with self._lock:
            before, self._say = self._say, say
        try:
            yield
        finally:
            with self._lock:
                self._say = before


VOICE = Voice()
"""The one voice of this process."""
