"""The four ways in which a plugin can't be used, as errors that know their parts."""

import importlib
import sys
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path

from attrs import evolve

from fairtrial.api.errors import PluginAmbiguous, PluginBroken, PluginMissing, PluginRefused
from fairtrial.config import CONTROL_ARMS
from fairtrial.registry.discover import Found, Installed
from fairtrial.serial.wording import nearest

_NUMBERS = {2: "two", 3: "three", 4: "four"}


def missing(
    kind: str, name: str, *, asked_in: str, in_table: bool, tables: Sequence[str], here: Installed
) -> PluginMissing:
    """No installed distribution provides it."""
    installed = here.of(kind)
    names = [found.name for found in installed]
    near = nearest(name, [*names, *tables])
    written = ", ".join(each for each in tables if each not in CONTROL_ARMS)
    damaged = [f"{each.distribution}: {each.because}" for each in here.damaged]
    install = f"install the distribution that provides “{name}”"
    if not near:
        way_on = f"{install}; `fairtrial plugins list` shows what there is"
    elif in_table:
        way_on = f'write plugin = "{near}" in that table, or {install}'
    else:
        way_on = f"write “{near}” there, or {install}"
    return PluginMissing(
        kind=kind,
        name=name,
        problem=f"no {kind} plugin called “{name}” is installed",
        facts=(
            ("asked for in", asked_in),
            *((("tables here", written),) if written and not in_table else ()),
            ("installed", _listing(installed) or "none"),
            *((("damaged", "\n".join(damaged)),) if damaged else ()),
            *((("nearest", near),) if near else ()),
        ),
        way_on=way_on,
    )


def _listing(installed: Iterable[Found]) -> str:
    rows = [(found.name, found.provider) for found in installed]
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join(f"{name:<{width}}   {provider}" for name, provider in rows)


def broken(found: Found, error: BaseException) -> PluginBroken:
    """Importing it failed."""
    return PluginBroken(
        kind=found.kind,
        name=found.name,
        problem=f"{found.kind} “{found.name}” is installed but can't be loaded",
        facts=(
            ("provided by", found.place),
            ("because", f"{type(error).__name__}: {error}".rstrip(": ")),
            ("which is", _which_is(found, error)),
        ),
        way_on="reinstall it with its dependencies; "
        f"`fairtrial plugins check {found.name}` shows more",
    )


def closer(error: PluginBroken) -> PluginBroken:
    """Returns the error with the line that raised, for whoever asked about this plugin alone."""
    place = _raised_at(error.__cause__)
    return evolve(
        error,
        facts=(*error.facts, ("raised at", place)) if place else error.facts,
        way_on="reinstall it with its dependencies; -v shows the whole traceback",
    )


def _raised_at(cause: BaseException | None) -> str:
    """Returns the line of the plugin, or of what it imports; empty where it was never reached."""
    if isinstance(cause, SyntaxError):
        return f"{cause.filename}, line {cause.lineno}"
    frames = [] if cause is None else traceback.extract_tb(cause.__traceback__)
    last = next((each for each in reversed(frames) if not each.filename.startswith("<")), None)
    if last is None or Path(last.filename).is_relative_to(Path(importlib.__file__).parent):
        return ""
    return f"{last.filename}, line {last.lineno}"


def _which_is(found: Found, error: BaseException) -> str:
    """Tells a plugin that isn't there from one that lacks something: dbt's test of `exc.name`."""
    match = found.entry_point.pattern.match(found.entry_point.value)
    if match is None:
        return f"what becomes of its entry point “{found.entry_point.value}”: not module:Class"
    module = match["module"]
    if isinstance(error, ImportError) and error.name:
        own = error.name.partition(".")[0] == module.partition(".")[0]
        if isinstance(error, ModuleNotFoundError):
            return (
                "a part of the plugin itself, which is only half installed"
                if own
                else "a dependency of that plugin, not the plugin itself"
            )
        return (
            "a fault of the plugin itself"
            if own
            else "a dependency of that plugin, in a version that it doesn't fit"
        )
    # A module whose own import failed is taken out again; one that stayed lacks the name.
    if isinstance(error, AttributeError) and module in sys.modules:
        return "a name that the plugin's entry point promises and its module doesn't have"
    return "raised while the plugin was imported, before it was asked for anything"


def ambiguous(matches: Sequence[Found], *, asked_in: str) -> PluginAmbiguous:
    """More than one distribution provides it."""
    first = matches[0]
    count = _NUMBERS.get(len(matches), str(len(matches)))
    return PluginAmbiguous(
        kind=first.kind,
        name=first.name,
        problem=f"{count} plugins are installed as {first.kind} “{first.name}”",
        facts=(
            ("asked for in", asked_in),
            ("provided by", "\n".join(found.place for found in matches)),
        ),
        way_on="uninstall all but one of these distributions",
    )


def refused(found: Found, because: Sequence[str]) -> PluginRefused:
    """It loads, but is not what its kind asks for."""
    return PluginRefused(
        kind=found.kind,
        name=found.name,
        problem=f"{found.kind} “{found.name}” is installed but can't be used as a {found.kind}",
        facts=(("provided by", found.place), ("because", "\n".join(because))),
        way_on=f"tell its author; `fairtrial plugins check {found.name}` shows more",
    )


def unbuildable(found: Found, heading: str, source: str, error: BaseException) -> PluginRefused:
    """Its own constructor fails on a table in which nothing is wrong with any key."""
    return PluginRefused(
        kind=found.kind,
        name=found.name,
        problem=f"{found.kind} “{found.name}” can't be built from {heading}",
        facts=(
            ("written in", source),
            ("provided by", found.place),
            ("because", f"{type(error).__name__}: {error}".rstrip(": ")),
        ),
        way_on="tell its author; run again with -v for the traceback",
    )
