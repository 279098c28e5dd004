"""What is in no figure: tasks in no denominator, trials that count nowhere, and what those used."""

from collections.abc import Sequence

from fairtrial.figures.aside import asides
from fairtrial.figures.frontier import Frontier
from fairtrial.figures.tally import Tally

from fairtrial_reporter_html.markup import (
    NOTHING,
    Html,
    items,
    join,
    name,
    paragraph,
    text,
)

_SHOWN = 10
_NAME_LIMIT, _WHY_LIMIT = 60, 160


def apart(found: Frontier, arms: Sequence[Tally]) -> Html:
    """Returns what is in no figure, with the reasons; empty where all is in one."""
    stale = sum(len(tally.stale) for tally in arms)
    parts = [
        _listed(
            "Tasks in no denominator",
            [_line(task.task, f", {task.kind}: {task.why}") for task in found.apart],
        ),
        _listed(
            "Used besides, and in no sum",
            [_line(aside.solver, f": {aside}") for aside in asides(arms)],
        ),
    ]
    if stale:
        words = (
            f"{stale} trials belong to tasks that the run did not plan, or planned in another"
            " version; they count nowhere."
        )
        parts.append(paragraph(text(words)))
    return join(parts)


def _line(who: str, said: str) -> Html:
    return join((name(who, limit=_NAME_LIMIT), text(said, limit=_WHY_LIMIT)))


def _listed(title: str, lines: Sequence[Html]) -> Html:
    if not lines:
        return NOTHING
    more = len(lines) - _SHOWN
    rest = [text(f"… and {more} more")] if more > 0 else []
    return join((paragraph(text(f"{title}:")), items([*lines[:_SHOWN], *rest])))
