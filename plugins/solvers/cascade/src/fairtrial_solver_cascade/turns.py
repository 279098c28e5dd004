"""The ends of turns in an attempt of several stages, whose figures are those of all so far."""

from collections.abc import Mapping

import attrs
from fairtrial.api import ModelUsage, TurnEnd

Used = Mapping[str, ModelUsage] | None


def on_top(earlier: TurnEnd, event: TurnEnd) -> TurnEnd:
    """
    Returns the end of a stage's turn with what the stages before it had used.

    Each agent tells its own figures from the beginning on, and those of a trajectory only grow.
    What an agent doesn't tell stays unknown.

    Args:
        earlier: What the stages before it told, all together.
        event: The stage's own.
    """
    cost = event.cost_usd
    return attrs.evolve(
        event,
        cost_usd=None if cost is None else cost + (earlier.cost_usd or 0.0),
        model_usage=None if event.model_usage is None else _sum(earlier.model_usage, event),
    )


def so_far(earlier: TurnEnd, told: TurnEnd) -> TurnEnd:
    """Returns what is known after a turn's end: what it doesn't tell is as it was before."""
    return attrs.evolve(
        told,
        cost_usd=earlier.cost_usd if told.cost_usd is None else told.cost_usd,
        model_usage=earlier.model_usage if told.model_usage is None else told.model_usage,
    )


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
