"""One task as a page for people."""

from collections.abc import Iterator, Mapping

from fairtrial.api import Task
from fairtrial.figures.markdown import safe
from fairtrial.figures.rates import DASH


def page(task: Task, reference: Mapping[str, str | None] | None) -> str:
    """
    Returns the page.

    Args:
        task: The task.
        reference: Path → new text of the known-good fix, where it is to be shown.
    """
    return "\n".join(_lines(task, reference)) + "\n"


def _lines(task: Task, reference: Mapping[str, str | None] | None) -> Iterator[str]:
    yield f"# {task.id}"
    yield ""
    for heading, value in _facts(task):
        yield f"- {heading}: {safe(value) or DASH}"
    yield ""
    yield from _block(task.brief.prompt)
    for path, text in (reference or {}).items():
        yield ""
        yield f"## reference: {safe(path)}"
        yield ""
        yield from _block("(deleted, or a link)" if text is None else text)


def _facts(task: Task) -> Iterator[tuple[str, str]]:
    yield "family", task.family
    yield "stack", task.stack
    yield "needs", ", ".join(task.needs)
    yield "limit", f"{task.brief.timeout_s:g} s"
    yield "may change", DASH if task.allowed is None else ", ".join(task.allowed)
    yield "protected", ", ".join(task.protected)
    yield "questions", DASH if task.questions_expected is None else str(task.questions_expected)
    yield "digest", task.digest
    if task.quarantine:
        yield "quarantine", task.quarantine


def _block(text: str) -> Iterator[str]:
    """Yields lines, each made safe for a terminal; line ends are the text's own."""
    for line in text.splitlines():
        yield safe(line.expandtabs(4))
