"""What an agent asks its user, as questions; and the answers, as the protocol wants them."""

from collections.abc import Sequence

from fairtrial.agents.picking import Json, rows, table, text
from fairtrial.api import Answer, Option, Question

HEADER = "permission"
"""The heading of a question that asks for a permission."""
_YES, _NO = "yes", "no"


def permission(call: Json, options: Sequence[Json]) -> Question:
    """Returns a request for a permission as a question."""
    what = text(call, "title") or text(call, "kind") or "use a tool"
    return Question(
        text=f"May I? {what}",
        header=HEADER,
        options=tuple(Option(label=text(option, "name")) for option in options),
    )


def chosen(options: Sequence[Json], answer: Answer | None) -> str | None:
    """
    Returns the id of the option that was picked; None where none can be.

    Args:
        options: What the agent offers.
        answer: What was answered; None grants whatever grants most.
    """
    if answer is None:
        return _of_kind(options, ("allow_always", "allow_once"))
    for option in options:
        if text(option, "name") in answer.picked:
            return text(option, "optionId")
    return _of_kind(options, ("reject_once", "reject_always"))


def form(message: str, schema: Json) -> tuple[tuple[str, Question], ...]:
    """Returns the fields of a form as questions, by the field's name."""
    fields = table(schema, "properties")
    found = []
    for name, field in fields.items():
        words = text(field, "description") or text(field, "title") or name
        several = text(field, "type") == "array"
        found.append(
            (
                name,
                Question(
                    text=message if len(fields) == 1 else f"{message}\n{words}",
                    header=text(field, "title"),
                    options=tuple(Option(label=label) for _, label in _values(field)),
                    multi_select=several,
                ),
            )
        )
    return tuple(found)


def content(
    schema: Json, questions: Sequence[tuple[str, Question]], answers: Sequence[Answer]
) -> dict[str, object]:
    """Returns the form's content, fields without an answer left out."""
    filled: dict[str, object] = {}
    for (name, question), answer in zip(questions, answers, strict=True):
        field = table(schema, "properties", name)
        values = {label: value for value, label in _values(field)}
        picked = [values[label] for label in answer.picked if label in values]
        if question.multi_select:
            filled[name] = picked
        elif picked:
            filled[name] = picked[0]
        elif answer.text:
            filled[name] = answer.text
    return filled


def _of_kind(options: Sequence[Json], kinds: Sequence[str]) -> str | None:
    for kind in kinds:
        for option in options:
            if text(option, "kind") == kind:
                return text(option, "optionId")
    return None


def _values(field: object) -> list[tuple[object, str]]:
    """Returns what a field can hold, as values and labels; empty for free text."""
    if text(field, "type") == "boolean":
        return [(True, _YES), (False, _NO)]
    one = table(field, "items") if text(field, "type") == "array" else table(field)
    titled = [
        (entry.get("const"), text(entry, "title") or str(entry.get("const")))
        for entry in (*rows(one, "oneOf"), *rows(one, "anyOf"))
    ]
    plain = one.get("enum")
    return titled or [(value, str(value)) for value in (plain if isinstance(plain, list) else [])]
