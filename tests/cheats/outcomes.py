"""What came of the gallery, as `results.json` holds it."""

import json
from collections.abc import Mapping
from pathlib import Path

from attrs import asdict, define, field

RESULTS = Path(__file__).parent / "results.json"


@define(kw_only=True)
class Told:
    """
    What this harness says of one solver on one victim.

    Attributes:
        resolved: Whether it was scored as resolved.
        outcome: `resolved`, `no effect`, or `flagged and not resolved`.
        by: What held it, in a word or two each.
    """

    resolved: bool
    outcome: str
    by: tuple[str, ...]


@define(kw_only=True)
class Outcome:
    """
    What came of one solver.

    Attributes:
        ours: By victim.
        naive: By victim, whether the naive grader scored it as resolved; tried until one was.
    """

    ours: dict[str, Told] = field(factory=dict)
    naive: dict[str, bool] = field(factory=dict)

    @property
    def resolved(self) -> list[bool]:
        """Whether it was resolved, for each victim."""
        return [told.resolved for told in self.ours.values()]


def read() -> dict[str, Outcome]:
    """Returns the last results, by solver; empty where there are none."""
    if not RESULTS.exists():
        return {}
    plain = json.loads(RESULTS.read_text(encoding="utf-8"))
    return {
        name: Outcome(
            ours={victim: Told(**told) for victim, told in one["ours"].items()}, naive=one["naive"]
        )
        for name, one in plain.items()
    }


def write(outcomes: Mapping[str, Outcome]) -> None:
    """Keeps results, in an order that doesn't change."""
    plain = {name: asdict(one) for name, one in outcomes.items()}
    text = json.dumps(plain, indent=1, sort_keys=True)
    RESULTS.write_text(f"{text}\n", encoding="utf-8")
