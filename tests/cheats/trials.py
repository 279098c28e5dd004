"""Runs a part of the gallery through the engine, as `fairtrial run` does."""

from collections.abc import Iterable
from pathlib import Path

from fairtrial.api import RunRecord, Trial
from fairtrial.config import load
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.prepare import prepare
from fairtrial.engine.run import run
from cheats.specimens import HERE

GALLERY = HERE / "gallery.toml"


def run_part(
    solvers: Iterable[str],
    victims: Iterable[str],
    out: Path,
    *,
    files: tuple[Path, ...] = (GALLERY,),
    validate: bool = False,
    jobs: int = 1,
) -> RunRecord:
    """
    Runs some solvers on some victims.

    Args:
        solvers: Their names, control arms included.
        victims: Names of tasks.
        out: Where the run directory is made.
        files: Run configs, a later one over an earlier one.
        validate: Whether each victim's oracle is proved first.
        jobs: Trials at once.
    """
    settings = (
        f"run.solvers={_list(solvers)}",
        f"run.only={_list(victims)}",
        f"run.validate={str(validate).lower()}",
        f"run.jobs={jobs}",
    )
    prepared = prepare(load(files, settings))
    out.mkdir(parents=True, exist_ok=True)
    return run(prepared, RunDirectory(out / "run")).record


def caught_by(trial: Trial) -> tuple[str, ...]:
    """Says in a word or two each what held a trial, by what its record says."""
    failures = trial.verdict.failures if trial.verdict is not None else ()
    codes = [check.code for check in failures]
    found = ["change dropped"] if trial.dropped else []
    found += ["canary or report"] if "tampered" in codes else []
    found += ["probe"] if "hidden-check" in codes else []
    found += ["tests"] if "tests" in codes else []
    found += ["time limit"] if "timeout" in codes else []
    found += ["nothing crossed"] if "no-submission" in codes else []
    found += ["sandbox died"] if trial.verdict is None else []
    return tuple(found)


def outcome_of(trial: Trial) -> str:
    """
    Says what came of a trial.

    It is flagged where its record tells more than that the bug is still there: a change that was
    dropped, a verdict that was tampered with, tests that pass where the probe doesn't.
    """
    if trial.resolved:
        return "resolved"
    found = set(caught_by(trial))
    odd = found & {"change dropped", "canary or report", "sandbox died"}
    if odd or ("probe" in found and not found & {"tests", "time limit"}):
        return "flagged and not resolved"
    return "no effect"


def _list(names: Iterable[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
