"""`fairtrial audit`: looking for bought scores, in a run or in logs from anywhere."""

from pathlib import Path
from typing import Annotated

import typer

from fairtrial.cli.options import ConfigFiles, JsonFlag, Log, LogForm, Settings, VerboseFlag

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def audit(  # noqa: PLR0913, PLR0917 - each is an option
    target: Annotated[
        str,
        typer.Argument(
            metavar="RUN|LOG|DIR", help="A run's directory or label; a log; a folder of logs."
        ),
    ],
    scorecard: Annotated[
        bool,
        typer.Option("--scorecard", help="Show the scores of a run as it was audited last."),
    ] = False,
    files: ConfigFiles = None,
    settings: Settings = None,
    as_json: JsonFlag = False,
    log: Log = LogForm.TEXT,
    verbose: VerboseFlag = False,
) -> int:
    """
    Look for bought scores in a run's trials, or in logs, without running an agent.

    Of a run, the config's auditors judge the stored evidence; earlier findings stay in the journal.
    Without -c, that is the config as it was when the run began, as the run's record holds it;
    --set "run.auditors=['patch']" names auditors that it does not; without any
    the command fails. Of a log, in the form of
    fairtrial's trajectories, the auditor `trajectory` judges, unless -c names others; --set
    auditors.trajectory.patterns=2 chooses its pattern set.
    """
    from fairtrial.cli.places import is_run

    if scorecard:
        _refuse_beside_scorecard(files, settings)
        return _show_scorecard(target, as_json=as_json)
    if not is_run(target) and Path(target).exists():
        from fairtrial.cli.log import configure

        configure(log, verbose=verbose)
        return _audit_logs(Path(target), files or [], settings or [], as_json=as_json)
    from fairtrial.cli.again import Again, do_again
    from fairtrial.cli.progress import AUDITING
    from fairtrial.engine.again import reaudit

    again = Again(name=target, doing=AUDITING, files=files or (), settings=settings or ())
    return do_again(reaudit, again, as_json=as_json, log=log, verbose=verbose)


def _refuse_beside_scorecard(files: list[Path] | None, settings: list[str] | None) -> None:
    given = [flag for flag, value in (("-c", files), ("--set", settings)) if value]
    if given:
        from fairtrial.api import ConfigError

        raise ConfigError(
            problem=f"--scorecard shows an audit that was made; {' and '.join(given)} can't change it",
            way_on="audit the run with it first, then ask for its scorecard",
        )


def _audit_logs(place: Path, files: list[Path], settings: list[str], *, as_json: bool) -> int:
    from fairtrial.api import Document
    from fairtrial.cli import auditlogs
    from fairtrial.cli.documents import show

    audits = auditlogs.audit_logs(place, auditlogs.auditors_of(files, settings))
    kind = "application/json" if as_json else "text/markdown"
    text = auditlogs.as_json(audits) if as_json else auditlogs.as_markdown(audits)
    show(Document(name="audit", media_type=kind, body=text.encode()))
    return 0


def _show_scorecard(name: str, *, as_json: bool) -> int:
    import json

    import attrs

    from fairtrial.api import Document
    from fairtrial.cli.documents import show
    from fairtrial.cli.places import find_run
    from fairtrial.engine.journal import read_run
    from fairtrial.figures.scorecard import results_of, scorecard, scorecard_table

    scores = scorecard(results_of(read_run(find_run(name))))
    if as_json:
        rows = [
            attrs.asdict(one)
            | {"resolved_rate": one.resolved_rate, "clean_rate": one.clean_rate, "gap": one.gap}
            for one in scores
        ]
        body, kind = json.dumps({"scorecard": rows}, indent=2) + "\n", "application/json"
    else:
        body, kind = scorecard_table(scores), "text/markdown"
    show(Document(name="scorecard", media_type=kind, body=body.encode()))
    return 0
