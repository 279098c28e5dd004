"""How a run gets on: counts and sums that grow trial by trial."""

import threading
import time
from collections.abc import Callable

from attrs import define, field

from fairtrial.api import Boundary, Ending, Label, PlannedTask, Trial
from fairtrial.engine.plan import CONTROLS, Cell
from fairtrial.engine.watch import Meter
from fairtrial.figures.basis import gross_of
from fairtrial.figures.rates import DASH, joules, money


@define
class Tally:
    """
    Counts what a run has done so far; safe to use from several threads.

    Attributes:
        total: Trials planned.
        done: Trials finished, those of an earlier sitting included.
        earlier: Trials that an earlier sitting finished.
        running: Label → when it started, of the trials under way.
        meters: Label → its meter, of the trials under way that have one.
        resolved: Trials of solvers, control arms left out, that resolved their task.
        judged: Trials of solvers that were judged.
        infra: Trials that broke for a reason of ours.
        invalid: Tasks found broken.
        left_out: Trials that are not made, since their tasks are invalid; they count as done.
        doing: What is done to trials of a run that is over, such as `grading`; empty in a run.
    """

    total: int = 0
    done: int = 0
    earlier: int = 0
    running: dict[str, float] = field(factory=dict)
    meters: dict[str, Meter] = field(factory=dict)
    resolved: int = 0
    judged: int = 0
    infra: int = 0
    invalid: int = 0
    left_out: int = 0
    doing: str = ""
    _clock: Callable[[], float] = time.monotonic
    _start: float | None = None
    _known_usd: float | None = None
    _unpriced: int = 0
    _known_j: float | None = None
    _unmetered: int = 0
    _boundary: Boundary | None = None
    _estimated: bool = False
    _lock: threading.Lock = field(factory=threading.Lock)

    def planned(self, cells: int, done: int) -> None:
        """Takes note of how much there is to do."""
        with self._lock:
            self.total, self.done, self.earlier = cells, done, done
            self._start = self._clock()

    def proved(self, task: PlannedTask) -> None:
        """Takes note of a task whose oracle was proved or found broken."""
        with self._lock:
            self.invalid += bool(task.invalid)

    def started(self, cell: Cell) -> None:
        """Takes note of a trial under way."""
        with self._lock:
            self.running[cell.label] = self._clock()

    def metered(self, label: str, usage: Meter) -> None:
        """Takes note of a meter to ask while its trial is under way."""
        with self._lock:
            self.meters[label] = usage

    def ended(self, trial: Trial) -> None:
        """Takes note of a finished trial."""
        with self._lock:
            label = f"{trial.task}·{trial.solver}·{trial.rollout}"
            self.running.pop(label, None)
            self.meters.pop(label, None)
            self.done += 1
            self.infra += trial.ending is Ending.INFRA
            self._add_energy(trial)
            if trial.solver in CONTROLS:
                return
            self._add_cost(trial)
            self.judged += trial.resolved is not None
            self.resolved += trial.resolved is True

    def leave_out(self) -> None:
        """Takes note of a trial that is not made."""
        with self._lock:
            self.done += 1
            self.left_out += 1

    @property
    def elapsed_s(self) -> float:
        """Seconds of this sitting."""
        return 0.0 if self._start is None else self._clock() - self._start

    @property
    def left_s(self) -> float | None:
        """Seconds still to go, if trials go on as they did; None before the first one."""
        finished = self.done - self.earlier - self.left_out
        if finished <= 0:
            return None
        return self.elapsed_s / finished * max(0, self.total - self.done)

    @property
    def cost(self) -> str:
        """Dollars so far, with `≥` where some are not known, and `–` where none are."""
        if self._known_usd is None:
            return DASH
        return f"{'≥ ' if self._unpriced else ''}${money(self._known_usd)}"

    def spending(self, label: str) -> str:
        """Dollars that a trial under way was metered at so far; empty where it has no meter."""
        usage = self.meters.get(label)
        if usage is None:
            return ""
        costs = [each.cost_usd for each in usage()]
        known = [cost for cost in costs if cost is not None]
        return f"{'≥ ' if len(known) < len(costs) else ''}${money(sum(known))}"

    @property
    def energy(self) -> str:
        """
        Joules so far at the first boundary that was met, idle included, since not all may be net.

        With `≥` where some are not known, `est.` where any are estimated, and `–` where none are
        known.
        """
        if self._known_j is None:
            return DASH
        least, guess = "≥ " * bool(self._unmetered), " est." * self._estimated
        return f"{least}{joules(self._known_j)} J{guess}"

    def _add_cost(self, trial: Trial) -> None:
        if trial.cost_usd is None:
            self._unpriced += trial.ending is not Ending.SKIPPED
        else:
            self._known_usd = (self._known_usd or 0.0) + trial.cost_usd

    def _add_energy(self, trial: Trial) -> None:
        # Joules of two boundaries are two quantities and are never added.
        for figure in trial.energy:
            if self._boundary not in {None, figure.boundary}:
                continue
            gross_j = gross_of(figure)
            if gross_j is None:
                self._unmetered += figure.granularity == "trial"
                continue
            self._boundary = figure.boundary
            self._estimated |= figure.label is Label.ESTIMATOR
            self._known_j = (self._known_j or 0.0) + gross_j
