"""The options that several commands share, said once."""

import enum
from pathlib import Path
from typing import Annotated

import typer

from fairtrial.api.errors import ConfigError

RUNS = Path("runs")
"""The parent of run directories, unless `--out` names another."""


class LogForm(enum.StrEnum):
    """How logs and progress are written."""

    TEXT = "text"
    JSON = "json"
    QUIET = "quiet"


JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON on stdout, nothing else.")]
VerboseFlag = Annotated[
    bool, typer.Option("--verbose", "-v", help="Say more: stages of trials, tracebacks.")
]
ConfigFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--config", "-c", metavar="FILE", help="Another config file; later ones win. Repeatable."
    ),
]
Log = Annotated[
    LogForm, typer.Option("--log", help="How logs and progress are written to stderr.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Set one key, as in run.jobs=4 or solvers.mine.argv=['a','b']. Repeatable.",
    ),
]
Only = Annotated[
    str | None, typer.Option("--only", metavar="ID,…", help="Only these tasks, by id.")
]


def reporters_asked(names: list[str] | None, *, as_json: bool) -> tuple[str, ...]:
    """
    Returns the reporters that a command line names; `--json` stands for one of them.

    Raises:
        ConfigError: It names others beside `--json`, of which nothing would be seen.
    """
    others = [name for name in names or () if name != "json"]
    if as_json and others:
        raise ConfigError(
            problem=f"--json prints the JSON document alone, so that --reporter {others[0]} is in vain",
            way_on="leave one of the two out; `--reporter json` writes the document beside others",
        )
    return ("json",) if as_json else tuple(names or ())


def listed(text: str | None, flag: str) -> tuple[str, ...]:
    """
    Returns the parts of `a,b`, blanks stripped, empty ones left out; none where it wasn't given.

    Raises:
        ConfigError: It was given and names nothing, as a variable that isn't set does: that must
            not stand for everything.
    """
    parts = tuple(part for part in (piece.strip() for piece in (text or "").split(",")) if part)
    if text is not None and not parts:
        raise ConfigError(
            problem=f"{flag} names nothing: “{text}”",
            way_on=f"write such as {flag} first,second, or leave it out",
        )
    return parts
