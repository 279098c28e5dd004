"""`fairtrial heldout`: look after a set of held-out checks."""

import json
from pathlib import Path
from typing import Annotated

import typer
from attrs import asdict

from fairtrial_suite_heldout.companions import RETIRE_AFTER, Companions
from fairtrial_suite_heldout.keeping import Keeper
from fairtrial_suite_heldout.lock import NAME
from fairtrial_suite_heldout.place import worktree

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True, help=__doc__)

Directory = Annotated[
    Path, typer.Option("--heldout", metavar="DIR", help="The set's directory; never a default.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def add(
    heldout: Directory,
    family: Annotated[
        str, typer.Option("--family", metavar="NAME", help="The tasks that it grades.")
    ],
    check: Annotated[
        Path, typer.Option("--check", metavar="FILE", help="A test with inputs of its own.")
    ],
) -> None:
    """Copy a check into the set, to be scored for a family from now on."""
    added = _keeper(heldout).add(family, check)
    version = _keeper(heldout).read().version
    typer.echo(f"added {added.id} as {added.file}; the set is at version {version}")


@app.command("list")
def list_all(heldout: Directory, as_json: AsJson = False) -> None:
    """List every check there has ever been."""
    found = _keeper(heldout).read()
    if as_json:
        typer.echo(json.dumps([asdict(each) for each in found.checks], indent=2))
        return
    for each in found.checks:
        state = "retired" if each.retired else f"{each.decisions} of {RETIRE_AFTER} decisions"
        typer.echo(f"{each.id}  {each.family}  {each.file}  {state}  {each.added}")
    typer.echo(f"version {found.version}, {len(found.checks)} checks", err=True)


@app.command()
def retire(
    heldout: Directory, check: Annotated[str, typer.Argument(metavar="ID", help="Its id.")]
) -> None:
    """Take a check out of use, so that its family can be given another one."""
    after = _keeper(heldout).retire(check)
    typer.echo(f"retired {check}; the set is at version {after.version}")


@app.command()
def status(heldout: Directory, as_json: AsJson = False) -> None:
    """Say which families have a check, and for how long."""
    found = _keeper(heldout).read()
    locked = (heldout / NAME).exists()
    if as_json:
        families = [_row(found, family) for family in _families(found)]
        whole = {"version": found.version, "locked": locked, "families": families}
        typer.echo(json.dumps(whole, indent=2))
        return
    for family in _families(found):
        active = found.active(family)
        said = "none: add one"
        if active is not None:
            said = f"{active.id}  {RETIRE_AFTER - active.decisions} decisions left"
        typer.echo(f"{family}  {said}")
    typer.echo(f"version {found.version}{', locked' if locked else ''}", err=True)


def _families(found: Companions) -> list[str]:
    return list(dict.fromkeys(each.family for each in found.checks))


def _row(found: Companions, family: str) -> dict[str, object]:
    active = found.active(family)
    return {
        "family": family,
        "check": None if active is None else active.id,
        "decisions_left": None if active is None else RETIRE_AFTER - active.decisions,
    }


def _keeper(directory: Path) -> Keeper:
    return Keeper(directory=directory.absolute(), root=worktree())
