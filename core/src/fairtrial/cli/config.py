"""`fairtrial config`: schema, reference page, and a config as it would be run."""

import json
from pathlib import Path
from typing import Annotated

import typer

from fairtrial.cli.options import ConfigFiles, JsonFlag, Settings
from fairtrial.cli.streams import emit, note

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    help="Describe run configs: schema, reference page, the config as it would be run.",
)

STALE = 1


@app.command()
def schema() -> None:
    """Print the JSON Schema of a run config, with the keys of every installed plugin."""
    from fairtrial.registry import schema as schema_of

    emit(json.dumps(schema_of(), ensure_ascii=False, indent=2) + "\n")


@app.command()
def docs(
    write: Annotated[
        Path | None, typer.Option("--write", metavar="FILE", help="Write the page there.")
    ] = None,
    check: Annotated[
        Path | None,
        typer.Option("--check", metavar="FILE", help="Exit with 1 if that file is stale."),
    ] = None,
) -> int:
    """Print the reference page of all config keys (docs/run-config.md)."""
    from fairtrial.registry import run_config_page

    page = run_config_page()
    if check is not None:
        return _stale(check, page)
    if write is None:
        emit(page)
    else:
        write.write_text(page, encoding="utf-8")
        note(f"wrote {write}")
    return 0


@app.command()
def show(
    config: Annotated[
        list[Path] | None, typer.Argument(metavar="CONFIG", help="The run config, a TOML file.")
    ] = None,
    files: ConfigFiles = None,
    settings: Settings = None,
    as_json: JsonFlag = False,
) -> None:
    """Print a config as it takes effect, each key with where it came from."""
    from fairtrial.config import describe, load

    loaded = load((*(config or ()), *(files or ())), settings or ())
    if not as_json:
        emit(describe(loaded))
        return
    from fairtrial.serial import unstructure

    tables = {
        plural: {name: {"plugin": table.plugin, **table.fields} for name, table in named.items()}
        for plural, named in loaded.tables.items()
        if named
    }
    shown = {"run": unstructure(loaded.run), **tables}
    emit(json.dumps(shown, ensure_ascii=False, indent=2, default=str) + "\n")


def _stale(path: Path, page: str) -> int:
    if path.read_text(encoding="utf-8") == page:
        return 0
    note(f"{path} is stale; `fairtrial config docs --write {path}` renews it")
    return STALE
