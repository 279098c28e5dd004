"""The plugin: every figure of every run as JSON, and the schema that the document keeps to."""

import json
from collections.abc import Iterable, Sequence
from importlib.resources import files

from attrs import field, frozen
from attrs.validators import ge
from fairtrial.api.record import RunRecord
from fairtrial.api.reporter import Document, Reporter
from fairtrial.figures.intervals import RESAMPLES
from fairtrial.figures.plain import plain

from fairtrial_reporter_json.report import Report, run_report

SCHEMA_NAME = "report.schema.json"


@frozen(kw_only=True)
class JsonReporter:
    """
    Writes every figure of every run: `report.json`.

    Attributes:
        trials: Whether to list every trial, too.
        schema: Whether to write the document's JSON Schema beside it: `report.schema.json`.
        resamples: Bootstrap resamples behind each interval of joules and dollars.
        indent: Spaces a level; 0 for one line.
    """

    trials: bool = False
    schema: bool = False
    resamples: int = field(default=RESAMPLES, validator=ge(100))
    indent: int = field(default=2, validator=ge(0))

    def report(self, runs: Sequence[RunRecord], /) -> Iterable[Document]:
        """Yields the report, and its schema where that was asked for; no run is fine."""
        found = Report(
            runs=tuple(
                run_report(record, resamples=self.resamples, trials=self.trials) for record in runs
            )
        )
        text = json.dumps(
            plain(found), ensure_ascii=False, allow_nan=False, indent=self.indent or None
        )
        yield Document(
            name="report.json",
            media_type="application/json",
            body=f"{text}\n".encode(errors="backslashreplace"),
        )
        if self.schema:
            yield Document(
                name=SCHEMA_NAME, media_type="application/schema+json", body=schema_text()
            )


def schema_text() -> bytes:
    """Returns the published schema of `report.json`."""
    return files(__package__).joinpath(SCHEMA_NAME).read_bytes()


_: type[Reporter] = JsonReporter
