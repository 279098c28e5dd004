"""`fairtrial audit`: a stage of a run, done again without running an agent."""

from typing import Annotated

import typer

from fairtrial.cli.options import ConfigFiles, JsonFlag, Log, LogForm, VerboseFlag

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def audit(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's directory, or its label.")],
    files: ConfigFiles = None,
    as_json: JsonFlag = False,
    log: Log = LogForm.TEXT,
    verbose: VerboseFlag = False,
) -> int:
    """
    Audit the trials of a run again, without running an agent.

    The config's auditors judge the stored evidence; earlier findings stay in the journal.
    Without -c, the config that the run was started with is read again.
    """
    from fairtrial.cli.again import do_again
    from fairtrial.engine.again import reaudit

    return do_again(reaudit, run, files or (), as_json=as_json, log=log, verbose=verbose)
