"""The plugin: a run as one Markdown document that also reads well in a terminal."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from attrs import field, frozen
from attrs.validators import deep_iterable, ge, in_
from fairtrial.api.errors import ConfigError
from fairtrial.api.record import RunRecord
from fairtrial.api.reporter import Document, Reporter
from fairtrial.figures.controls import controls
from fairtrial.figures.fencing import fencing
from fairtrial.figures.frontier import Frontier, frontier
from fairtrial.figures.headline import unfinished
from fairtrial.figures.intervals import RESAMPLES
from fairtrial.figures.markdown import cell
from fairtrial.figures.tally import Tally, tallies

from fairtrial_reporter_table.bills import tokens_section
from fairtrial_reporter_table.notes import notes
from fairtrial_reporter_table.sections import (
    apart_section,
    failures_section,
    frontier_section,
    honesty_section,
    rollouts_section,
)
from fairtrial_reporter_table.selected import selections_section

SECTIONS = (
    "frontier",
    "tokens",
    "selections",
    "rollouts",
    "honesty",
    "failures",
    "apart",
    "notes",
)
"""All sections, in the order in which they are shown."""

_TITLES = {
    "tokens": "Tokens and dollars",
    "selections": "One of k, picked",
    "rollouts": "Best of k",
    "honesty": "Honesty",
    "failures": "Why it failed",
    "apart": "Not counted",
    "notes": "Notes",
}


@frozen(kw_only=True)
class TableReporter:
    """
    Shows what each solver resolved, what that took, and how sure it is: `frontier.md`.

    Attributes:
        sections: Which sections to show; one that has nothing to say is left out anyway.
        max_rows: Most rows of the lists of failed and broken trials; the rest is counted.
        resamples: Bootstrap resamples behind each interval of joules and dollars.
    """

    sections: tuple[str, ...] = field(default=SECTIONS, validator=deep_iterable(in_(SECTIONS)))
    max_rows: int = field(default=30, validator=ge(0))
    resamples: int = field(default=RESAMPLES, validator=ge(100))

    def report(self, runs: Sequence[RunRecord], /) -> Iterable[Document]:
        """
        Yields one document with all runs, one after the other.

        Raises:
            ConfigError: There is no run.
        """
        if not runs:
            raise ConfigError(
                problem="the reporter “table” was given no run",
                way_on="name at least one run directory",
            )
        text = "\n".join(self._run(record) for record in runs)
        yield Document(name="frontier.md", media_type="text/markdown", body=text.encode())

    def _run(self, record: RunRecord) -> str:
        arms = tallies(record)
        found = frontier(record, resamples=self.resamples, arms=arms)
        bodies = self._bodies(record, arms, found)
        parts = [_head(record, arms), *(body for body in bodies.values() if body)]
        said = notes(found, "\n".join(parts)) if "notes" in self.sections else ""
        if said:
            parts.append(f"## {_TITLES['notes']}\n\n{said}")
        return "\n".join(parts)

    def _bodies(
        self, record: RunRecord, arms: Sequence[Tally], found: Frontier
    ) -> Mapping[str, str]:
        makers: Mapping[str, Callable[[], str]] = {
            "frontier": lambda: frontier_section(found),
            "tokens": lambda: tokens_section(arms),
            "selections": lambda: selections_section(record, arms, found),
            "rollouts": lambda: rollouts_section(record, arms),
            "honesty": lambda: honesty_section(record, arms),
            "failures": lambda: failures_section(arms, self.max_rows),
            "apart": lambda: apart_section(arms, found, self.max_rows),
        }
        bodies = {name: make() for name, make in makers.items() if name in self.sections}
        return {name: _titled(name, body) for name, body in bodies.items()}


def _titled(name: str, body: str) -> str:
    title = _TITLES.get(name)
    return f"## {title}\n\n{body}" if title and body else body


def _head(record: RunRecord, arms: Sequence[Tally]) -> str:
    tasks = len(arms[0].tasks) if arms else len(record.tasks)
    counted = "1 task" if tasks == 1 else f"{tasks} tasks"
    rollouts = f" × {record.rollouts} rollouts" if record.rollouts > 1 else ""
    version = f" {cell(record.suite_version, limit=12)}" if record.suite_version else ""
    left = str(unfinished(record, arms))
    lines = [
        f"# {cell(record.label)}\n",
        *([f"{cell(left)}\n"] if left else []),
        f"{cell(record.suite)}{version}: {counted}{rollouts}\n",
    ]
    proofs = (str(controls(record, arms)), str(fencing(record, arms)))
    lines += [f"{cell(proof)}\n" for proof in proofs if proof]
    return "\n".join(lines)


_: type[Reporter] = TableReporter
