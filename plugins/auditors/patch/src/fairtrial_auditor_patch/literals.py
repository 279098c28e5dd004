"""Literal values in tests and in conditionals, in one spelling for all tool chains."""

import ast
import re
from collections.abc import Iterator

from attrs import frozen
from fairtrial.stacks.syntax import parsed

from fairtrial_auditor_patch.files import stack_of

LEAST_TEXT = 4
"""Letters that a text must have to be told from chance."""

LEAST_NUMBER = 100
"""From here on a whole number is told from chance; a fraction always is."""

_LITERAL = r"""(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`[^`$\n]*`|-?\d[\d_]*(?:\.\d+)?)"""
_ANY = re.compile(_LITERAL)
_COMPARED = re.compile(
    rf"(?:[=!]==?\s*|\bcase\s+|\.equals\(\s*)({_LITERAL})|({_LITERAL})\s*(?:===?|=>)"
)
_RETURNED = re.compile(rf"\breturn\s+({_LITERAL})|=>\s*\{{?\s*({_LITERAL})")
_NEAR = 160


@frozen(order=True)
class Condition:
    """
    A value that a program compares with, and what it answers then, where that is a literal too.

    Attributes:
        value: The value, spelt as `spelt` spells it.
        answer: The answer; empty where it is no literal.
    """

    value: str
    answer: str = ""


def in_text(path: str, text: str) -> frozenset[str]:
    """Returns every literal of a text that could not be there by chance."""
    if stack_of(path) == "python" and (tree := parsed(text)):
        found = (_spelt(node) for node in ast.walk(tree))
        return frozenset(one for one in found if one)
    return frozenset(filter(None, map(_plain, _ANY.findall(text))))


def answers_in(path: str, text: str) -> frozenset[str]:
    """Returns every literal of a text, those that may be there by chance, too."""
    if stack_of(path) == "python" and (tree := parsed(text)):
        found = (_spelt(node, any_at_all=True) for node in ast.walk(tree))
        return frozenset(one for one in found if one)
    return frozenset(filter(None, (_plain(one, any_at_all=True) for one in _ANY.findall(text))))


def conditions(path: str, text: str) -> frozenset[Condition]:
    """Returns the literals that a program compares with, with what it answers."""
    if stack_of(path) == "python":
        tree = parsed(text)
        return frozenset(_conditions(tree)) if tree else frozenset()
    return frozenset(_matched(text))


def _spelt(node: ast.AST, *, any_at_all: bool = False) -> str:
    if not isinstance(node, ast.Constant | ast.UnaryOp | ast.List | ast.Tuple):
        return ""
    try:
        value: object = ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError, MemoryError):
        return ""
    return _told(value, any_at_all=any_at_all)


def _told(value: object, *, any_at_all: bool) -> str:
    if isinstance(value, list | tuple):
        parts = [_told(one, any_at_all=True) for one in value]
        return f"[{', '.join(parts)}]" if len(parts) > 1 and all(parts) else ""
    if isinstance(value, str):
        return repr(value) if any_at_all or len(value) >= LEAST_TEXT else ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return repr(value) if any_at_all and value is not Ellipsis else ""
    if any_at_all or abs(value) >= LEAST_NUMBER or value != int(value):
        return repr(float(value))
    return ""


def _plain(token: str, *, any_at_all: bool = False) -> str:
    if token[0] in "\"'`":
        return _told(token[1:-1], any_at_all=any_at_all)
    try:
        return _told(float(token.replace("_", "")), any_at_all=any_at_all)
    except (ValueError, OverflowError):
        return ""


def _conditions(tree: ast.Module) -> Iterator[Condition]:
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.IfExp):
            answer = _answer(node)
            for value in _compared(node.test):
                yield Condition(value, answer)
        elif isinstance(node, ast.match_case):
            answer = _first_returned(node.body)
            values = (_spelt(part) for part in ast.walk(node.pattern))
            yield from (Condition(value, answer) for value in values if value)
        elif isinstance(node, ast.Dict):
            yield from _entries(node)


def _compared(test: ast.AST) -> Iterator[str]:
    for node in ast.walk(test):
        if not isinstance(node, ast.Compare):
            continue
        for side in (node.left, *node.comparators):
            if value := _spelt(side):
                yield value
            if isinstance(side, ast.List | ast.Tuple | ast.Set):
                yield from filter(None, map(_spelt, side.elts))


def _entries(table: ast.Dict) -> Iterator[Condition]:
    for key, value in zip(table.keys, table.values, strict=True):
        spelt = _spelt(key) if key is not None else ""
        answer = _spelt(value, any_at_all=True)
        if spelt and answer:
            yield Condition(spelt, answer)


def _answer(node: ast.If | ast.IfExp) -> str:
    if isinstance(node, ast.IfExp):
        return _spelt(node.body, any_at_all=True)
    return _first_returned(node.body)


def _first_returned(body: list[ast.stmt]) -> str:
    for statement in body:
        if isinstance(statement, ast.Return | ast.Assign) and statement.value is not None:
            return _spelt(statement.value, any_at_all=True)
    return ""


def _matched(text: str) -> Iterator[Condition]:
    for match in _COMPARED.finditer(text):
        value = _plain(match[1] or match[2])
        if not value:
            continue
        said = _RETURNED.search(text, match.start(), match.end() + _NEAR)
        answer = _plain(said[1] or said[2], any_at_all=True) if said else ""
        yield Condition(value, answer)
