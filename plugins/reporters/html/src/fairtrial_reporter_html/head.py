"""What stands above a run's plots: what was run, and what spoils or proves it."""

from collections.abc import Sequence

from fairtrial.api.record import RunRecord
from fairtrial.figures.controls import controls
from fairtrial.figures.fencing import fencing
from fairtrial.figures.headline import unfinished
from fairtrial.figures.tally import Tally

from fairtrial_reporter_html.markup import (
    NOTHING,
    Html,
    element,
    join,
    name,
    paragraph,
    text,
)

NAME_LIMIT = 120
"""Most characters of a run's or a suite's name."""

_VERSION_LIMIT = 12


def head(record: RunRecord, arms: Sequence[Tally]) -> Html:
    """Returns the run's name, what it is made of, and what is to be known before its figures."""
    tasks = len(arms[0].tasks) if arms else len(record.tasks)
    counted = "1 task" if tasks == 1 else f"{tasks} tasks"
    rollouts = f" × {record.rollouts} rollouts" if record.rollouts > 1 else ""
    version = (
        text(f" {record.suite_version}", limit=_VERSION_LIMIT) if record.suite_version else NOTHING
    )
    begun = f", begun {record.started_at[:16].replace('T', ' ')} UTC" if record.started_at else ""
    proof = controls(record, arms)
    left = str(unfinished(record, arms))
    return join(
        (
            element("h1", name(record.label, limit=NAME_LIMIT)),
            paragraph(
                join(
                    (
                        name(record.suite, limit=NAME_LIMIT),
                        version,
                        text(f": {counted}{rollouts}{begun}", limit=NAME_LIMIT),
                    )
                ),
                kind="sub",
            ),
            _said(left, "warn"),
            _said(str(proof), "warn" if proof.broken or proof.unproved else "note"),
            _said(str(fencing(record, arms)), "note"),
        )
    )


def _said(sentence: str, kind: str) -> Html:
    return paragraph(text(sentence), kind=kind) if sentence else NOTHING
