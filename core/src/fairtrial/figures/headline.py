"""Whether a solver's trials say enough for a headline, and how much of a run is still to come."""

import shlex
from collections.abc import Sequence

from attrs import frozen

from fairtrial.api.record import RunRecord
from fairtrial.figures.rates import percent_of
from fairtrial.figures.tally import Counts, Tally, tallies


def refusal(counts: Counts, max_infra_share: float) -> str:
    """
    Returns why a solver gets no headline (no share, interval, or place on a front), in words.

    Trials that broke for a reason of ours, that never began for want of budget, and that are
    interrupted or still to come say nothing of the agent: taken for failures, they would make a
    share of what nobody has seen. Above the share that the run allows of them, and where nothing
    was judged at all, there is none.

    Args:
        counts: What became of its planned trials.
        max_infra_share: The share of such trials up to which a headline is given.

    Returns:
        One sentence without a full stop; empty where a headline is given.
    """
    kinds = {
        "broke for reasons that are not the agent's": counts.infra,
        "never began for want of budget": counts.skipped,
        "did not finish": counts.unfinished,
    }
    silent = sum(kinds.values())
    if counts.planned and silent / counts.planned > max_infra_share:
        parts = {words: count for words, count in kinds.items() if count}
        share = f"{silent} of {counts.planned} trials ({percent_of(silent, counts.planned)})"
        why = next(iter(parts)) if len(parts) == 1 else f"say nothing of the agent: {_told(parts)}"
        return f"{share} {why}; above {max_infra_share:.0%} no headline is given"
    if counts.planned and not counts.judged:
        return f"none of {counts.planned} trials was judged, so that no headline is given"
    return ""


def _told(parts: dict[str, int]) -> str:
    return ", ".join(f"{count} {words}" for words, count in parts.items())


@frozen(kw_only=True)
class Unfinished:
    """
    How much of a run is still to come.

    Attributes:
        label: The run's label.
        planned: Trials of all solvers on sound tasks.
        trials: Those of them that are interrupted or not yet run.
    """

    label: str
    planned: int
    trials: int

    def __str__(self) -> str:
        """Returns one sentence that says so, and how to go on; empty for a run at its end."""
        if not self.trials:
            return ""
        return (
            f"unfinished: {self.planned - self.trials} of {self.planned} trials ended, the others"
            " were interrupted or are still to come; to go on, give the command that began the"
            f" run again, with --label {shlex.quote(self.label)} --resume"
        )


def unfinished(record: RunRecord, arms: Sequence[Tally] | None = None) -> Unfinished:
    """
    Counts what a run has planned and not finished.

    Args:
        record: The run.
        arms: Its tallies, where they are already made.
    """
    counts = [tally.counts for tally in (tallies(record) if arms is None else arms)]
    return Unfinished(
        label=record.label,
        planned=sum(each.planned for each in counts),
        trials=sum(each.unfinished for each in counts),
    )
