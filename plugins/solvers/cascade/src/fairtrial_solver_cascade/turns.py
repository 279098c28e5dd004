"""The ends of turns in an attempt of several stages, whose figures are those of all so far."""

from collections.abc import Mapping

import attrs
from fairtrial.api import ModelUsage, Solver, Spender, TurnEnd

Used = Mapping[str, ModelUsage] | None

NOTHING_YET = TurnEnd(cost_usd=0.0)
"""What is told before the first stage."""


def on_top(earlier: TurnEnd, event: TurnEnd) -> TurnEnd:
    """
    Returns the end of a stage's turn with what the stages before it had used.

    Each agent tells its own figures from the beginning on, and those of a trajectory only grow.
    What an agent doesn't tell stays unknown, and so does a sum of dollars with it.

    Args:
        earlier: What the stages before it told, all together.
        event: The stage's own.
    """
    costs = (earlier.cost_usd, event.cost_usd)
    return attrs.evolve(
        event,
        cost_usd=None if costs[0] is None or costs[1] is None else costs[0] + costs[1],
        model_usage=None if event.model_usage is None else _sum(earlier.model_usage, event),
    )


def so_far(earlier: TurnEnd, told: TurnEnd) -> TurnEnd:
    """Returns what is known after a turn's end: tokens that it doesn't tell are as they were."""
    usage = earlier.model_usage if told.model_usage is None else told.model_usage
    return attrs.evolve(told, model_usage=usage)


def after(earlier: TurnEnd, told: TurnEnd, solver: Solver) -> TurnEnd:
    """
    Returns what all stages so far have used, once one has ended.

    One that can't spend, and tells no dollars, leaves them as they were.

    Args:
        earlier: What the stages before it told, all together.
        told: The same after the stage's last turn.
        solver: Who worked.
    """
    free = isinstance(solver, Spender) and solver.spends is False
    known = earlier.cost_usd if told.cost_usd is None and free else told.cost_usd
    return attrs.evolve(told, cost_usd=known)


def _sum(earlier: Used, event: TurnEnd) -> Mapping[str, ModelUsage]:
    found = dict(earlier or {})
    for model, usage in (event.model_usage or {}).items():
        before = found.get(model)
        found[model] = usage if before is None else _both(before, usage)
    return found


def _both(one: ModelUsage, other: ModelUsage) -> ModelUsage:
    counts = {
        each.name: [
            count for usage in (one, other) if (count := getattr(usage, each.name)) is not None
        ]
        for each in attrs.fields(ModelUsage)
    }
    return ModelUsage(**{name: sum(known) if known else None for name, known in counts.items()})
