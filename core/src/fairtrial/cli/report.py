"""`fairtrial report`: what came of one run or several."""

from pathlib import Path
from typing import Annotated

import typer

from fairtrial.cli.options import JsonFlag, VerboseFlag, reporters_asked

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def report(  # noqa: PLR0913, PLR0917 - each is an option
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN", help="A run's directory, or its label.")
    ],
    reporter: Annotated[
        list[str] | None,
        typer.Option(
            "--reporter", metavar="NAME", help="Report with this; by default as the run did."
        ),
    ] = None,
    as_json: JsonFlag = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Write every document there.")
    ] = None,
    transcript: Annotated[
        str | None,
        typer.Option(
            "--transcript", metavar="TASK/SOLVER/N", help="Show this attempt, step by step."
        ),
    ] = None,
    origin: Annotated[
        str | None,
        typer.Option(
            "--origin",
            metavar="A,B",
            help="Of a transcript, only what these caused: user, agent …",
        ),
    ] = None,
    verbose: VerboseFlag = False,  # noqa: ARG001 - read by `dispatch`
) -> None:
    """
    Show what came of one run or several.

    Tables go to stdout; other documents into the (first) run's directory, below reports/. A single
    document is always shown, so that `--reporter csv` can be piped, unless it is a page for a
    browser and stdout a terminal. --transcript shows one attempt from its log instead, with a mark
    wherever nothing happened for a minute while it worked.
    """
    if transcript is not None:
        from fairtrial.cli.transcript import show_transcript

        show_transcript(runs[0], transcript, origin)
        return
    from fairtrial.cli.documents import Outlet, can_be_shown, made, show
    from fairtrial.cli.places import find_run, told_run
    from fairtrial.cli.reporters import chosen, recorded

    directories = [find_run(name) for name in runs]
    records = [told_run(directory) for directory in directories]
    names = reporters_asked(reporter, as_json=as_json) or recorded(records[0])
    documents = made(chosen(names, directories[0]), records)
    if out is not None:
        Outlet(folder=out, everything=True).publish(documents)
    elif as_json or (len(documents) == 1 and can_be_shown(documents[0])):
        for document in documents:
            show(document)
    else:
        Outlet(folder=directories[0].path / "reports").publish(documents)
