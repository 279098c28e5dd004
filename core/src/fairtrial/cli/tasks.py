"""`fairtrial tasks`: list, show and check the tasks of a suite."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fairtrial.cli.numbers import whole
from fairtrial.cli.options import (
    ConfigFiles,
    JsonFlag,
    LogForm,
    Only,
    Settings,
    VerboseFlag,
    listed,
)
from fairtrial.cli.streams import emit

if TYPE_CHECKING:
    from fairtrial.api import Suite, Task

app = typer.Typer(
    rich_markup_mode=None, add_completion=False, help="List, show and check the tasks of a suite."
)

Config = Annotated[
    list[Path] | None, typer.Argument(metavar="CONFIG", help="The run config, a TOML file.")
]
SuitePath = Annotated[
    Path | None,
    typer.Option("--suite-path", metavar="DIR", help="A folder of tasks, in place of a config."),
]


@app.command(name="list")
def list_tasks(
    config: Config = None,
    files: ConfigFiles = None,
    suite_path: SuitePath = None,
    only: Only = None,
    settings: Settings = None,
    as_json: JsonFlag = False,
) -> None:
    """List the tasks: family, tool chain, needs, limit."""
    from fairtrial.figures.markdown import cell, table
    from fairtrial.figures.rates import DASH

    paths = (*(config or ()), *(files or ()))
    _, tasks = _tasks(paths, suite_path, listed(only, "--only"), settings)
    if as_json:
        _emit_json([_described(task) for task in tasks])
        return
    rows = [
        (
            cell(task.id),
            cell(task.family),
            task.stack or DASH,
            cell(", ".join(task.needs)) or DASH,
            f"{task.brief.timeout_s:g}",
            cell(task.quarantine) or DASH,
        )
        for task in tasks
    ]
    emit(table(("Task", "Family", "Stack", "Needs", "Limit s", "Quarantine"), rows, right="llllr"))


@app.command()
def show(  # noqa: PLR0913, PLR0917 - one argument a flag
    task: Annotated[str, typer.Argument(metavar="TASK", help="The task's id.")],
    config: Config = None,
    files: ConfigFiles = None,
    suite_path: SuitePath = None,
    settings: Settings = None,
    hidden: Annotated[
        bool, typer.Option("--hidden", help="Also show the reference, which no solver may see.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Show one task as a solver sees it, and what the engine knows of it."""
    from fairtrial.cli.taskpage import page

    # `list` and `check` take the config first, so that many will write it first here, too.
    if task.endswith(".toml") and config:
        task, config = str(config[-1]), [Path(task), *config[:-1]]
    paths = (*(config or ()), *(files or ()))
    suite, (found,) = _tasks(paths, suite_path, (task,), settings, only_from="the argument TASK")
    reference = _reference(suite, found) if hidden else None
    if as_json:
        shown = _described(found) | {"prompt": found.brief.prompt}
        _emit_json(shown if reference is None else shown | {"reference": reference})
    else:
        emit(page(found, reference))


@app.command()
def check(  # noqa: PLR0913, PLR0917 - one argument a flag
    config: Config = None,
    files: ConfigFiles = None,
    suite_path: SuitePath = None,
    only: Only = None,
    settings: Settings = None,
    static: Annotated[
        bool, typer.Option("--static", help="Only what can be seen without running a check.")
    ] = False,
    repeat: Annotated[
        int,
        typer.Option(
            "--repeat",
            parser=whole("--repeat"),
            metavar="N",
            help="Try each oracle N times, to find flaky ones.",
        ),
    ] = 1,
    jobs: Annotated[
        int,
        typer.Option("--jobs", "-j", parser=whole("--jobs"), metavar="N", help="Tasks at once."),
    ] = 1,
    as_json: JsonFlag = False,
    verbose: VerboseFlag = False,
) -> int:
    """
    Check every rule of each task; exit with 1 if any is broken.

    The bare tree must fail its checks, and the reference must pass them and stay in scope.
    """
    from fairtrial.cli.log import configure
    from fairtrial.cli.suites import suite_config
    from fairtrial.cli.taskcheck import Inspection

    configure(LogForm.TEXT, verbose=verbose)
    paths = (*(config or ()), *(files or ()))
    chosen = suite_config(paths, suite_path, listed(only, "--only"), settings or ())
    inspection = Inspection(config=chosen, repeat=repeat, jobs=jobs)
    return inspection.run(static=static, as_json=as_json)


def _tasks(
    paths: Sequence[Path],
    folder: Path | None,
    only: Sequence[str],
    settings: Sequence[str] | None,
    *,
    only_from: str = "--only",
) -> "tuple[Suite, tuple[Task, ...]]":
    from fairtrial.cli.suites import suite_config, suite_of
    from fairtrial.engine.plan import plan
    from fairtrial.registry import Builder

    config = suite_config(paths, folder, only, settings or (), only_from=only_from)
    suite = suite_of(Builder(config=config))
    return suite, plan(suite.tasks(), config.run, only_in=config.asked_in("only")).tasks


def _described(task: "Task") -> dict[str, object]:
    return {
        "id": task.id,
        "family": task.family,
        "stack": task.stack,
        "needs": list(task.needs),
        "timeout_s": task.brief.timeout_s,
        "digest": task.digest,
        "protected": list(task.protected),
        "allowed": None if task.allowed is None else list(task.allowed),
        "questions_expected": task.questions_expected,
        "submission_expected": task.submission_expected,
        "quarantine": task.quarantine,
    }


def _reference(suite: "Suite", task: "Task") -> Mapping[str, str | None] | None:
    """Returns path → new text of the known-good fix; None where the suite knows none."""
    from fairtrial.engine.controls import reference_of

    patch = reference_of(suite, task)
    if patch is None:
        return None
    return {
        str(change.path): None if change.after is None else change.after.decode("utf-8", "replace")
        for change in patch.changes
    }


def _emit_json(value: object) -> None:
    emit(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
