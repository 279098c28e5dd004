"""The checks of a plugin's form: its class, its fields, and what they give away."""

import ast
import importlib
import inspect
import re
import textwrap
import tomllib
from collections.abc import Mapping

import attrs

from fairtrial.api import ConfigError
from fairtrial.conformance.promise import may_only_raise, promise, same, show
from fairtrial.conformance.toml import render
from fairtrial.serial import structure, unstructure

SECRET = re.compile(r"(^|_)(key|token|secret|password)$")
MUTABLE = (list, dict, set, bytearray)
UNKNOWN_KEY = "no_such_key"


def is_frozen(plugin: object) -> None:
    """A plugin is a frozen attrs class, and its fields can only be given by name."""
    cls = type(plugin)
    promise(attrs.has(cls), f"{cls.__name__} is no attrs class")
    promise(cls.__setattr__ is not object.__setattr__, f"{cls.__name__} is not frozen")
    positional = [one.name for one in attrs.fields(cls) if one.init and not one.kw_only]
    promise(not positional, f"fields that can be given by position: {', '.join(positional)}")


def has_members(plugin: object, kind: str) -> None:
    """Each public member of the kind's protocol is there; a method takes what it is called with."""
    protocol = getattr(importlib.import_module(f"fairtrial.api.{kind}"), kind.capitalize())
    for name, member in vars(protocol).items():
        if name.startswith("_") or not (callable(member) or isinstance(member, property)):
            continue
        promise(hasattr(type(plugin), name), f"{type(plugin).__name__} has no {name}")
        if callable(member):
            _takes_the_same(getattr(plugin, name), member, name)


def _takes_the_same(method: object, member: object, name: str) -> None:
    promise(callable(method), f"{name} can't be called")
    count = len(inspect.signature(member).parameters) - 1  # type: ignore[arg-type]  # callable, by the caller
    try:
        inspect.signature(method).bind(*range(count))  # type: ignore[arg-type]  # callable, by the line above
    except TypeError as error:
        promise(False, f"{name} can't be called with {count} arguments: {error}")


def is_explained(plugin: object) -> None:
    """Each field has a docstring: a string below it, or an entry in the class's `Attributes:`."""
    cls = type(plugin)
    body = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
    explained: set[str] = set()
    if isinstance(body, ast.ClassDef):
        explained = {
            _name(one)
            for one, after in zip(body.body, body.body[1:], strict=False)
            if _is_text(after)
        }
    listed = inspect.getdoc(cls) or ""
    missing = [
        one.name
        for one in attrs.fields(cls)
        if one.init and one.name not in explained and f"\n    {one.name}: " not in listed
    ]
    promise(not missing, f"fields without a docstring: {', '.join(missing)}")


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
        again = structure(type(plugin), tomllib.loads(text), where=f"[{kind}s.kit]")
    same(plugin, again, "the plugin changes on its way through a config")


def refuses_unknown_keys(plugin: object, kind: str) -> None:
    """A key that no field has is refused, and the error quotes it."""
    data = {**_table(unstructure(plugin)), UNKNOWN_KEY: 1}
    try:
        structure(type(plugin), data, where=f"[{kind}s.kit]")
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
        one.name
        for one in attrs.fields(type(plugin))
        if SECRET.search(one.name) and one.repr is not False
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
    shared += [one.name for one in attrs.fields(cls) if isinstance(one.default, MUTABLE)]
    promise(not shared, f"changeable values that all instances share: {', '.join(shared)}")
