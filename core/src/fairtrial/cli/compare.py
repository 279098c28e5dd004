"""`fairtrial compare`: what changed from one run to another, or from one arm of a run to the other."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fairtrial.cli.options import JsonFlag, VerboseFlag

if TYPE_CHECKING:
    from fairtrial.api import Reporter, RunRecord
    from fairtrial.figures.compare import Comparisons

app = typer.Typer(rich_markup_mode=None, add_completion=False)

REGRESSED = 1


@app.command()
def compare(  # noqa: PLR0913, PLR0917 - each is an option
    before: Annotated[str, typer.Argument(metavar="A", help="The earlier run, or one with arms.")],
    after: Annotated[
        str | None, typer.Argument(metavar="B", help="The later run; none for A's two arms.")
    ] = None,
    as_json: JsonFlag = False,
    fail_on_regression: Annotated[
        bool,
        typer.Option(
            "--fail-on-regression",
            help="Exit with 1 if anything got worse, or if a side says too little to tell.",
        ),
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show the lines added and removed, too.")
    ] = False,
    flags: Annotated[
        Path | None,
        typer.Option(
            "--flags", metavar="FILE", help="A reviewer's notes: TOML or CSV, task, flag."
        ),
    ] = None,
    verbose: VerboseFlag = False,  # noqa: ARG001 - read by `dispatch`
) -> int:
    """
    Show what changed from run A to run B, or from one arm of run A to the other.

    One run of one task is one sample: a flip is worth a look, a difference of a few cents is not.
    """
    from fairtrial.cli.documents import made, show
    from fairtrial.cli.flags import read_flags, unknown_tasks
    from fairtrial.cli.places import find_run, told_run
    from fairtrial.cli.reporters import chosen
    from fairtrial.cli.streams import note
    from fairtrial.figures.markdown import safe

    noted = {} if flags is None else read_flags(flags)
    directories = [find_run(name) for name in (before, after) if name is not None]
    records = [told_run(directory) for directory in directories]
    _refuse_one_sided(records)
    for line in unknown_tasks(noted, (task.id for each in records for task in each.tasks)):
        note(safe(line))
    reporters = chosen(("compare",), directories[-1], asked_in="fairtrial compare")
    reporters = {
        name: _with_columns(reporter, diff=diff, flags=noted)
        for name, reporter in reporters.items()
    }
    documents = made(reporters, records)
    wanted = [
        document
        for document in documents
        if (document.media_type == "application/json") is as_json
    ]
    for document in wanted:
        show(document)
    if not fail_on_regression:
        return 0
    return _gate(_compared(records))


def _refuse_one_sided(records: "Sequence[RunRecord]") -> None:
    """Refuses a single run that has nothing to be set beside."""
    if len(records) == 1:
        from fairtrial.figures.arms import arms_matched

        arms_matched(records[0])


def _gate(found: "Comparisons") -> int:
    """Says what got worse, and why it isn't known whether anything did; either of them fails."""
    from fairtrial.cli.streams import note
    from fairtrial.figures.markdown import safe

    worse = [flip for comparison in found.solvers for flip in comparison.flips if flip.worse]
    for flip in worse:
        note(f"regression: {safe(flip.subject)}: {safe(flip.before)} → {safe(flip.after)}")
    for why in found.unproven:
        note(f"not proved that nothing got worse: {safe(why)}")
    return REGRESSED if worse or found.unproven else 0


def _compared(records: "Sequence[RunRecord]") -> "Comparisons":
    from fairtrial.figures.compare import compare_arms, compare_runs

    return compare_arms(records[0]) if len(records) == 1 else compare_runs(*records)


def _with_columns(reporter: "Reporter", *, diff: bool, flags: Mapping[str, str]) -> "Reporter":
    """Returns a reporter that shows these columns besides those of its table, if it can."""
    import attrs

    wanted = {**({"diff": True} if diff else {}), **({"flags": flags} if flags else {})}
    names = {field.name for field in attrs.fields(type(reporter))}  # type: ignore[arg-type]  # each plugin is an attrs class
    changed: Reporter = attrs.evolve(  # type: ignore[misc]  # likewise
        reporter, **{name: value for name, value in wanted.items() if name in names}
    )
    return changed
