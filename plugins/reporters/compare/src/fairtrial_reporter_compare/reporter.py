"""The plugin: two runs, or the two arms of one, as Markdown and as JSON."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import field, frozen
from attrs.validators import ge
from fairtrial.api.errors import ConfigError
from fairtrial.api.record import RunArm, RunRecord
from fairtrial.api.reporter import Document, Reporter
from fairtrial.figures.arms import difference_lines
from fairtrial.figures.compare import Comparison, Comparisons, compare_arms, compare_runs
from fairtrial.figures.intervals import RESAMPLES
from fairtrial.figures.markdown import cell
from fairtrial.figures.plain import Json, plain

from fairtrial_reporter_compare.rows import PER_ATTEMPT, tasks_table, tried_again
from fairtrial_reporter_compare.summary import (
    ONE_SAMPLE,
    chance_lines,
    flip_lines,
    head_lines,
    power_lines,
    repeat_lines,
    warning_lines,
)

FORM = "1.2"
"""Version of the form of `compare.json`."""

_RUNS = 2


@frozen(kw_only=True)
class CompareReporter:
    """
    Sets two runs, or the two arms of one, side by side.

    It writes `compare.md`, and `compare.json` with `flips` and `regression`.

    Attributes:
        diff: Whether to add a column of lines added and removed.
        flags: What a reviewer noted of tasks, by the task's id: a column of its own.
        max_rows: Most flips that are listed; the rest is counted.
        resamples: Bootstrap resamples behind each interval.
        indent: Spaces a level in `compare.json`; 0 for one line.
    """

    diff: bool = False
    flags: Mapping[str, str] = field(factory=dict)
    max_rows: int = field(default=50, validator=ge(0))
    resamples: int = field(default=RESAMPLES, validator=ge(100))
    indent: int = field(default=0, validator=ge(0))

    def report(self, runs: Sequence[RunRecord], /) -> Iterable[Document]:
        """
        Yields the comparison for people, then the one for machines.

        Raises:
            ConfigError: There are neither two runs nor one with arms, or they have no solvers to
                pair.
        """
        found = self._compared(runs)
        sides = runs[0].arms if found.settings else ()
        text = "\n\n".join(self._parts(found, sides)) + "\n"
        yield Document(name="compare.md", media_type="text/markdown", body=text.encode())
        body = json.dumps(
            document(found), ensure_ascii=False, allow_nan=False, indent=self.indent or None
        )
        yield Document(
            name="compare.json",
            media_type="application/json",
            body=f"{body}\n".encode(errors="backslashreplace"),
        )

    def _compared(self, runs: Sequence[RunRecord]) -> Comparisons:
        if len(runs) == 1 and runs[0].arms:
            return compare_arms(runs[0], resamples=self.resamples)
        if len(runs) != _RUNS:
            raise ConfigError(
                problem=f"the reporter “compare” takes exactly two runs, not {len(runs)}",
                facts=tuple(("run", record.label) for record in runs),
                way_on="name the run before and the run after, or one run with two arms",
            )
        return compare_runs(*runs, resamples=self.resamples)

    def _parts(self, found: Comparisons, sides: Sequence[RunArm]) -> Iterator[str]:
        yield f"# {cell(found.before)} → {cell(found.after)}"
        for left in found.unfinished:
            yield cell(f"{left.label}: {left}")
        if sides:
            yield "\n".join(f"- {line}" for line in difference_lines(sides, markdown=True))
        for comparison in found.solvers:
            if len(found.solvers) > 1:
                yield f"## {cell(comparison.after.solver)}"
            yield from self._solver(comparison, len(found.solvers))
        if not found.solvers:
            yield "Neither run has a solver."
        if found.unmatched:
            yield f"In one run only, not compared: {cell(', '.join(found.unmatched))}."
        yield ONE_SAMPLE

    def _solver(self, comparison: Comparison, comparisons: int) -> Iterator[str]:
        warnings = "\n".join(warning_lines(comparison))
        if warnings:
            yield warnings
        yield from head_lines(comparison)
        if tried_again(comparison.rows):
            yield PER_ATTEMPT
        yield tasks_table(comparison.rows, diff=self.diff, flags=self.flags).rstrip("\n")
        yield "Flips:\n\n" + "\n".join(flip_lines(comparison, self.max_rows))
        yield "Differences:\n\n" + "\n".join(
            (*chance_lines(comparison, comparisons), *power_lines(comparison.power))
        )
        if comparison.repeats:
            yield "Repeats:\n\n" + "\n".join(repeat_lines(comparison.repeats))


def document(found: Comparisons) -> dict[str, Json]:
    """Returns what `compare.json` holds: all flips in one list, then each pair of solvers."""
    flips: list[Json] = [
        {"solver": comparison.after.solver, **flip}
        for comparison in found.solvers
        for flip in map(plain, comparison.flips)
        if isinstance(flip, dict)
    ]
    return {
        "form": FORM,
        "before": found.before,
        "after": found.after,
        "regression": found.regression,
        "unproven": list(found.unproven),
        "unfinished": plain(found.unfinished),
        "flips": flips,
        "solvers": plain(found.solvers),
        "unmatched": list(found.unmatched),
        "settings": list(found.settings),
    }


_: type[Reporter] = CompareReporter
