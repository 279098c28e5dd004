"""Dollars: what may still be spent, and which trials can't be paid for."""

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, Decimal

from attrs import define, field

from fairtrial.api import BudgetError, Ending, Solver, Spender, Trial
from fairtrial.config.schema import UNLIMITED, RunTable
from fairtrial.engine.plan import Cell

_DUST_USD = 1e-9
"""Less than this over a limit comes of adding fractions, and is no overdraft."""
_CENT_USD = Decimal("0.01")


def _never() -> bool:
    return False


@define
class Purse:
    """
    Guards a run's budget.

    A trial starts only if what is spent, what is reserved by trials under way, and its own cap
    stay within the total; one that only they leave no room for waits until they have ended, since
    most cost less than their caps. A trial whose cost turns out unknown is taken to have cost its
    cap, or what is known of it where that is more.

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
    _under_way: int = 0
    _ended: threading.Condition = field(factory=threading.Condition)

    def reserve(self, stopping: Callable[[], bool] = _never) -> bool | None:
        """
        Sets a trial's cap aside, as soon as there is room for it; `settle` or `release` must follow.

        Args:
            stopping: Whether no trial is to start any more; asked whenever one has ended.

        Returns:
            False where what is spent leaves no room for it; None where it must not start.
        """
        with self._ended:
            while self._has_room(under_way=0):
                if stopping():
                    return None
                if self._has_room(self._under_way):
                    self._under_way += 1
                    return True
                self._ended.wait()
            return False

    def settle(self, trial: Trial | None) -> None:
        """Replaces a trial's reservation by what it cost; None is one that nobody knows of."""
        cap = self.cap_usd or 0.0
        with self._ended:
            self._under_way -= 1
            self.spent_usd += cap if trial is None else self._taken(trial, cap)
            self._ended.notify_all()

    def release(self) -> None:
        """Gives a reservation back of which nothing can have been spent: nobody began to work."""
        with self._ended:
            self._under_way -= 1
            self._ended.notify_all()

    def already_spent(self, trial: Trial) -> None:
        """Counts an attempt of an earlier session of the same run."""
        with self._ended:
            self.spent_usd += self._taken(trial, self.cap_usd or 0.0)

    def _has_room(self, under_way: int) -> bool:
        if self.total_usd is None:
            return True
        cap = self.cap_usd or 0.0
        committed = self.spent_usd + under_way * cap
        return committed + cap <= self.total_usd + _DUST_USD and committed < self.total_usd

    def _taken(self, trial: Trial, cap_usd: float) -> float:
        """
        Returns what a trial cost; its cap where it may have used a model at unknown cost.

        One that was never begun, since something broke before, cost nothing.
        """
        if trial.cost_usd is not None:
            return trial.cost_usd
        broke = trial.ending in {Ending.INFRA, Ending.INTERRUPTED}
        if broke and trial.wall_s is None and not trial.usage and not trial.metered:
            return 0.0
        used = trial.usage if trial.metered is None else trial.metered
        known = sum(usage.cost_usd for usage in used if usage.cost_usd is not None)
        if trial.metered is not None:
            return max(cap_usd, known) if trial.metered else 0.0
        # Nobody metered it, and an agent that was killed tells nothing of itself.
        may = bool(trial.usage) or trial.solver in self.spenders
        return max(cap_usd, known) if may and trial.ending is not Ending.SKIPPED else 0.0


def purse_of(run: RunTable, solvers: Mapping[str, Solver], earlier: Iterable[Trial] = ()) -> Purse:
    """Returns the purse of a run, less what its attempts of earlier sittings cost."""
    purse = Purse(run.budget_usd_total, run.budget_usd_per_task, spenders(run, solvers))
    for trial in earlier:
        purse.already_spent(trial)
    return purse


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
    """Returns the least total that is enough, in whole cents or with two digits that tell."""
    whole = Decimal(str(run.budget_usd_per_task or 0.0)) * attempts
    decimals = 2 if whole >= _CENT_USD else 1 - whole.adjusted()
    total = whole.scaleb(decimals).to_integral_value(ROUND_CEILING).scaleb(-decimals)
    return (("enough for all", f"budget_usd_total = {total:.{decimals}f}"),)
