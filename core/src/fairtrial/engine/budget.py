"""Dollars: what may still be spent, and which trials can't be paid for."""

import threading
from collections.abc import Collection, Mapping, Sequence

from attrs import define, field

from fairtrial.api import BudgetError, Ending, Solver, Spender, Trial
from fairtrial.config.schema import UNLIMITED, RunTable
from fairtrial.engine.plan import Cell


@define
class Purse:
    """
    Guards a run's budget.

    A trial starts only if what is spent, what is reserved by trials under way, and its own cap
    stay within the total. A trial whose cost turns out unknown is taken to have cost its cap.

    Attributes:
        total_usd: What all trials together may spend; None for no limit.
        cap_usd: What one trial may spend; None for no limit.
        spenders: Solvers that can spend.
        spent_usd: What ended trials are known, or taken, to have spent.
    """

    total_usd: float | None
    cap_usd: float | None
    spenders: Collection[str] = ()
    spent_usd: float = 0.0
    _reserved_usd: float = 0.0
    _lock: threading.Lock = field(factory=threading.Lock)

    def reserve(self) -> bool:
        """Sets a trial's cap aside; False where it can't be paid for."""
        cap = self.cap_usd or 0.0
        with self._lock:
            if self.total_usd is not None:
                committed = self.spent_usd + self._reserved_usd
                if committed + cap > self.total_usd or committed >= self.total_usd:
                    return False
            self._reserved_usd += cap
            return True

    def settle(self, trial: Trial) -> None:
        """Replaces a trial's reservation by what it cost."""
        cap = self.cap_usd or 0.0
        with self._lock:
            self._reserved_usd -= cap
            self.spent_usd += self._taken(trial, cap)

    def already_spent(self, trial: Trial) -> None:
        """Counts an attempt of an earlier session of the same run; one never begun cost nothing."""
        if trial.wall_s is None and not trial.usage and not trial.metered:
            return
        with self._lock:
            self.spent_usd += self._taken(trial, self.cap_usd or 0.0)

    def _taken(self, trial: Trial, cap_usd: float) -> float:
        """Returns what a trial cost; its cap where it may have used a model at unknown cost."""
        if trial.cost_usd is not None:
            return trial.cost_usd
        if trial.metered is not None:
            return cap_usd if trial.metered else 0.0
        # Nobody metered it, and an agent that was killed tells nothing of itself.
        may = bool(trial.usage) or trial.solver in self.spenders
        return cap_usd if may and trial.ending is not Ending.SKIPPED else 0.0


def spenders(run: RunTable, solvers: Mapping[str, Solver]) -> tuple[str, ...]:
    """
    Returns the solvers that can spend money, in the run's own order.

    A solver says so by its face `Spender`; one that says nothing can where there is a gateway,
    since a gateway is what leads to a model. Control arms never do.
    """

    def spends(name: str) -> bool:
        told = _told(solvers[name])
        return run.gateway is not None if told is None else told

    return tuple(name for name in run.solvers if name in solvers and spends(name))


def _told(solver: object) -> bool | None:
    return solver.spends if isinstance(solver, Spender) else None


def most_usd(
    run: RunTable, solvers: Mapping[str, Solver], cells: Sequence[Cell], questions: int = 0
) -> float | None:
    """
    Returns the dollars that a run can spend at most; None where nothing caps them.

    Args:
        run: Its limits.
        solvers: What attempts the tasks.
        cells: What is planned.
        questions: How often selectors ask a solver that can spend; each is an attempt.
    """
    names = spenders(run, solvers)
    attempts = sum(cell.solver in names for cell in cells) + questions
    if not attempts:
        return 0.0
    cap = run.budget_usd_per_task
    caps = [run.budget_usd_total, None if cap is None else cap * attempts]
    return min((each for each in caps if each is not None), default=None)


def refuse_unlimited(run: RunTable, solvers: Mapping[str, Solver], cells: Sequence[Cell]) -> None:
    """
    Lets a run begin only if what it can spend is limited, for each attempt and in all.

    Raises:
        BudgetError: A solver can spend, and a limit is missing that isn't waived either.
    """
    names = spenders(run, solvers)
    missing = [
        key for key in ("budget_usd_per_task", "budget_usd_total") if getattr(run, key) is None
    ]
    if not names or not missing or run.budget == UNLIMITED:
        return
    attempts = sum(cell.solver in names for cell in cells)
    raise BudgetError(
        problem=f"[run] sets no {' and no '.join(missing)}, and its solvers can spend",
        facts=(
            ("solvers", ", ".join(names)),
            ("attempts", str(attempts)),
            *(_suggested(run, attempts) if missing == ["budget_usd_total"] else ()),
        ),
        way_on='set both keys, or write budget = "unlimited"; '
        "`--plan` shows what the run can cost",
    )


def _suggested(run: RunTable, attempts: int) -> tuple[tuple[str, str], ...]:
    whole = (run.budget_usd_per_task or 0.0) * attempts
    return (("enough for all", f"budget_usd_total = {whole:.2f}"),)
