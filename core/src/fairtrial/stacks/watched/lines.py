"""Reading reports of one JSON object a line, as our own runners write them."""

import json
from collections.abc import Iterator

from fairtrial.stacks.watched.outcome import Account, Seen


def objects(text: str) -> Iterator[dict[str, object]]:
    """Yields the objects of a text; a line that is none is left out."""
    for line in text.split("\n"):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def account(text: str) -> Account:
    """
    Reads what `runner.py` writes.

    It is whole only where its last line, and no other, says that this was all, and how many lines
    there were.
    """
    seen = []
    ends: list[object] = []
    for value in objects(text):
        if "end" in value:
            ends.append(value["end"])
        else:
            seen.append(_seen(value))
    return Account(seen=seen, whole=ends == [len(seen)] and text.count("\n") == len(seen) + 1)


def _seen(value: dict[str, object]) -> Seen:
    passed = value.get("passed")
    return Seen(
        name=str(value.get("name", "")),
        passed=passed if isinstance(passed, bool) else None,
        note=str(value.get("note", "")),
        solo=value.get("solo") is True,
    )
