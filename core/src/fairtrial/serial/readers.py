"""How one value of a record is read and written: the parts that the converter is made of."""

import enum
import sys
from collections.abc import Callable, Mapping
from types import NoneType
from typing import cast, get_args

import attrs
from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn, override

from fairtrial.api.record import RunRecord, Trial
from fairtrial.api.trajectory import BaseEvent, Event, OtherEvent
from fairtrial.api.verdict import Check
from fairtrial.serial.forms import is_enum, is_mapping, is_union, origin

Hook = Callable[[object, object], object]
Writer = Callable[[object], object]

_PLAIN = (str, int, float, bool, object)
_NAMES: Mapping[type, tuple[str, ...]] = {Trial: ("task", "digest", "family", "solver")}
"""Texts of which a journal repeats few over and over: each is kept once, and compared quickly."""

_SHARED = (Check,)
"""Small frozen values of which a journal repeats few over and over: each is made once."""

_SHARED_AT_MOST = 10_000

_ALWAYS_WRITTEN = {RunRecord: "schema"}
"""A record that left out its version would be read as one of the reader's version."""


def install(converter: Converter) -> None:
    """Registers everything below with a converter."""
    converter.register_structure_hook_func(lambda wanted: wanted is object, lambda value, _: value)
    converter.register_structure_hook_factory(_is_optional, _optional_reader)
    converter.register_structure_hook_factory(_is_run_of_one_type, _tuple_reader)
    converter.register_structure_hook_factory(attrs.has, _class_reader)
    converter.register_structure_hook_factory(lambda wanted: wanted == Event, _event_reader)
    converter.register_unstructure_hook_factory(attrs.has, _class_writer)
    converter.register_unstructure_hook_factory(_is_event, _event_writer)


def _is_plain(wanted: object) -> bool:
    """Whether JSON gives a value of the type as it is, so that nothing is to be done."""
    if is_union(wanted):
        return all(part is NoneType or part in _PLAIN for part in get_args(wanted))
    if is_mapping(wanted):
        return all(part in _PLAIN for part in get_args(wanted))
    return wanted in _PLAIN


def _class_reader(cls: type, converter: Converter) -> Hook:
    """
    Makes the reader of one class.

    Only fields that JSON does not give as they are cost a step each, and a field that is not
    known is looked for only when the constructor complains: a third quicker than one test a field.
    """
    fields = attrs.fields(attrs.resolve_types(cls))
    names = {field.name for field in fields if field.init}
    steps = [
        (field.name, field.type, _reader_of(field.type, converter))
        for field in fields
        if field.init and not _is_plain(field.type)
    ]

    interned = _NAMES.get(cls, ())
    made_as = _thawed(cls)

    def read(data: dict[str, object], _: object) -> object:
        for name, wanted, step in steps:
            if name in data:
                data[name] = step(data[name], wanted)
        for name in interned:
            if name in data:
                data[name] = sys.intern(cast("str", data[name]))
        try:
            made = made_as(**data)
        except TypeError:
            known = {name: value for name, value in data.items() if name in names}
            if len(known) == len(data):
                raise
            made = made_as(**known)
        made.__class__ = cls
        return made

    return _sharing(cast("Hook", read)) if cls in _SHARED else cast("Hook", read)


def _thawed(cls: type) -> type:
    """
    Returns what makes an object that may then take the given class, three times as quickly.

    The constructor of a frozen class sets each field by a call. That of a subclass which isn't
    frozen sets it by an instruction; as it adds no slot, its objects are laid out alike.
    """
    if "__setattr__" not in vars(cls):
        return cls
    own = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__, "__slots__": ()}
    return attrs.define(type(cls.__name__, (cls,), own), kw_only=True, eq=False, repr=False)


def _sharing(read: Hook) -> Hook:
    """Keeps what was read, by its fields; a journal of 100,000 trials is a tenth quicker so."""
    known: dict[tuple[tuple[str, object], ...], object] = {}

    def shared(data: object, wanted: object) -> object:
        key = tuple(cast("dict[str, object]", data).items())
        if (one := known.get(key)) is None:
            if len(known) > _SHARED_AT_MOST:
                known.clear()
            one = known[key] = read(data, wanted)
        return one

    return shared


def _class_writer(cls: type, converter: Converter) -> Writer:
    kept = (
        {_ALWAYS_WRITTEN[cls]: override(omit_if_default=False)} if cls in _ALWAYS_WRITTEN else {}
    )
    attrs.resolve_types(cls)
    return cast(
        "Writer",
        make_dict_unstructure_fn(cls, converter, _cattrs_omit_if_default=True, **kept),  # type: ignore[arg-type]  # fields only
    )


def _enum_reader(cls: type[enum.Enum]) -> Hook:
    members = {member.value: member for member in cls}

    def read(value: object, _: object) -> object:
        try:
            return members[value]
        except KeyError:
            return cls(value)

    return read


def _optional_reader(wanted: object, converter: Converter) -> Hook:
    [part] = [part for part in get_args(wanted) if part is not NoneType]
    read = _reader_of(part, converter)
    return lambda value, _: None if value is None else read(value, part)


def _tuple_reader(wanted: object, converter: Converter) -> Hook:
    part = get_args(wanted)[0]
    if _is_plain(part):
        return lambda value, _: tuple(cast("list[object]", value))
    read = _reader_of(part, converter)
    return lambda value, _: tuple([read(each, part) for each in cast("list[object]", value)])


def _reader_of(wanted: object, converter: Converter) -> Hook:
    if is_enum(wanted):
        # By hand: cattrs would take a StrEnum for a str, and call it.
        return _enum_reader(cast("type[enum.Enum]", wanted))
    return cast("Hook", converter.get_structure_hook(wanted))


def _is_optional(wanted: object) -> bool:
    parts = get_args(wanted)
    return is_union(wanted) and len(parts) == 2 and NoneType in parts  # noqa: PLR2004 - X and None


def _is_run_of_one_type(wanted: object) -> bool:
    return origin(wanted) is tuple and get_args(wanted)[1:] == (Ellipsis,)


def _is_event(wanted: object) -> bool:
    return isinstance(wanted, type) and issubclass(wanted, BaseEvent)


def _event_writer(cls: type, converter: Converter) -> Writer:
    """Puts the tag beside the fields; an event that was not understood is written as it was read."""
    write = _class_writer(cls, converter)

    def tagged(event: object) -> object:
        plain = cast("dict[str, object]", write(event))
        if not isinstance(event, OtherEvent):
            return {"type": cls.type, **plain}  # type: ignore[attr-defined]  # a BaseEvent's
        del plain["kind"]
        return {**cast("dict[str, object]", plain.pop("fields", {})), **plain, "type": event.kind}

    return tagged


def _event_reader(wanted: object, converter: Converter) -> Hook:
    readers = {cls.type: (cls, _class_reader(cls, converter)) for cls in get_args(wanted)}
    del readers[OtherEvent.type]
    own = {"seq", *(field.name for field in attrs.fields(BaseEvent))}
    other = _class_reader(OtherEvent, converter)

    def read(data: dict[str, object], _: object) -> object:
        kind = data.pop("type")
        data.pop("seq", None)  # the line's number, which no event has as a field
        if kind in readers:
            cls, step = readers[cast("str", kind)]
            return step(data, cls)
        fields = {name: value for name, value in data.items() if name not in own}
        rest = {name: value for name, value in data.items() if name in own}
        return other({**rest, "kind": kind, "fields": fields}, OtherEvent)

    return cast("Hook", read)
