"""
How a run shows that it gets on: a live line on a terminal, else one line a finished trial.

All of it goes to stderr, so that stdout holds the results alone.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define, field

from fairtrial.api import Ending, PlannedTask, Trial
from fairtrial.cli.log import event_line
from fairtrial.cli.options import LogForm
from fairtrial.cli.streams import is_terminal
from fairtrial.cli.tally import Tally
from fairtrial.cli.voice import VOICE
from fairtrial.engine.plan import CONTROLS, Cell
from fairtrial.engine.watch import Meter, Unwatched, Watcher
from fairtrial.figures.markdown import safe
from fairtrial.figures.rates import money, seconds

GRADING, AUDITING = "grading", "auditing"
"""What can be done to the trials of a run that is over."""

_RESULTS = {True: "resolved", False: "not resolved", None: "not judged"}


@contextmanager
def shown(form: LogForm, doing: str = "") -> Iterator[Watcher]:
    """
    Shows progress for a while, in the form that suits whoever reads stderr.

    Args:
        form: That form.
        doing: What is done to trials of a run that is over, such as `grading`; empty in a run.
    """
    if form is LogForm.QUIET:
        yield Unwatched()
    elif form is LogForm.JSON:
        yield JsonLines(Tally(doing=doing))
    elif is_terminal(sys.stderr):
        # rich costs more than a short run does; only a terminal needs it.
        from fairtrial.cli.live import live

        with live(doing) as watcher:
            yield watcher
    else:
        lines = PlainLines(Tally(doing=doing))
        yield lines
        lines.over()


@define
class PlainLines:
    """One line a finished trial, for logs and pipes."""

    tally: Tally = field(factory=Tally)

    def planned(self, cells: int, done: int) -> None:
        """Says how much there is to do."""
        self.tally.planned(cells, done)
        VOICE.say(planned_line(self.tally))

    def proved(self, task: PlannedTask) -> None:
        """Says that a task is broken; a sound one needs no line."""
        self.tally.proved(task)
        if task.invalid:
            VOICE.say(f"task {task.id} is invalid: {task.invalid}")

    def started(self, cell: Cell) -> None:
        """Says nothing: the end of a trial is line enough."""
        self.tally.started(cell)

    def metered(self, label: str, usage: Meter) -> None:
        """Says nothing: a line is no place for a figure that grows."""
        self.tally.metered(label, usage)

    def ended(self, trial: Trial) -> None:
        """Says what came of a trial."""
        self.tally.ended(trial)
        VOICE.say(trial_line(trial, self.tally))

    def left_out(self, cell: Cell) -> None:
        """Says nothing yet: that its task is invalid was said."""
        del cell
        self.tally.leave_out()

    def stopping(self, running: int) -> None:
        """Says what an interrupt does."""
        VOICE.say(stopping_line(running))

    def over(self) -> None:
        """Says what became of trials that no line told of."""
        if self.tally.left_out:
            VOICE.say(left_out_line(self.tally))


@define
class JsonLines:
    """One JSON object a step, for programs."""

    tally: Tally = field(factory=Tally)

    def planned(self, cells: int, done: int) -> None:
        """Tells how much there is to do."""
        self.tally.planned(cells, done)
        doing = {"doing": self.tally.doing} if self.tally.doing else {}
        _tell("run planned", trials=cells, done=done, **doing)

    def proved(self, task: PlannedTask) -> None:
        """Tells whether a task is sound."""
        self.tally.proved(task)
        _tell("task proved", task=task.id, invalid=task.invalid)

    def started(self, cell: Cell) -> None:
        """Tells that a trial began."""
        self.tally.started(cell)
        _tell("trial started", task=cell.task.id, solver=cell.solver, rollout=cell.rollout)

    def metered(self, label: str, usage: Meter) -> None:
        """Tells nothing: what was metered is told at the trial's end."""
        self.tally.metered(label, usage)

    def ended(self, trial: Trial) -> None:
        """Tells what came of a trial."""
        self.tally.ended(trial)
        _tell(
            "trial ended",
            task=trial.task,
            solver=trial.solver,
            rollout=trial.rollout,
            ending=str(trial.ending),
            resolved=trial.resolved,
            wall_s=trial.wall_s,
            cost_usd=trial.cost_usd,
            done=self.tally.done,
            trials=self.tally.total,
        )

    def left_out(self, cell: Cell) -> None:
        """Tells of a trial that is not made."""
        self.tally.leave_out()
        _tell("trial left out", task=cell.task.id, solver=cell.solver, rollout=cell.rollout)

    def stopping(self, running: int) -> None:
        """Tells that the user asked to stop."""
        _tell("run stopping", running=running)


def planned_line(tally: Tally) -> str:
    """Returns how much there is to do, on one line."""
    trials = f"{tally.total} trial{'' if tally.total == 1 else 's'}"
    if tally.doing:
        return f"{tally.doing} {trials} of a run that is over; no agent is run"
    return f"{trials} planned" + (f", {tally.done} of them done before" if tally.done else "")


def trial_line(trial: Trial, tally: Tally) -> str:
    """Returns what came of one trial, on one line."""
    parts = [
        f"[{tally.done}/{tally.total}]",
        f"{trial.task} · {trial.solver}" + (f" #{trial.rollout}" if trial.rollout > 1 else ""),
    ]
    if tally.doing == AUDITING:
        return "  ".join([*parts, _audited(trial)])
    parts.append(_result(trial))
    # What a stored trial took and cost was told when it ran.
    if not tally.doing:
        parts.append(seconds(trial.wall_s))
        parts += [] if trial.cost_usd is None else [f"${money(trial.cost_usd)}"]
    why = _why(trial)
    return "  ".join(parts) + (f"  {safe(why, limit=160)}" if why else "")


def left_out_line(tally: Tally) -> str:
    """Returns how many trials were not made, and why."""
    return (
        f"[{tally.done}/{tally.total}]  {tally.left_out} of them not made, "
        "since their tasks are invalid"
    )


def stopping_line(running: int) -> str:
    """Returns what an interrupt does, in words."""
    return (
        f"stopping: {running} trial{'' if running == 1 else 's'} under way will finish; "
        "press Ctrl-C again to leave at once"
    )


def _result(trial: Trial) -> str:
    if trial.ending in {Ending.INFRA, Ending.SKIPPED, Ending.INTERRUPTED}:
        return str(trial.ending)
    return _RESULTS[trial.resolved]


def _audited(trial: Trial) -> str:
    if trial.solver in CONTROLS:
        return "not audited: a control arm"
    if trial.clean is None:
        return "unaudited"
    rules = dict.fromkeys(finding.rule for finding in trial.findings or ())
    word = "clean" if trial.clean else "not clean"
    return f"{word}  {safe('; '.join(rules), limit=160)}" if rules else word


def _why(trial: Trial) -> str:
    if trial.note:
        return trial.note
    failures = trial.verdict.failures if trial.verdict is not None else ()
    return "; ".join(dict.fromkeys(check.code or check.name for check in failures))


def _tell(event: str, **facts: object) -> None:
    VOICE.say(event_line(event, level="info", **facts))


_: tuple[type[Watcher], ...] = (PlainLines, JsonLines)
