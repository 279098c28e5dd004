"""Whether a class is what its kind asks for, before anything is built or spent."""

import inspect
from collections.abc import Iterator
from typing import get_args

import attrs

from fairtrial.registry.kinds import Kind, Member, kind_of
from fairtrial.serial import NotPlain, shape
from fairtrial.serial.forms import is_interface


def faults(kind: Kind, plugin: object) -> tuple[str, ...]:
    """
    Returns what keeps an object from being a plugin of a kind; empty for a sound one.

    A plugin is one frozen attrs class whose fields are its config keys, and which has what the
    interface names.
    """
    if not isinstance(plugin, type):
        return (f"it is no class but {_a(type(plugin).__name__)}",)
    if "__attrs_attrs__" not in vars(plugin):
        return ("it is no attrs class: write @frozen(kw_only=True) above it",)
    return (*_form(plugin), *_members(kind, plugin), *_fields(plugin))


def _a(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def _form(plugin: type) -> Iterator[str]:
    if not attrs.inspect(plugin).is_frozen:
        yield "it is an attrs class, but not a frozen one: write @frozen(kw_only=True) above it"
    abstract = sorted(getattr(plugin, "__abstractmethods__", ()))
    if abstract:
        yield f"it is abstract: {', '.join(abstract)}"


def _members(kind: Kind, plugin: type) -> Iterator[str]:
    fields = {field.name for field in attrs.fields(plugin)}
    for member in kind.members:
        if member.arguments is None:
            if member.name not in fields and not hasattr(plugin, member.name):
                yield f"it has no `{member.name}`"
        else:
            yield from _method(plugin, member)


def _method(plugin: type, member: Member) -> Iterator[str]:
    method = getattr(plugin, member.name, None)
    if method is None:
        yield f"it has no method `{member.name}`"
    elif not callable(method):
        yield f"its `{member.name}` is no method"
    elif inspect.iscoroutinefunction(method):
        yield f"its method `{member.name}` is async; interfaces are synchronous"
    elif not _takes(plugin, member):
        yield f"its method `{member.name}` can't be called with {_count(member)}"


def _count(member: Member) -> str:
    return "one argument" if member.arguments == 1 else f"{member.arguments or 'no'} arguments"


def _takes(plugin: type, member: Member) -> bool:
    bound = isinstance(inspect.getattr_static(plugin, member.name), staticmethod | classmethod)
    try:
        signature = inspect.signature(getattr(plugin, member.name))
        signature.bind(*range((member.arguments or 0) + (not bound)))
    except (TypeError, ValueError):
        return False
    return True


def _fields(plugin: type) -> Iterator[str]:
    try:
        shape(plugin)
    except NotPlain as error:
        yield str(error)
        return
    for field in attrs.fields(plugin):
        if field.name == "plugin":
            yield "it has a field `plugin`, a key that every table has already"
        for foreign in _foreign(field.type):
            yield f"its field `{field.name}` is typed with {foreign}, which is no kind of plugin"


def _foreign(wanted: object) -> Iterator[str]:
    if is_interface(wanted) and kind_of(wanted) is None:
        yield getattr(wanted, "__name__", str(wanted))
    for part in get_args(wanted):
        yield from _foreign(part)
