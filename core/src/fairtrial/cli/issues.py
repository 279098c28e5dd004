"""`fairtrial issues`: put a suite's tasks where agents work, and clear up after them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fairtrial.cli.options import ConfigFiles, Only, Settings, listed
from fairtrial.cli.streams import emit, note

if TYPE_CHECKING:
    from fairtrial.api import Published
    from fairtrial.registry import Builder

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    help="Put a suite's tasks on its forge, and clear away what was delivered there.",
)

Config = Annotated[
    list[Path] | None, typer.Argument(metavar="CONFIG", help="The run config, a TOML file.")
]
SuiteName = Annotated[
    str | None,
    typer.Option("--suite", metavar="NAME", help="This suite, in place of the one in [run]."),
]


@app.command()
def seed(
    config: Config = None,
    files: ConfigFiles = None,
    suite: SuiteName = None,
    only: Only = None,
    settings: Settings = None,
) -> None:
    """
    Put tasks on the forge that aren't there yet.

    May be given again: what is there is left as it is, and a closed issue is opened again.
    """
    from fairtrial.engine.plan import plan

    builder, found = _published(
        (*(config or ()), *(files or ())), suite, listed(only, "--only"), settings
    )
    run = builder.config.run
    _tell(found.publish(plan(found.tasks(), run).tasks), "nothing to do: every task is there")  # type: ignore[attr-defined]  # it is a suite too


@app.command()
def clean(
    config: Config = None,
    files: ConfigFiles = None,
    suite: SuiteName = None,
    settings: Settings = None,
) -> None:
    """
    Close what attempts have delivered there, and delete its branches.

    Only branches that begin with the suite's own prefix are touched.
    """
    _, found = _published((*(config or ()), *(files or ())), suite, (), settings)
    _tell(found.withdraw(), "nothing to do: nothing is open")


def _published(
    files: Sequence[Path], suite: str | None, only: Sequence[str], settings: Sequence[str] | None
) -> "tuple[Builder, Published]":
    from fairtrial.api import ConfigError, Published
    from fairtrial.cli.suites import suite_config, suite_of
    from fairtrial.registry import Builder

    chosen = (f'run.suite="{suite}"',) if suite else ()
    builder = Builder(config=suite_config(files, None, only, (*chosen, *(settings or ()))))
    found = suite_of(builder)
    if not isinstance(found, Published):
        name = builder.config.run.suite
        raise ConfigError(
            problem=f"suite “{name}” has no forge to put tasks on",
            facts=(("plugin", builder.config.table("suites", name).plugin),),
            way_on='name one that has, such as one with plugin = "github", by --suite',
        )
    return builder, found


def _tell(done: Sequence[str], nothing: str) -> None:
    for line in done:
        emit(f"{line}\n")
    if not done:
        note(nothing)
