"""Values out of JSON that nobody promises the shape of."""

from collections.abc import Mapping
from typing import cast

Json = Mapping[str, object]

MOST = 10**15
"""No agent uses as many tokens, dollars or milliseconds; a figure above it is nonsense."""


def at(document: object, *path: str) -> object:
    """Returns what stands at a path of keys; None where any of them is missing."""
    for key in path:
        if not isinstance(document, dict):
            return None
        document = document.get(key)
    return document


def table(document: object, *path: str) -> Json:
    """Returns the object at a path; an empty one where there is none."""
    found = at(document, *path)
    return cast("Json", found) if isinstance(found, dict) else {}


def rows(document: object, *path: str) -> list[Json]:
    """Returns the objects of the list at a path; whatever is no object is passed over."""
    found = at(document, *path)
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def text(document: object, *path: str) -> str:
    """Returns the text at a path; an empty one where there is none."""
    found = at(document, *path)
    return found if isinstance(found, str) else ""


def count(document: object, *path: str) -> int | None:
    """Returns the number of things at a path; None where there is none that makes sense."""
    found = at(document, *path)
    sound = isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= MOST
    return cast("int", found) if sound else None


def amount(document: object, *path: str) -> float | None:
    """Returns the amount at a path, such as dollars; None where there is none that makes sense."""
    found = at(document, *path)
    if isinstance(found, bool) or not isinstance(found, int | float):
        return None
    return float(found) if 0 <= found <= MOST else None
