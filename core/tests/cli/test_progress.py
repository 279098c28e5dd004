"""What a run shows while it runs, and how it counts."""

import json
import os
import pty
import threading
from collections.abc import Iterator
from subprocess import PIPE, Popen

import pytest
from attrs import evolve
from fairtrial.api import (
    Boundary,
    Brief,
    Check,
    CheckKind,
    Ending,
    Energy,
    Label,
    PlannedTask,
    Task,
    Trial,
    Usage,
    Verdict,
)
from fairtrial.cli.live import LiveProgress, bar, clock, summary
from fairtrial.cli.options import LogForm
from fairtrial.cli.progress import JsonLines, PlainLines, shown, stopping_line, trial_line
from fairtrial.cli.tally import Tally
from fairtrial.cli.voice import VOICE
from fairtrial.engine.plan import Cell
from fairtrial.engine.watch import Unwatched
from rich.console import Console


def cell(solver: str = "good", rollout: int = 1) -> Cell:
    task = Task(id="first", family="first", brief=Brief(prompt="x", timeout_s=1), digest="d")
    return Cell(task=task, solver=solver, rollout=rollout)


def trial(  # noqa: PLR0913 - one keyword a figure
    *,
    solver: str = "good",
    ending: Ending = Ending.FINISHED,
    resolved: bool | None = True,
    cost_usd: float | None = None,
    note: str = "",
    energy: tuple[Energy, ...] = (),
    rollout: int = 1,
) -> Trial:
    check = Check(name="tests", kind=CheckKind.VISIBLE, passed=resolved, code="tests")
    return Trial(
        task="first",
        digest="d",
        family="first",
        solver=solver,
        rollout=rollout,
        ending=ending,
        verdict=None if resolved is None else Verdict(checks=(check, check), suite_version="1"),
        wall_s=1.5,
        usage=() if cost_usd is None else (Usage(cost_usd=cost_usd),),
        energy=energy,
        note=note,
    )


def joules(value: float | None, boundary: Boundary) -> Energy:
    return Energy(joules=value, boundary=boundary, label=Label.ESTIMATOR)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock_() -> Clock:
    return Clock()


@pytest.fixture
def tally(clock_: Clock) -> Tally:
    found = Tally(clock=clock_)
    found.planned(10, 2)
    return found


@pytest.fixture
def said() -> Iterator[list[str]]:
    lines: list[str] = []
    with VOICE.through(lines.append):
        yield lines


def test_what_nobody_knows_is_a_dash(tally: Tally) -> None:
    tally.ended(trial())
    assert ("–", "–") == (tally.cost, tally.energy)


def test_dollars_are_at_least_what_is_known(tally: Tally) -> None:
    tally.ended(trial(cost_usd=0.25))
    assert "$0.25" == tally.cost
    tally.ended(trial(rollout=2))
    assert "≥ $0.25" == tally.cost


def test_control_arms_cost_nothing_and_resolve_nothing(tally: Tally) -> None:
    tally.ended(trial(solver="reference"))
    tally.ended(trial(cost_usd=1.0))
    assert ("$1.00", 1, 1) == (tally.cost, tally.resolved, tally.judged)


def test_joules_of_two_boundaries_are_never_added(tally: Tally) -> None:
    both = (joules(2.0, Boundary.HOST), joules(50.0, Boundary.GPU))
    tally.ended(trial(energy=both))
    tally.ended(trial(energy=both))
    assert "4.00 J est." == tally.energy


def test_joules_are_at_least_what_is_known_with_idle(tally: Tally) -> None:
    tally.ended(trial(energy=(joules(2.0, Boundary.HOST),)))
    tally.ended(trial(energy=(evolve(joules(1.0, Boundary.HOST), gross_j=3.0, idle_j=2.0),)))
    assert "5.00 J est." == tally.energy
    tally.ended(trial(energy=(joules(None, Boundary.HOST),)))
    assert "≥ 5.00 J est." == tally.energy


def test_time_left_is_told_by_the_trials_of_this_sitting(tally: Tally, clock_: Clock) -> None:
    assert None is tally.left_s
    clock_.now += 10
    tally.ended(trial())
    assert 10.0 == tally.elapsed_s
    assert 70.0 == tally.left_s


def test_many_threads_are_counted_right(tally: Tally) -> None:
    def work() -> None:
        for number in range(200):
            tally.started(cell(rollout=number + 1))
            tally.ended(trial(cost_usd=0.5))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (802, 800, "$400.00") == (tally.done, tally.resolved, tally.cost)


def test_the_summary_tells_all_that_is_known(tally: Tally, clock_: Clock) -> None:
    clock_.now += 60
    tally.started(cell(rollout=2))
    counted = evolve(joules(3.0, Boundary.HOST), label=Label.HARDWARE_SHUNT)
    tally.ended(trial(cost_usd=0.25, energy=(counted,)))
    tally.ended(trial(ending=Ending.INFRA, resolved=None))
    assert (
        "[####......] 4/10  1 running  1/1 resolved  1 infra  ≥ $0.25  3.00 J  1:00  3:00 left"
        == summary(tally)
    )


def test_the_summary_of_a_run_that_just_began_fits_a_terminal() -> None:
    text = summary(Tally())
    assert "[..........] 0/0  0 running  – resolved  $ –  J –  0:00  – left" == text


@pytest.mark.parametrize(
    ("duration_s", "text"), [(0, "0:00"), (61, "1:01"), (3599.9, "59:59"), (3661, "1:01:01")]
)
def test_time_is_shown_as_on_a_clock(duration_s: float, text: str) -> None:
    assert text == clock(duration_s)


def test_a_bar_is_full_at_the_end() -> None:
    assert ("[..........]", "[##########]") == (bar(0, 3), bar(3, 3))


def test_a_live_display_shows_few_of_many_trials(tally: Tally) -> None:
    for number in range(9):
        tally.started(cell(rollout=number + 1))
    progress = LiveProgress(tally)
    progress.stopping(9)
    console = Console(width=100, force_terminal=False)
    with console.capture() as capture:
        console.print(progress)
    text = capture.get()
    assert "first·good·6" in text
    assert "first·good·7" not in text
    assert "and 3 more" in text
    assert "9 trials under way will finish" in text


def test_a_live_display_shows_what_a_trial_is_metered_at_while_it_runs(tally: Tally) -> None:
    spent = [Usage(cost_usd=0.1)]
    running = cell()
    progress = LiveProgress(tally)
    progress.started(running)
    progress.metered(running.label, lambda: tuple(spent))
    assert "$0.10" == tally.spending(running.label)
    spent.append(Usage(cost_usd=None))
    console = Console(width=100, force_terminal=False)
    with console.capture() as capture:
        console.print(progress)
    assert "≥ $0.10" in capture.get()
    progress.ended(trial(cost_usd=0.1))
    assert "" == tally.spending(running.label)


def test_a_plain_line_says_what_came_of_a_trial(tally: Tally) -> None:
    tally.ended(trial(resolved=False, cost_usd=0.5, rollout=2))
    line = trial_line(trial(resolved=False, cost_usd=0.5, rollout=2), tally)
    assert "[3/10]  first · good #2  not resolved  1.50s  $0.50  tests" == line


def test_an_infra_trial_is_called_so_with_its_reason(tally: Tally) -> None:
    line = trial_line(trial(ending=Ending.INFRA, resolved=None, note="no node here"), tally)
    assert line.endswith("infra  1.50s  no node here")


def test_a_note_cannot_move_the_cursor(tally: Tally) -> None:
    line = trial_line(trial(note="\x1b[2Jgone\nforged"), tally)
    assert line.isprintable()


def test_plain_lines_tell_of_broken_tasks_only(said: list[str]) -> None:
    lines = PlainLines()
    lines.planned(1, 0)
    lines.proved(PlannedTask(id="first", family="f", digest="d"))
    lines.proved(PlannedTask(id="second", family="f", digest="d", invalid="passes before"))
    lines.started(cell())
    lines.ended(trial())
    lines.stopping(1)
    assert [
        "1 trial planned",
        "task second is invalid: passes before",
        "[1/1]  first · good  resolved  1.50s",
        stopping_line(1),
    ] == said


def test_json_lines_are_objects_with_stable_keys(said: list[str]) -> None:
    lines = JsonLines()
    lines.planned(1, 0)
    lines.ended(trial(cost_usd=0.5))
    first, second = (json.loads(line) for line in said)
    assert ["timestamp", "level", "event", "trials", "done"] == list(first)
    assert (0.5, True, 1) == (second["cost_usd"], second["resolved"], second["done"])


def test_quiet_watches_nothing() -> None:
    with shown(LogForm.QUIET) as watcher:
        assert isinstance(watcher, Unwatched)


def terminal(argv: list[str], **options: object) -> tuple[str, str]:
    """Runs a program with its stderr on a terminal; returns stdout and what the terminal got."""
    ours, theirs = pty.openpty()
    process = Popen(argv, stdout=PIPE, stderr=theirs, text=True, **options)  # type: ignore[call-overload]  # passed through
    os.close(theirs)
    seen = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the terminal's other end has gone
            break
        if not part:
            break
        seen += part
    out, _ = process.communicate(timeout=60)
    os.close(ours)
    assert 0 == process.returncode, seen
    return out, seen.decode()


def test_a_terminal_gets_a_live_line_and_stdout_the_results(
    program: list[str], place: object
) -> None:
    argv = [*program, "run", "run.toml", "--solvers", "good"]
    out, seen = terminal(argv, cwd=place, env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"})
    assert "| good" in out
    assert "\x1b" not in out
    assert "/2" in seen
    assert "running" in seen
    assert "kept in runs/run" in seen


def test_a_dumb_terminal_gets_plain_lines(program: list[str], place: object) -> None:
    argv = [*program, "run", "run.toml", "--solvers", "good", "--only", "first"]
    _, seen = terminal(argv, cwd=place, env={**os.environ, "TERM": "dumb"})
    assert "\x1b" not in seen
    assert "[1/1]  first · good  resolved" in seen
