"""Who is told how a run gets on."""

from collections.abc import Callable
from typing import Protocol

from fairtrial.api import PlannedTask, Trial, Usage
from fairtrial.engine.plan import Cell

Meter = Callable[[], tuple[Usage, ...]]
"""Tells what a trial under way was metered at so far; may be called at any time."""


class Watcher(Protocol):
    """Told of each step; called from several threads, and must return quickly."""

    def planned(self, cells: int, done: int) -> None:
        """A run of so many trials begins, of which so many are done already."""

    def proved(self, task: PlannedTask) -> None:
        """A task's oracle was proved, or found broken."""

    def started(self, cell: Cell) -> None:
        """A trial began."""

    def metered(self, label: str, usage: Meter) -> None:
        """A trial of that label has its way to the model, through a gateway that meters it."""

    def ended(self, trial: Trial) -> None:
        """A trial is in the journal."""

    def left_out(self, cell: Cell) -> None:
        """A trial is not made, since its task is invalid."""

    def stopping(self, running: int) -> None:
        """The user asked to stop; so many trials are still finishing."""


class Unwatched:
    """Tells nobody."""

    def planned(self, cells: int, done: int) -> None:
        """Does nothing."""

    def proved(self, task: PlannedTask) -> None:
        """Does nothing."""

    def started(self, cell: Cell) -> None:
        """Does nothing."""

    def metered(self, label: str, usage: Meter) -> None:
        """Does nothing."""

    def ended(self, trial: Trial) -> None:
        """Does nothing."""

    def left_out(self, cell: Cell) -> None:
        """Does nothing."""

    def stopping(self, running: int) -> None:
        """Does nothing."""


_: type[Watcher] = Unwatched
