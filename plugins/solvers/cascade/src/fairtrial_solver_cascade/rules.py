"""The rules by which a stage's work will not do, by their names in a config."""

import re
from collections.abc import Callable, Mapping, Sequence

from attrs import frozen
from fairtrial.api import EndedBy, Ending, LogMessage, MachineError, Session, Stage

OR = " or "
"""Between rules of which any one is enough."""
_SHORTEST_S = 0.01


@frozen(kw_only=True)
class Work:
    """
    One stage's work, as the rules look at it.

    Attributes:
        stage: What came of it.
        said: What the agent said last.
        budget_usd: Dollars that it should have spent at most; None for no limit.
        session: Where the visible tests can be run.
        test_cmd: How.
        test_timeout_s: How long they may take.
        doubt: How doubt reads.
    """

    stage: Stage
    said: str
    budget_usd: float | None
    session: Session
    test_cmd: Sequence[str]
    test_timeout_s: float
    doubt: str


def _tests_fail(work: Work) -> str:
    limit_s = max(min(work.test_timeout_s, work.session.remaining_s()), _SHORTEST_S)
    program = work.test_cmd[0]
    try:
        finished = work.session.workspace.run(list(work.test_cmd), timeout_s=limit_s)
    except (OSError, ValueError) as error:
        raise MachineError(
            problem=f"the visible tests can't be run: “{program}” can't be started",
            facts=(("asked for in", "`test_cmd` of a solver “cascade”"), ("because", str(error))),
            way_on="install it, or write its whole path in `test_cmd`",
        ) from error
    if finished.ended_by is EndedBy.EXIT and finished.code == 0:
        return ""
    how = f"exit status {finished.code}" if finished.code is not None else finished.ended_by.value
    work.session.record(LogMessage(level="info", message=f"the visible tests fail: {how}"))
    return f"the visible tests fail ({how})"


def _no_change(work: Work) -> str:
    return "" if work.stage.changed or work.stage.submission else "nothing was changed"


def _over_share(work: Work) -> str:
    stage = work.stage
    if stage.ending is Ending.TIMED_OUT:
        return f"its share of the time was used up ({stage.limit or 'timeout'})"
    cost = stage.cost_usd
    over = cost is not None and work.budget_usd is not None and cost > work.budget_usd
    return "its share of the budget was used up" if over or _stopped(stage) else ""


def _stopped(stage: Stage) -> bool:
    return stage.ending is Ending.OVER_BUDGET


def _self_doubt(work: Work) -> str:
    found = re.search(work.doubt, f"{work.said}\n{work.stage.note}")
    return f"it doubts its work: “{found[0]}”" if found else ""


def _crash(work: Work) -> str:
    return "it crashed" if work.stage.ending is Ending.CRASHED else ""


RULES: Mapping[str, Callable[[Work], str]] = {
    "visible-tests-fail": _tests_fail,
    "no-change": _no_change,
    "over-share": _over_share,
    "self-doubt": _self_doubt,
    "crash": _crash,
}
"""Each returns why the work will not do; empty where it will."""

_CHEAPEST_FIRST = ("crash", "over-share", "no-change", "self-doubt", "visible-tests-fail")


def named(text: str) -> tuple[str, ...]:
    """
    Returns the names in an entry such as `no-change or crash`, tests last.

    Raises:
        ValueError: One of them is no rule.
    """
    names = [name.strip() for name in text.split(OR)]
    for name in names:
        if name not in RULES:
            raise ValueError(f"“{name}” is no rule; the rules are {', '.join(RULES)}")
    return tuple(name for name in _CHEAPEST_FIRST if name in names)


def reason(text: str, work: Work) -> str:
    """
    Returns why a stage's work will not do by any rule of an entry; empty where it will.

    Raises:
        MachineError: The visible tests can't be run.
    """
    return next((why for name in named(text) if (why := RULES[name](work))), "")
