"""`fairtrial plugins`: list, show, check and begin plugins."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fairtrial.cli.options import JsonFlag, VerboseFlag
from fairtrial.cli.streams import emit, is_terminal, note, results

if TYPE_CHECKING:
    from fairtrial.conformance import Outcome
    from fairtrial.registry import Found

app = typer.Typer(
    rich_markup_mode=None, add_completion=False, help="List, show, check and begin plugins."
)

FAILED = 1

Kind = Annotated[
    str | None, typer.Option("--kind", metavar="KIND", help="Only this kind, such as solver.")
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The plugin's name.")]


@app.command(name="list")
def list_plugins(kind: Kind = None, as_json: JsonFlag = False) -> None:
    """List what is installed; nothing is imported."""
    from fairtrial.cli.kinds import refuse_unknown_kind
    from fairtrial.figures.markdown import cell, table
    from fairtrial.registry import scan

    if kind is not None:
        refuse_unknown_kind(kind)
    installed = scan()
    found = [each for each in installed.plugins if kind in {None, each.kind}]
    if as_json:
        _emit_json([_described(each) for each in found])
        return
    rows = [
        (each.kind, cell(each.name), cell(each.distribution), cell(each.version) or "–")
        for each in found
    ]
    emit(table(("Kind", "Name", "Distribution", "Version"), rows))
    for damaged in installed.damaged:
        note(f"{damaged.distribution} is damaged: {damaged.because}")


@app.command()
def show(name: Name, kind: Kind = None, as_json: JsonFlag = False) -> None:
    """Show a plugin's config keys: what each takes, its default, what it means."""
    from fairtrial.config.document import field_docs, summary
    from fairtrial.registry import load, plugin_page
    from fairtrial.serial import shape

    asked_in = "fairtrial plugins show"
    found = _named(name, kind, asked_in)
    if as_json:
        classes = [(each, load(each.kind, name, asked_in=asked_in)) for each in found]
        _emit_json(
            [
                {
                    **_described(each),
                    "summary": summary(cls),
                    "config": shape(cls, field_docs(cls)),
                }
                for each, cls in classes
            ]
        )
        return
    for each in found:
        text = plugin_page(each.kind, name, asked_in=asked_in)
        text += f"\n{'An' if each.kind[0] in 'aeiou' else 'A'} {each.kind}, of {each.place}\n"
        if is_terminal(results()):
            from fairtrial.cli.render import rendered, width

            text = rendered(text, width=width())
        emit(text)


@app.command()
def check(
    name: Name,
    kind: Kind = None,
    as_json: JsonFlag = False,
    verbose: VerboseFlag = False,  # noqa: ARG001 - read by `dispatch`
) -> int:
    """
    Put a plugin to its kit, as its author's tests do; exit with 1 if it breaks a promise.

    The plugin is built with its default fields.
    """
    failed = 0
    rows = []
    for each in _named(name, kind, "fairtrial plugins check"):
        for outcome in _checked(each):
            failed += outcome.passed is False
            rows.append(
                {
                    "kind": each.kind,
                    "test": outcome.name,
                    "passed": outcome.passed,
                    "why": outcome.why,
                }
            )
            if not as_json:
                emit(_line(outcome.name, outcome.passed, outcome.why))
    if as_json:
        _emit_json(rows)
    unjudged = sum(row["passed"] is None for row in rows)
    besides = f", {unjudged} not judged" if unjudged else ""
    note(f"{len(rows) - unjudged} promises checked, {failed} broken{besides}")
    return FAILED if failed else 0


@app.command()
def new(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="Such as solver or meter.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name in a config.")],
    folder: Annotated[
        Path | None,
        typer.Option("--dir", metavar="DIR", help="Where; by default a new folder here."),
    ] = None,
) -> None:
    """Begin a plugin: a distribution of its own that installs, runs and keeps its kit's promises."""
    from fairtrial.cli.kinds import refuse_taken, refuse_unknown_kind
    from fairtrial.conformance.skeleton import new_plugin

    refuse_unknown_kind(kind)
    refuse_taken(kind, name)
    paths = new_plugin(kind, name, folder)
    for path in paths:
        emit(f"{path}\n")
    top = min(paths, key=lambda path: len(path.parts)).parent
    note(
        f"install it with   pip install -e {top}   (uv pip install, where uv made the environment),"
        f" then   fairtrial plugins check {name}"
    )


def _named(name: str, kind: str | None, asked_in: str) -> "Sequence[Found]":
    """Returns the installed plugins of that name; raises what a config would raise for none."""
    from fairtrial.cli.kinds import none_of_any_kind, refuse_unknown_kind
    from fairtrial.registry import load, scan

    if kind is not None:
        refuse_unknown_kind(kind)
    here = scan()
    found = [each for each in here.plugins if each.name == name and kind in {None, each.kind}]
    if not found and kind is None:
        raise none_of_any_kind(name, asked_in, here)
    if not found:
        load(str(kind), name, asked_in=asked_in, installed=here)
    return found


def _checked(found: "Found") -> "Iterable[Outcome]":
    from fairtrial.api.errors import PluginBroken
    from fairtrial.conformance import self_check
    from fairtrial.registry.errors import closer

    try:
        return self_check(found.kind, found.name)
    except PluginBroken as error:
        raise closer(error) from error.__cause__


def _line(test: str, passed: bool | None, why: str) -> str:
    from fairtrial.figures.markdown import safe

    mark = {True: "ok     ", False: "BROKEN ", None: "–      "}[passed]
    sentence = test.removeprefix("test_").replace("_", " ")
    return f"{mark} {sentence}" + (f": {safe(why, limit=300)}" if why else "") + "\n"


def _described(found: "Found") -> dict[str, object]:
    return {
        "kind": found.kind,
        "name": found.name,
        "distribution": found.distribution,
        "version": found.version,
        "entry_point": found.entry_point.value,
    }


def _emit_json(value: object) -> None:
    emit(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
