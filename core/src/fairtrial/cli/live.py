"""Progress on a terminal: one live line, and one for each trial under way."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from fairtrial.api import PlannedTask, Trial
from fairtrial.cli.progress import stopping_line
from fairtrial.cli.tally import Tally
from fairtrial.cli.voice import VOICE
from fairtrial.engine.plan import Cell
from fairtrial.engine.watch import Meter, Watcher
from fairtrial.figures.rates import DASH

SHOWN = 6
"""Most trials under way that get a line of their own."""
BAR = 10
"""Characters of the bar."""


@define
class LiveProgress:
    """Redraws how a run gets on; `rich` does the redrawing, four times a second."""

    tally: Tally
    halting: str = ""

    def planned(self, cells: int, done: int) -> None:
        """Takes note of how much there is to do."""
        self.tally.planned(cells, done)

    def proved(self, task: PlannedTask) -> None:
        """Says that a task is broken, since that is not seen otherwise."""
        self.tally.proved(task)
        if task.invalid:
            VOICE.say(f"task {task.id} is invalid: {task.invalid}")

    def started(self, cell: Cell) -> None:
        """Takes note of a trial under way."""
        self.tally.started(cell)

    def metered(self, label: str, usage: Meter) -> None:
        """Takes note of a meter, which is asked each time that the lines are drawn."""
        self.tally.metered(label, usage)

    def ended(self, trial: Trial) -> None:
        """Takes note of a finished trial."""
        self.tally.ended(trial)

    def left_out(self, cell: Cell) -> None:
        """Takes note of a trial that is not made."""
        del cell
        self.tally.leave_out()

    def stopping(self, running: int) -> None:
        """Shows what an interrupt does."""
        self.halting = stopping_line(running)

    def __rich__(self) -> Group:
        """Returns what is to be seen now."""
        lines = [Text(summary(self.tally), no_wrap=True, overflow="ellipsis")]
        now = time.monotonic()
        running = list(self.tally.running.items())
        for label, start in running[:SHOWN]:
            line = f"  {label}  {clock(now - start)}  {self.tally.spending(label)}".rstrip()
            lines.append(Text(line, no_wrap=True, overflow="ellipsis"))
        if len(running) > SHOWN:
            lines.append(Text(f"  and {len(running) - SHOWN} more"))
        if self.halting:
            lines.append(Text(self.halting))
        return Group(*lines)


@contextmanager
def live(doing: str = "") -> Iterator[Watcher]:
    """Draws on stderr for a while; lines that others say appear above."""
    console = Console(file=sys.stderr, highlight=False, markup=False, emoji=False)
    progress = LiveProgress(Tally(doing=doing))
    display = Live(
        progress,
        console=console,
        transient=True,
        refresh_per_second=4,
        redirect_stdout=False,
        redirect_stderr=False,
    )

    def say(line: str) -> None:
        console.print(line, soft_wrap=True)

    with display, VOICE.through(say):
        yield progress


def summary(tally: Tally) -> str:
    """Returns how a run gets on, in one line."""
    left = DASH if tally.left_s is None else clock(tally.left_s)
    begin = f"{bar(tally.done, tally.total)} {tally.done}/{tally.total}"
    if tally.doing:
        return "  ".join([begin, tally.doing, clock(tally.elapsed_s), f"{left} left"])
    parts = [
        begin,
        f"{len(tally.running)} running",
        f"{tally.resolved}/{tally.judged} resolved" if tally.judged else f"{DASH} resolved",
        tally.cost if tally.cost != DASH else f"$ {DASH}",
        tally.energy if tally.energy != DASH else f"J {DASH}",
        clock(tally.elapsed_s),
        f"{left} left",
    ]
    if tally.infra:
        parts.insert(3, f"{tally.infra} infra")
    return "  ".join(parts)


def bar(done: int, total: int) -> str:
    """Returns a bar of fixed width in plain characters, which every terminal can show."""
    full = BAR * done // total if total else 0
    return f"[{'#' * full}{'.' * (BAR - full)}]"


def clock(duration_s: float) -> str:
    """Returns seconds as `m:ss`, or `h:mm:ss` from an hour on."""
    minutes, rest = divmod(int(duration_s), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


_: type[Watcher] = LiveProgress
