"""`fairtrial grade`: a stage of a run, done again without running an agent."""

from typing import Annotated

import typer

from fairtrial.cli.options import ConfigFiles, JsonFlag, Log, LogForm, VerboseFlag

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def grade(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's directory, or its label.")],
    files: ConfigFiles = None,
    as_json: JsonFlag = False,
    log: Log = LogForm.TEXT,
    verbose: VerboseFlag = False,
) -> int:
    """
    Grade the trees of a run again, without running an agent.

    The stored trees are graded by the suite as it is now; earlier verdicts stay in the journal.
    Without -c, that is the config as it was when the run began, as the run's record holds it.
    """
    from fairtrial.cli.again import Again, do_again
    from fairtrial.cli.progress import GRADING
    from fairtrial.engine.again import regrade

    again = Again(name=run, doing=GRADING, files=files or ())
    return do_again(regrade, again, as_json=as_json, log=log, verbose=verbose)
