"""One attempt step by step, for `fairtrial report --transcript`."""

from fairtrial.api.errors import ConfigError, RunError
from fairtrial.cli.attempts import no_attempt
from fairtrial.cli.options import listed
from fairtrial.cli.places import find_run
from fairtrial.cli.streams import emit
from fairtrial.engine import artifacts
from fairtrial.engine.journal import read_run
from fairtrial.figures.playback import ORIGINS, playback

_PARTS = 3


def show_transcript(run: str, name: str, origins: str | None) -> None:
    """
    Prints an attempt's steps on stdout.

    Args:
        run: The run's directory or label.
        name: `TASK/SOLVER/N`; `N` may be left out for the first attempt.
        origins: Show only events of these, joined by commas; None for all.

    Raises:
        ConfigError: The name has another form, or an origin is unknown.
        RunError: There is no such run or attempt, or it left no log.
    """
    wanted = _origins(origins)
    task, solver, rollout = _named(name)
    directory = find_run(run)
    trials = read_run(directory).trials
    if not any((task, solver, rollout) == (t.task, t.solver, t.rollout) for t in trials):
        problem = f"the run has no attempt “{name}”"
        raise no_attempt(problem, (task, solver, rollout), trials, joined_by="/")
    events = artifacts.events(directory.trial(task, solver, rollout))
    if events is None:
        raise RunError(
            problem=f"attempt “{name}” left no log",
            way_on="choose an attempt whose solver keeps one; `fairtrial report RUN --reporter"
            " attempts` names those",
        )
    for step in playback(events, wanted):
        emit(f"{step}\n")


def _origins(text: str | None) -> frozenset[str]:
    wanted = listed(text, "--origin")
    for origin in wanted:
        if origin not in ORIGINS:
            raise ConfigError(
                problem=f"--origin takes no “{origin}”",
                facts=(("origins", ", ".join(ORIGINS)),),
                way_on="write such as --origin user,agent",
            )
    return frozenset(wanted)


def _named(name: str) -> tuple[str, str, int]:
    parts = name.split("/")
    if len(parts) == _PARTS - 1:
        parts.append("1")
    number = parts[-1]
    if len(parts) != _PARTS or not (number.isascii() and number.isdigit()):
        raise ConfigError(
            problem=f"--transcript takes TASK/SOLVER/N, not “{name}”",
            way_on="write such as --transcript parse/claude/1",
        )
    return parts[0], parts[1], int(number)
