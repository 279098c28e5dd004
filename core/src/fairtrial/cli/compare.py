"""`fairtrial compare`: what changed from one run to another."""

from typing import Annotated

import typer

from fairtrial.cli.options import JsonFlag, VerboseFlag

app = typer.Typer(rich_markup_mode=None, add_completion=False)

REGRESSED = 1


@app.command()
def compare(
    before: Annotated[str, typer.Argument(metavar="A", help="The earlier run.")],
    after: Annotated[str, typer.Argument(metavar="B", help="The later run.")],
    as_json: JsonFlag = False,
    fail_on_regression: Annotated[
        bool, typer.Option("--fail-on-regression", help="Exit with 1 if a task got worse.")
    ] = False,
    verbose: VerboseFlag = False,  # noqa: ARG001 - read by `dispatch`
) -> int:
    """
    Show what changed from run A to run B.

    One run of one task is one sample: a flip is worth a look, a difference of a few cents is not.
    """
    from fairtrial.cli.documents import made, show
    from fairtrial.cli.places import find_run
    from fairtrial.cli.reporters import chosen
    from fairtrial.cli.streams import note
    from fairtrial.engine.journal import read_run
    from fairtrial.figures.compare import compare_runs
    from fairtrial.figures.markdown import safe

    directories = [find_run(name) for name in (before, after)]
    records = [read_run(directory) for directory in directories]
    reporters = chosen(("compare",), directories[1], asked_in="fairtrial compare")
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
    worse = [
        flip
        for comparison in compare_runs(*records).solvers
        for flip in comparison.flips
        if flip.worse
    ]
    for flip in worse:
        note(f"regression: {safe(flip.subject)}: {safe(flip.before)} → {safe(flip.after)}")
    return REGRESSED if worse else 0
