"""`fairtrial run`: solvers on a suite of tasks, as a config says."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from attrs import evolve, frozen

from fairtrial.cli.numbers import seconds, share, whole
from fairtrial.cli.options import (
    RUNS,
    ConfigFiles,
    JsonFlag,
    Log,
    LogForm,
    Only,
    Settings,
    VerboseFlag,
    listed,
    reporters_asked,
)
from fairtrial.cli.streams import emit

if TYPE_CHECKING:
    from fairtrial.config import RunConfig, Setting
    from fairtrial.engine.prepare import Prepared

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def run(  # noqa: PLR0913, PLR0917 - one argument a flag
    config: Annotated[
        list[Path] | None, typer.Argument(metavar="CONFIG", help="The run config, a TOML file.")
    ] = None,
    files: ConfigFiles = None,
    solvers: Annotated[
        str | None, typer.Option("--solvers", metavar="A,B", help="These solvers, in this order.")
    ] = None,
    suite: Annotated[
        str | None, typer.Option("--suite", metavar="NAME", help="This suite.")
    ] = None,
    only: Only = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", parser=whole("--limit"), metavar="N", help="Only the first N tasks."
        ),
    ] = None,
    rollouts: Annotated[
        int | None,
        typer.Option(
            "--rollouts",
            parser=whole("--rollouts"),
            metavar="N",
            help="Attempts of each solver at each task.",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", parser=whole("--jobs"), metavar="N", help="Trials under way at once."
        ),
    ] = None,
    label: Annotated[
        str | None,
        typer.Option("--label", metavar="NAME", help="The run's name, and that of its directory."),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="The run is kept in DIR/<label>/.")
    ] = RUNS,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run that is there.")
    ] = False,
    timeout: Annotated[
        float | None,
        typer.Option(
            "--timeout",
            parser=seconds("--timeout"),
            metavar="SECONDS",
            help="Seconds that an attempt may take.",
        ),
    ] = None,
    max_infra_share: Annotated[
        float | None,
        typer.Option(
            "--max-infra-share",
            parser=share("--max-infra-share"),
            metavar="SHARE",
            help="Above this share of trials that say nothing of the agent (broken for another"
            " reason, never begun, unfinished), no headline is given.",
        ),
    ] = None,
    heldout: Annotated[
        Path | None,
        typer.Option(
            "--heldout",
            metavar="DIR",
            help="Grade each delivery once more, by the held-out checks in DIR.",
        ),
    ] = None,
    max_gap: Annotated[
        float | None,
        typer.Option(
            "--max-gap",
            parser=share("--max-gap"),
            metavar="SHARE",
            help="The widest held-out gap a family may have; above it the exit code is 1.",
        ),
    ] = None,
    reporter: Annotated[
        list[str] | None,
        typer.Option("--reporter", metavar="NAME", help="Report with this. Repeatable."),
    ] = None,
    several: Annotated[
        bool,
        typer.Option(
            "--allow-several-differences",
            help="Let the config's two arms differ in several things, or in nothing.",
        ),
    ] = False,
    settings: Settings = None,
    print_config: Annotated[
        bool, typer.Option("--print-config", help="Print the config as it takes effect, and exit.")
    ] = False,
    plan: Annotated[
        bool, typer.Option("--plan", help="Print what would run and what it may cost, and exit.")
    ] = False,
    as_json: JsonFlag = False,
    log: Log = LogForm.TEXT,
    verbose: VerboseFlag = False,
) -> int:
    """
    Run solvers on a suite of tasks, as a config says.

    The control arms `reference` and `noop` are named like solvers. Everything is kept in
    runs/<label>/, or the next free runs/<label>-2/, … where no --label is given; results go to
    stdout, all else to stderr.
    """
    from fairtrial.cli.settings import settings_of

    flags: dict[str, object] = {
        "solvers": listed(solvers, "--solvers"),
        "suite": suite,
        "only": listed(only, "--only"),
        "limit": limit,
        "rollouts": rollouts,
        "jobs": jobs,
        "label": label,
        "timeout_s": timeout,
        "max_infra_share": max_infra_share,
        "max_heldout_gap": max_gap,
        "arms_differ": "any" if several else None,
        "reporters": reporters_asked(reporter, as_json=as_json),
    }
    order = _Order(
        files=(*(config or ()), *(files or ())),
        settings=settings_of(flags, settings, {"reporters": "--json"} if as_json else None),
        heldout=heldout,
        out=out,
        resume=resume,
        label=label,
        as_json=as_json,
        log=log,
        verbose=verbose,
    )
    if print_config:
        return order.print_config()
    return order.print_plan() if plan else order.run()


@frozen(kw_only=True)
class _Order:
    """What the command line asks for."""

    files: tuple[Path, ...]
    settings: "tuple[str | Setting, ...]"
    heldout: Path | None
    out: Path
    resume: bool
    label: str | None
    as_json: bool
    log: LogForm
    verbose: bool

    def config(self) -> "RunConfig":
        from fairtrial.api import ConfigError
        from fairtrial.config import load

        if self.label == "":
            raise ConfigError(
                problem="--label takes a name, not “”",
                way_on="write such as --label nightly; without it, the next free name is taken",
            )
        if not self.files and not self.settings:
            raise ConfigError(
                problem="no run config is named",
                way_on="name one, such as `fairtrial run tasks/smoke.toml`",
            )
        config = load(self.files, self.settings)
        if self.heldout is None:
            return config
        from fairtrial.cli.settings import held_out

        return load(self.files, (*self.settings, *held_out(config, self.heldout)))

    def print_config(self) -> int:
        from fairtrial.config import describe

        emit(describe(self.config()))
        return 0

    def print_plan(self) -> int:
        from fairtrial.cli.log import configure
        from fairtrial.cli.places import refuse_to_resume_nothing
        from fairtrial.cli.planned import show_plan
        from fairtrial.engine.directory import RunDirectory
        from fairtrial.engine.prepare import prepare
        from fairtrial.engine.resume import Left, left_to_do

        configure(self.log, verbose=self.verbose)
        config = self._labelled(self.config())
        if self.resume and self.label is not None:
            refuse_to_resume_nothing(config.run.label, self.out)
        prepared = prepare(config)
        _say_arms(prepared)
        directory = RunDirectory(self.out / config.run.label)
        left = left_to_do(prepared, directory) if self.resume else Left(prepared=prepared)
        return show_plan(left, directory, as_json=self.as_json)

    def run(self) -> int:
        from fairtrial.cli.log import configure
        from fairtrial.cli.places import refuse_to_resume_nothing
        from fairtrial.engine.prepare import prepare

        configure(self.log, verbose=self.verbose)
        config = self._labelled(self.config())
        if self.resume and self.label is not None:
            refuse_to_resume_nothing(config.run.label, self.out)
        return self._finish(prepare(config))

    def _labelled(self, config: "RunConfig") -> "RunConfig":
        from fairtrial.cli.places import label_for

        if self.label is not None:
            return config
        label = label_for(config.run.label, self.out, resume=self.resume)
        return evolve(config, run=evolve(config.run, label=label))

    def _finish(self, prepared: "Prepared") -> int:
        from fairtrial.cli.closing import interrupted, show_documents
        from fairtrial.cli.judgement import judged
        from fairtrial.cli.log import tell
        from fairtrial.cli.progress import shown
        from fairtrial.engine.directory import RunDirectory
        from fairtrial.engine.run import run as run_all
        from fairtrial.engine.spend import Spending

        label = prepared.config.run.label
        directory = RunDirectory(self.out / label)
        _say_arms(prepared)
        with shown(self.log) as watcher:
            result = run_all(
                prepared,
                directory,
                resume=self.resume,
                watcher=watcher,
                spending=Spending(label=label),
            )
        if result.interrupted:
            return interrupted(prepared, result.record, directory.path)
        code = show_documents(
            prepared, result.record, directory.path, as_json=self.as_json, verbose=self.verbose
        )
        if not (self.as_json and self.log is LogForm.QUIET):
            tell("run kept", f"kept in {directory.path}", path=str(directory.path))
        # What a gate says is on stderr in any case; that a report is missing must not look like it.
        return max(judged(result.record), code)


def _say_arms(prepared: "Prepared") -> None:
    from fairtrial.cli.log import tell
    from fairtrial.figures.arms import difference_lines

    for line in difference_lines(prepared.config.sides):
        tell("arms differ", line, by=line)
