"""The attempt itself: the solver works, inside the meters' bracket, and nothing else does."""

import time
from collections.abc import Mapping
from contextlib import nullcontext

from attrs import evolve, frozen

from fairtrial.agents.desk import Desk
from fairtrial.api import Attempt, Ending, Energy, Exchange, Stage, Usage
from fairtrial.energy.ledger import Window
from fairtrial.engine import artifacts
from fairtrial.engine.bench import Bench
from fairtrial.engine.controls import control
from fairtrial.engine.overdraft import ended_past_budget
from fairtrial.engine.plan import Cell
from fairtrial.engine.room import Room
from fairtrial.engine.session import TrialSession
from fairtrial.engine.solving import solved
from fairtrial.engine.stages import Stages

LATE_S = 1.0
"""Seconds past its time after which an attempt counts as timed out, whatever the solver says."""


@frozen(kw_only=True)
class Outcome:
    """
    What is known once the solver has returned.

    Attributes:
        attempt: What the solver says, overruled where the engine knows better.
        wall_s: Seconds that it took.
        metered: Tokens and dollars as the gateway saw them; None where there is no gateway.
        energy: Joules of the bracket.
        exchanges: What was asked and answered.
        events: How many events the trajectory holds.
        enforced: What the sandbox kept of the fence.
        stages: What each solver did, where there were several.
    """

    attempt: Attempt
    wall_s: float
    metered: tuple[Usage, ...] | None
    energy: tuple[Energy, ...]
    exchanges: tuple[Exchange, ...]
    events: int
    enforced: Mapping[str, str]
    stages: tuple[Stage, ...] = ()


def attempt(cell: Cell, room: Room, place: Bench, within: Window | None = None) -> Outcome:
    """
    Lets the solver work; never raises for what the solver does.

    Args:
        cell: What it works on.
        room: What all trials share.
        place: Its bench.
        within: The window that the attempt's own is a part of; None for none.
    """
    kept = room.directory.trial(cell.task.id, cell.solver, cell.rollout)
    solver = control(cell.solver, room.suite, cell.task) or room.solvers[cell.solver]
    stages = Stages(cell=cell, room=room, place=place)
    session = TrialSession(
        brief=cell.task.brief,
        workspace=place.workspace,
        scratch=place.scratch or place.workspace.root,  # a control arm keeps no files of its own
        environment=place.environment,
        log=kept / artifacts.TRAJECTORY,
        stages=stages,
        task=cell.task,
        answerer=room.answerer,
    )
    cpu_us = place.cpu_us()
    window = room.ledger.begin(
        cell.label, group=cell.solver, parent=within, apart=place.apart, control=cell.control
    )
    stages.window = window
    start = time.monotonic()
    with (
        Desk(session) if not cell.control else nullcontext(),
        ended_past_budget(place.gateway, place.workspace),
    ):
        said, error = solved(solver, session)
    wall_s = time.monotonic() - start
    window.end(cpu_us=place.cpu_us_since(cpu_us))
    session.close()
    if place.gateway is not None:
        # What is under way is metered to its end, so that the figures below are the last.
        place.gateway.close()
    artifacts.keep_error(kept, error)
    over = place.gateway is not None and place.gateway.exhausted
    return Outcome(
        attempt=_overruled(
            said, cell, wall_s - session.waited_s, over=over, stop=room.stop.is_set()
        ),
        wall_s=wall_s,
        metered=None if place.gateway is None else place.gateway.usage(),
        energy=window.energies(),
        exchanges=tuple(session.exchanges),
        events=session.events,
        enforced=dict(place.workspace.enforced),
        stages=tuple(stages.done),
    )


def _overruled(said: Attempt, cell: Cell, used_s: float, *, over: bool, stop: bool) -> Attempt:
    if stop:
        return evolve(said, ending=Ending.INTERRUPTED, note="the run was stopped by the user")
    # An agent whose request was refused for the budget takes that for the provider's fault.
    if over:
        return evolve(said, ending=Ending.OVER_BUDGET, limit="budget")
    if said.ending is Ending.INFRA:
        return said
    if used_s > cell.task.brief.timeout_s + LATE_S and said.ending is not Ending.TIMED_OUT:
        return evolve(said, ending=Ending.TIMED_OUT, limit="timeout")
    return said
