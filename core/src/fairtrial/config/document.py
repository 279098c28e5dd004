"""What each field of a class means, read from its docstrings."""

import ast
import inspect
import re
import textwrap
from collections.abc import Mapping
from itertools import pairwise

import attrs

_ENTRY = re.compile(r"(?P<name>\w+)(?: \([^)]*\))?: (?P<text>.*)")


def field_docs(cls: type) -> Mapping[str, str]:
    """
    Returns a sentence or more for each field that has any, on one line.

    Read are the `Attributes:` section of the class's docstring, and strings right below fields.
    """
    found: dict[str, str] = {}
    # A field may be inherited, and then its docstring stands in the class that has it.
    for each in reversed([base for base in cls.__mro__ if attrs.has(base)]):
        found |= {**_below_fields(each), **_attributes_section(inspect.getdoc(each) or "")}
    return {
        name: found[name] for name in (each.name for each in attrs.fields(cls)) if name in found
    }


def summary(cls: type) -> str:
    """Returns the first paragraph of a class's docstring, on one line."""
    return " ".join((inspect.getdoc(cls) or "").partition("\n\n")[0].split())


def _attributes_section(docstring: str) -> dict[str, str]:
    _, _, rest = f"\n{docstring}".partition("\nAttributes:\n")
    section = re.split(r"\n(?=\S)", rest)[0]
    found: dict[str, str] = {}
    name = ""
    for line in textwrap.dedent(section).splitlines():
        entry = _ENTRY.fullmatch(line)
        if entry:
            name = entry["name"]
            found[name] = entry["text"]
        elif name and line.strip():
            found[name] += f" {line.strip()}"
    return found


def _below_fields(cls: type) -> dict[str, str]:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
    except (OSError, TypeError, SyntaxError):
        return {}
    body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
    found: dict[str, str] = {}
    for above, below in pairwise(body):
        if (
            isinstance(above, ast.AnnAssign)
            and isinstance(above.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
            and isinstance(below.value.value, str)
        ):
            found[above.target.id] = " ".join(below.value.value.split())
    return found
