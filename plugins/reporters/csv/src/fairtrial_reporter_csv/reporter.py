"""The plugin: `trials.csv`, one line a trial."""

import csv
import enum
import io
from collections.abc import Callable, Iterable, Mapping, Sequence

from attrs import field, fields, frozen
from attrs.validators import deep_iterable, in_
from fairtrial.api.energy import Energy
from fairtrial.api.reading import Boundary
from fairtrial.api.record import RunRecord
from fairtrial.api.reporter import Document, Reporter
from fairtrial.figures.basis import basis_of, gross_of
from fairtrial.figures.lines import TrialLine, lines, may_be_ranked
from fairtrial.figures.markdown import safe

_ENERGIES = "energies"
_FACTS: Mapping[str, Callable[[Energy], object]] = {
    "j": lambda energy: energy.joules,
    "gross_j": gross_of,
    "basis": basis_of,
    "label": lambda energy: energy.label,
    "granularity": lambda energy: energy.granularity,
    "reliable": may_be_ranked,
    "flags": lambda energy: "; ".join(energy.flags),
}
_ORIGINS: Mapping[str, Callable[[Energy], object]] = {
    "coverage": lambda energy: "; ".join(energy.coverage),
    "sensor": lambda energy: energy.sensor,
}
_LOCAL = {
    f"{boundary.value}_energy_{fact}": (boundary, read)
    for facts in (_FACTS, _ORIGINS)
    for boundary in Boundary
    for fact, read in facts.items()
    if boundary is not Boundary.REMOTE
}

COLUMNS = (
    *(column.name for column in fields(TrialLine) if column.name != _ENERGIES),
    *_LOCAL,
)
"""
All columns: those that `fairtrial.figures.lines.TrialLine` describes, and for each local boundary
what is known of its joules.
"""

_FORMULA = ("=", "+", "-", "@")


@frozen(kw_only=True)
class CsvReporter:
    """
    Writes one line a trial for spreadsheets: `trials.csv`, as RFC 4180 has it, in UTF-8.

    What is not known is an empty cell. A text that a spreadsheet would run as a formula gets an
    apostrophe before it.

    Attributes:
        columns: Which columns to write, in this order; all by default.
        controls: Whether to list trials of the control arms, too.
    """

    columns: tuple[str, ...] = field(default=COLUMNS, validator=deep_iterable(in_(COLUMNS)))
    controls: bool = True

    def report(self, runs: Sequence[RunRecord], /) -> Iterable[Document]:
        """Yields one document with the trials of all runs; no run gives the headings alone."""
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(self.columns)
        for record in runs:
            writer.writerows(
                [shown(value(line, column)) for column in self.columns]
                for line in lines(record)
                if self.controls or not line.control
            )
        yield Document(name="trials.csv", media_type="text/csv", body=text.getvalue().encode())


def value(line: TrialLine, column: str) -> object:
    """Returns what stands in a column; None where it is not known."""
    if column not in _LOCAL:
        return getattr(line, column)
    boundary, read = _LOCAL[column]
    found = (energy for energy in line.energies if energy.boundary is boundary)
    return next(map(read, found), None)


def shown(value: object) -> str:
    """Returns a value as a cell: empty for None, `true` or `false`, numbers in full."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, enum.Enum):
        return str(value.value)
    if isinstance(value, str):
        line = safe(value)
        return f"'{line}" if line.lstrip().startswith(_FORMULA) else line
    return repr(value)


_: type[Reporter] = CsvReporter
