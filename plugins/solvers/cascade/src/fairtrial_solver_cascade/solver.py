"""The solver `cascade`: a small solver first, a large one where the small one's work won't do."""

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from attrs import Attribute, evolve, field, frozen
from attrs.validators import gt, min_len
from fairtrial.agents.tokens import merged
from fairtrial.api import (
    Attempt,
    Ending,
    LogMessage,
    MachineError,
    Outlook,
    Ready,
    Session,
    Solver,
    Spender,
    Stage,
    TurnEnd,
)

from fairtrial_solver_cascade.rules import Work, named, reason
from fairtrial_solver_cascade.turns import NOTHING_YET, after
from fairtrial_solver_cascade.view import StageView, keep_native

DOUBT = (
    r"(?i)\b(?:not (?:entirely |quite |fully )?(?:sure|certain|confident)|unsure|uncertain"
    r"|(?:could|can|was) ?n[o']t (?:able to )?(?:verify|test|reproduce|confirm|solve|fix|complete)"
    r"|unable to (?:verify|test|reproduce|confirm|solve|fix|complete)|may not (?:work|be correct))"
)
"""How agents say that they aren't sure of what they did."""
_LAST = (Ending.INFRA, Ending.INTERRUPTED)
_ROUNDING = 1e-9


def _rules(_: object, attribute: "Attribute[tuple[str, ...]]", value: tuple[str, ...]) -> None:
    for place, text in enumerate(value):
        try:
            named(text)
        except ValueError as error:
            raise ValueError(f"{attribute.name}[{place}]: {error}") from None


def _shares(
    _: object, attribute: "Attribute[tuple[float, ...]]", value: tuple[float, ...]
) -> None:
    if any(share <= 0 for share in value) or sum(value) > 1 + _ROUNDING:
        raise ValueError(f"{attribute.name} must hold parts of 1, each above 0, of 1 in all")


def _expression(_: object, attribute: "Attribute[str]", value: str) -> None:
    try:
        re.compile(value)
    except re.error as error:
        raise ValueError(f"{attribute.name} is no regular expression: {error}") from None


@frozen(kw_only=True)
class CascadeSolver:
    """
    Lets solvers work one after the other, until a stage's work will do.

    Each stage gets the same prompt. Its usage, joules, changes and outcome are kept apart in the
    record; the attempt's own are those of all stages, with what lies between them. The attempt
    ends as its last stage did. A fault that is not the agent's ends the attempt as `infra`.
    """

    stages: tuple[Solver, ...] = field(validator=min_len(2))
    """Names of the solvers, in the order in which they are tried."""

    escalate: tuple[str, ...] = field(validator=[min_len(1), _rules])
    """When to go on: a rule for each stage but the last, or one for all of them. The rules are
    `visible-tests-fail`, `no-change`, `over-share`, `self-doubt` and `crash`; `a or b` is any of
    them."""

    share: tuple[float, ...] = field(default=(), validator=_shares)
    """Each stage's part of the time and of the budget, such as `[0.3, 0.7]`. What a stage leaves
    of its share is added to the next one's. Empty: each may use all that is left."""

    carry: bool = True
    """Whether a stage gets the tree as the one before left it; else it starts from the tree that
    the attempt was given."""

    test_cmd: tuple[str, ...] = ()
    """The program, and its arguments, that runs the tests which the agent can see too, for
    `visible-tests-fail`; exit status 0 is a pass."""

    test_timeout_s: float = field(default=300.0, validator=gt(0))
    """Seconds that it may take; after that, the tests count as failed."""

    doubt: str = field(default=DOUBT, validator=_expression)
    """A regular expression for `self-doubt`, looked for in what the agent said last."""

    def __attrs_post_init__(self) -> None:
        count = len(self.stages)
        if len(self.escalate) not in (1, count - 1):
            raise ValueError(f"'escalate' must hold 1 rule, or {count - 1} for {count} stages")
        if self.share and len(self.share) != count:
            raise ValueError(f"'share' must hold {count} parts, one a stage")
        tested = any("visible-tests-fail" in named(text) for text in self.escalate)
        if tested and not self.test_cmd:
            raise ValueError("'test_cmd' must say how the visible tests are run")

    @property
    def spends(self) -> bool | None:
        """Whether any of the stages can cost money; None where one doesn't say and none does."""
        told = [each.spends if isinstance(each, Spender) else None for each in self.stages]
        return True if True in told else None if None in told else False

    def lacks(self, outlook: Outlook, /) -> MachineError | None:
        """Says what the first stage lacks that lacks something, and which one that is."""
        for place, solver in enumerate(self.stages, 1):
            lack = solver.lacks(outlook) if isinstance(solver, Ready) else None
            if lack is not None:
                stage = ("stage", f"{place} of {len(self.stages)}")
                return evolve(lack, facts=(stage, *lack.facts))
        return None

    def solve(self, session: Session, /) -> Attempt:
        """
        Lets the stages work, in their order.

        Raises:
            MachineError: A process of a stage could not be ended, or the tests can't be run.
        """
        done: list[Stage] = []
        told = NOTHING_YET
        for place, solver in enumerate(self.stages):
            if done and not self.carry:
                session.reset()
            view = self._view(session, place, done, told)
            done.append(session.perform(solver, view))
            told = after(told, view.told, solver)
            keep_native(view.scratch, session.scratch / "native" / f"stage-{place + 1}")
            why = self._why_on(session, place, view, done)
            if not why:
                break
            session.escalate(why)
            session.record(LogMessage(level="info", message=f"the next stage begins: {why}"))
        return _attempt(done)

    def _view(
        self, session: Session, place: int, done: Sequence[Stage], told: TurnEnd
    ) -> StageView:
        brief = session.brief
        part = sum(self.share[: place + 1]) if self.share else 1.0
        used_s = brief.timeout_s - session.remaining_s()
        # A brief may not have no time at all; `remaining_s` is what counts.
        timeout_s = max(part * brief.timeout_s - used_s, _ROUNDING)
        budget = brief.budget_usd
        if budget is not None:
            budget = max(part * budget - _spent(done), 0.0)
        # An agent of an earlier stage must not be able to lay a link where this one will write.
        scratch = Path(tempfile.mkdtemp(prefix=f"stage-{place + 1}-", dir=session.scratch))
        return StageView(
            whole=session,
            brief=evolve(brief, timeout_s=timeout_s, budget_usd=budget),
            scratch=scratch,
            earlier=told,
        )

    def _why_on(self, session: Session, place: int, view: StageView, done: Sequence[Stage]) -> str:
        """Returns why the next stage is begun; empty where this one was the last."""
        stage = done[-1]
        budget = session.brief.budget_usd
        spent_up = budget is not None and _spent(done) >= budget
        if place == len(self.stages) - 1 or stage.ending in _LAST or spent_up:
            return ""
        if session.remaining_s() <= 0:
            return ""
        return reason(
            self.escalate[min(place, len(self.escalate) - 1)],
            Work(
                stage=stage,
                said=view.said,
                budget_usd=view.brief.budget_usd,
                session=session,
                test_cmd=self.test_cmd,
                test_timeout_s=self.test_timeout_s,
                doubt=self.doubt,
            ),
        )


def _spent(done: Sequence[Stage]) -> float:
    """Returns the dollars that are known to be spent; the gateway's cap holds for the rest."""
    return sum(stage.cost_usd or 0.0 for stage in done)


def _attempt(done: Sequence[Stage]) -> Attempt:
    last = done[-1]
    models = {stage.model for stage in done}
    versions = {stage.agent_version for stage in done}
    note = last.note
    if len(done) > 1:
        way = " → ".join(stage.solver for stage in done)
        note = f"{way}: {note}" if note else way
    return Attempt(
        ending=last.ending,
        limit=last.limit,
        submission=last.submission,
        usage=merged(usage for stage in done for usage in stage.usage),
        model=models.pop() if len(models) == 1 else None,
        agent_version=versions.pop() if len(versions) == 1 else None,
        note=note,
    )


_: type[Solver] = CascadeSolver
