"""What is missing is said before a run, and only where that is known."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import cast

import pytest
from attrs import evolve, field, frozen
from fairtrial.api import (
    Attempt,
    Ending,
    Equipment,
    Gateway,
    MachineError,
    Outlook,
    ProgramMissing,
    Session,
    Solver,
    Task,
    Usage,
)
from fairtrial.cli.app import main
from fairtrial.config import load
from fairtrial.conformance.fakes import ThreeTaskSuite
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.plan import Cell, Plan
from fairtrial.engine.prepare import prepare
from fairtrial.engine.ready import lacking
from fairtrial.registry import load as load_plugin

CONFIG = """
[run]
suite = "small"
solvers = [{solvers}]
sandbox = "local"
meters = []
budget = "unlimited"
rollouts = {rollouts}
{more}

[suites.small]
plugin = "folder"
path = "small"

[solvers.good]
plugin = "command"
argv = ["sh", "-c", "echo 42 > answer.txt"]

[solvers.absent]
plugin = "command"
argv = ["nonesuch-agent", "{{prompt_file}}"]

[solvers.keyless]
plugin = "command"
argv = ["sh", "-c", "echo 42 > answer.txt"]
pass_env = ["NONESUCH_KEY"]

[solvers.steps]
plugin = "cascade"
stages = ["good", "absent"]
escalate = ["no-change"]

[selectors.wise]
plugin = "judge"
solver = "keyless"
"""
TASK = """
name = "first"
prompt = "`answer.txt` must hold 42."
test_cmd = ["sh", "-c", "grep -q 42 answer.txt && echo Ran 1 test"]
timeout_s = 60
"""
ABSENT = """\
error: the program “nonesuch-agent” is not installed

  asked for in   run.toml, table [solvers.absent]

  install it, or write its whole path in `argv`
"""

CLAUDE = """#!/bin/sh
[ "$1" = --version ] && { echo 2.1.0; exit; }
echo 42 > answer.txt
echo '{"type":"result","subtype":"success","result":"done"}'
"""

Write = Callable[..., None]
Run = Callable[..., int]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FAIRTRIAL_CACHE", str(tmp_path / "cache"))
    (tmp_path / "small/first/before").mkdir(parents=True)
    (tmp_path / "small/first/before/answer.txt").write_text("41\n")
    (tmp_path / "small/first/task.toml").write_text(TASK)

    def config(*solvers: str, more: str = "", rollouts: int = 1) -> None:
        names = ", ".join(f'"{name}"' for name in solvers)
        text = CONFIG.format(solvers=names, more=more, rollouts=rollouts)
        Path("run.toml").write_text(text, encoding="utf-8")

    return config


def kept() -> Path:
    return Path("runs/run/run.json")


def test_a_missing_program_stops_the_run_before_its_first_trial(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    write("good", "absent")
    assert 3 == main(["run", "run.toml"])
    assert ABSENT == capsys.readouterr().err
    assert not kept().exists()
    assert not Path("runs/run/trials.jsonl").exists()


def test_all_that_is_missing_is_said_at_once(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    write("keyless", "good", "absent", "steps")
    assert 3 == main(["run", "run.toml"])
    said = capsys.readouterr().err
    assert "error: the variable “NONESUCH_KEY” is not set" in said
    assert "asked for in   run.toml, table [solvers.keyless]" in said
    assert "absent         the program “nonesuch-agent” is not installed" in said
    assert "steps          the program “nonesuch-agent” is not installed" in said


def test_a_stage_that_lacks_something_is_named(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    write("steps")
    assert 3 == main(["run", "run.toml"])
    said = capsys.readouterr().err
    assert "asked for in   run.toml, table [solvers.steps]" in said
    assert "stage          2 of 2" in said


def test_a_plugin_without_a_table_is_asked_for_in_run(
    write: Write, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    write("claude")
    assert 3 == main(["run", "run.toml"])
    said = capsys.readouterr().err
    assert "error: no key for the solver “claude”" in said
    assert "asked for in   run.toml, [run] solvers" in said


def test_a_selectors_solver_is_asked_before_the_attempts_are_paid_for(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    write("good", more='selectors = ["wise"]', rollouts=2)
    assert 3 == main(["run", "run.toml"])
    assert "asked for in   run.toml, table [selectors.wise]" in capsys.readouterr().err
    # Where there is one attempt, nobody chooses.
    write("good", more='selectors = ["wise"]')
    assert 0 == main(["run", "run.toml"])


def test_a_program_of_the_workspace_is_left_to_the_trial(write: Write) -> None:
    write("good")
    flags = ["--set", 'solvers.good.argv=["./agent.sh"]']
    assert 1 == main(["run", "run.toml", *flags])
    assert '"ending":"infra"' in Path("runs/run/trials.jsonl").read_text()


def test_a_control_arm_asks_nobody(write: Write) -> None:
    write("noop", "absent")
    assert 0 == main(["run", "run.toml", "--solvers", "noop"])


def test_a_resumed_run_asks_only_who_has_something_left(
    write: Write, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NONESUCH_KEY", "a-key-of-the-user")
    write("keyless")
    assert 0 == main(["run", "run.toml"])
    monkeypatch.delenv("NONESUCH_KEY")
    assert 0 == main(["run", "run.toml", "--resume"])
    Path("runs/run/trials.jsonl").write_text("")
    assert 3 == main(["run", "run.toml", "--resume"])
    assert "the variable “NONESUCH_KEY” is not set" in capsys.readouterr().err
    assert kept().exists()


def test_the_plan_is_shown_with_what_is_missing(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    write("good", "absent")
    assert 0 == main(["run", "run.toml", "--plan"])
    said = capsys.readouterr()
    assert "2 trials, 1 at once" in said.out
    expected = "can't begin yet: the program “nonesuch-agent” is not installed (run.toml, table"
    assert expected in said.err
    assert 0 == main(["run", "run.toml", "--plan", "--json"])
    lack = {
        "asked_in": "run.toml, table [solvers.absent]",
        "problem": "the program “nonesuch-agent” is not installed",
        "way_on": "install it, or write its whole path in `argv`",
    }
    assert [lack] == json.loads(capsys.readouterr().out)["lacks"]
    assert not Path("runs").exists()


def test_a_plan_makes_nothing_that_a_task_needs_and_doubts_programs_then(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    task = Path("small/first/task.toml")
    task.write_text(task.read_text() + 'needs = ["pypi:nonesuch-agent==1.0"]\n')
    write("absent", "keyless")
    assert 0 == main(["run", "run.toml", "--plan", "--json"])
    found = json.loads(capsys.readouterr().out)["lacks"]
    assert ["the variable “NONESUCH_KEY” is not set"] == [lack["problem"] for lack in found]
    assert not Path("cache/environments").exists()


@frozen(kw_only=True)
class Odd:
    """Says whatever a test wants; notes what it was asked with."""

    says: MachineError | Exception | None
    seen: list[Mapping[str, str]] = field(factory=list)

    def lacks(self, outlook: Outlook, /) -> MachineError | None:
        self.seen.append(outlook.environment)
        if isinstance(self.says, MachineError) or self.says is None:
            return self.says
        raise self.says

    def solve(self, session: Session, /) -> Attempt:
        return Attempt(ending=Ending.FINISHED)


@frozen(kw_only=True)
class Bringing(ThreeTaskSuite):
    """Its tasks, by their order, bring these directories for programs."""

    brings: tuple[Path, ...]

    def equip(self, task: Task, /) -> Equipment:
        ids = [each.id for each in self.tasks()]
        return Equipment(path=(self.brings[ids.index(task.id)],))


def asked(write: Write, solver: object, brings: Sequence[Path] = ()) -> list[MachineError]:
    write("good")
    found = prepare(load((Path("run.toml"),)))
    plugins = evolve(found.plugins, solvers={"good": cast("Solver", solver)})
    plan = found.plan
    if brings:
        suite = Bringing(brings=tuple(brings))
        plugins = evolve(plugins, suite=suite)
        cells = [Cell(task=task, solver="good", rollout=1) for task in suite.tasks()]
        plan = Plan(tasks=tuple(suite.tasks()), cells=tuple(cells))
    prepared = evolve(found, plugins=plugins, plan=plan)
    lacks = lacking(prepared, RunDirectory(Path("runs/run")), plan.cells)
    return [lack.error for lack in lacks]


def test_a_plugin_that_breaks_when_asked_is_left_to_its_trials(write: Write) -> None:
    assert [] == asked(write, Odd(says=KeyError("x")))


def test_a_program_that_one_task_brings_is_left_to_the_trials(
    write: Write, tmp_path: Path
) -> None:
    tools, empty = tmp_path / "tools", tmp_path / "empty"
    for folder in (tools, empty):
        folder.mkdir()
    solver = load_plugin("solver", "command", asked_in="a test")(argv=("nonesuch-agent",))
    problem = "the program “nonesuch-agent” is not installed"
    assert [problem] == [lack.problem for lack in asked(write, solver, [empty, tools, empty])]
    (tools / "nonesuch-agent").write_text("#!/bin/sh\n")
    (tools / "nonesuch-agent").chmod(0o755)
    assert [] == asked(write, solver, [empty, tools, empty])


def test_only_a_program_is_looked_for_again_among_what_tasks_bring(
    write: Write, tmp_path: Path
) -> None:
    brings = [tmp_path / name for name in ("one", "one", "two")]
    program = Odd(says=ProgramMissing(program="x", problem="no x", way_on="get it"))
    assert [program.says] == asked(write, program, brings)
    assert 3 == len(program.seen)
    key = Odd(says=MachineError(problem="no key", way_on="set it"))
    assert [key.says] == asked(write, key, brings)
    assert 1 == len(key.seen)


@frozen
class Way:
    """A gateway's session at one address."""

    environment: Mapping[str, str]
    closed: list[bool] = field(factory=list)
    exhausted: bool = False
    socket: Path | None = None

    def usage(self) -> tuple[Usage, ...]:
        return ()

    def close(self) -> None:
        self.closed.append(True)


@frozen
class OneWay:
    way: Way

    def open(self, label: str, budget_usd: float | None, /) -> Way:
        return self.way


def test_a_key_that_the_gateway_holds_is_not_missing(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    write("good")
    found = prepare(load((Path("run.toml"),)))
    way = Way({"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "ANTHROPIC_API_KEY": "of-this-trial"})
    odd = Odd(says=None)
    plugins = evolve(
        found.plugins, solvers={"good": cast("Solver", odd)}, gateway=cast("Gateway", OneWay(way))
    )
    prepared = evolve(found, plugins=plugins)
    assert () == lacking(prepared, RunDirectory(Path("runs/run")), prepared.plan.cells)
    assert [way.environment] == odd.seen
    assert [True] == way.closed


@pytest.mark.parametrize(("key", "code"), [("", 3), ("a-key-of-the-user", 0)])
def test_a_key_that_the_gateway_lacks_stops_the_solver_that_needs_it(
    write: Write,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    key: str,
    code: int,
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    program = tmp_path / "claude"
    program.write_text(CLAUDE, encoding="utf-8")
    program.chmod(0o755)
    write("claude", more='gateway = "proxy"')
    assert code == main(["run", "run.toml", "--set", f"solvers.claude.program={program}"])
    said = capsys.readouterr().err
    assert (code == 3) == ("error: the gateway has no key for the solver “claude”" in said)
    assert (code == 3) == ("looked for     ANTHROPIC_API_KEY\n" in said)
