"""The checks of a plugin's form: its class, its fields, and what they give away."""

import ast
import inspect
import re
import textwrap
import tomllib
from collections.abc import Mapping
from itertools import pairwise

import attrs

from fairtrial.api import ConfigError
from fairtrial.conformance.promise import may_only_raise, promise, same, show
from fairtrial.conformance.toml import render
from fairtrial.registry import KINDS
from fairtrial.registry.check import faults
from fairtrial.serial import structure, unstructure

SECRET = re.compile(r"(^|_)(key|token|secret|password)$")
MUTABLE = (list, dict, set, bytearray)
UNKNOWN_KEY = "no_such_key"


def is_a_plugin(plugin: object, kind: str) -> None:
    """A plugin is a frozen attrs class that has what its kind's interface names."""
    because = faults(KINDS[kind], type(plugin))
    promise(not because, f"{type(plugin).__name__} is no {kind}: {'; '.join(because)}")


def is_built_by_name(plugin: object) -> None:
    """Fields can only be given by name, as a config gives them."""
    positional = [one.name for one in _fields(plugin) if one.init and not one.kw_only]
    promise(not positional, f"fields that can be given by position: {', '.join(positional)}")


def _fields(plugin: object) -> "tuple[attrs.Attribute[object], ...]":
    cls = type(plugin)
    return attrs.fields(cls) if attrs.has(cls) else ()


def is_explained(plugin: object) -> None:
    """Each field has a docstring: a string below it, or an entry in the class's `Attributes:`."""
    cls = type(plugin)
    explained: set[str] = set()
    for base in filter(attrs.has, cls.__mro__):
        explained |= _explained_in(base)
    missing = [one.name for one in _fields(plugin) if one.init and one.name not in explained]
    promise(not missing, f"fields without a docstring: {', '.join(missing)}")


def _explained_in(cls: type) -> set[str]:
    body = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
    statements = body.body if isinstance(body, ast.ClassDef) else []
    below = {_name(one) for one, after in pairwise(statements) if _is_text(after)}
    listed = re.findall(r"^ {4}(\w+): ", inspect.getdoc(cls) or "", re.MULTILINE)
    return below | set(listed)


def _name(node: ast.stmt) -> str:
    return (
        node.target.id
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        else ""
    )


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def goes_round(plugin: object, kind: str) -> None:
    """The plugin's fields, written as TOML and read again, build an equal plugin."""
    text = render(_table(unstructure(plugin)))
    with may_only_raise(words="its fields must be readable from TOML"):
        again = structure(type(plugin), tomllib.loads(text), where=f"[{KINDS[kind].plural}.kit]")
    same(plugin, again, "the plugin changes on its way through a config")


def refuses_unknown_keys(plugin: object, kind: str) -> None:
    """A key that no field has is refused, and the error quotes it."""
    data = {**_table(unstructure(plugin)), UNKNOWN_KEY: 1}
    try:
        structure(type(plugin), data, where=f"[{KINDS[kind].plural}.kit]")
    except ConfigError as error:
        told = f"{error.problem} {error.facts}"
        promise(UNKNOWN_KEY in told, f"the error doesn't name the unknown key: {error.problem}")
    else:
        promise(False, f"the unknown key {UNKNOWN_KEY} was swallowed")


def _table(data: object) -> Mapping[str, object]:
    promise(isinstance(data, Mapping), f"its fields are no table: {show(data)}")
    return data if isinstance(data, Mapping) else {}


def hides_secrets(plugin: object) -> None:
    """A field named like a secret has `repr=False`."""
    shown = [
        one.name for one in _fields(plugin) if SECRET.search(one.name) and one.repr is not False
    ]
    promise(not shown, f"fields that are shown although they name a secret: {', '.join(shown)}")


def shares_nothing(plugin: object) -> None:
    """Neither the class nor a field's default holds a list, dict or set."""
    cls = type(plugin)
    shared = [
        name
        for base in cls.__mro__[:-1]
        for name, value in vars(base).items()
        if not name.startswith("__") and isinstance(value, MUTABLE)
    ]
    shared += [one.name for one in _fields(plugin) if isinstance(one.default, MUTABLE)]
    promise(not shared, f"changeable values that all instances share: {', '.join(shared)}")
