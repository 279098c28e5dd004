"""The recipes of docs/recipes: all of them can be read, and their programs are run by them."""

import json
import select
import shutil
import socket
import subprocess
import sys
import tomllib
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attrs import evolve, frozen
from fairtrial import serial
from fairtrial.api import Ending, Trial
from fairtrial.conformance.fakes import FakeSession
from fairtrial.conformance.models import Scene, Script, ScriptedModelServer, ScriptedUsage, Step
from fairtrial_solver_acp import AcpSolver
from fairtrial_solver_command import CommandSolver

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "docs/recipes"
TASK = ROOT / "tasks/smoke/page-count"
Begin = Callable[..., FakeSession]
Serve = Callable[..., ScriptedModelServer]

DONE = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
"""By this line an agent of mini-swe-agent says that it is done."""


def edit(path: str, before: str, after: str) -> str:
    """Returns what aider takes for an edit of a file, or for a new one where nothing was before."""
    return f"{path}\n```\n<<<<<<< SEARCH\n{before}=======\n{after}>>>>>>> REPLACE\n```\n"


@frozen(kw_only=True)
class Program:
    """A program, the version that is tried, and a model's words that make it write a file."""

    name: str
    version: str
    prompt: str
    steps: tuple[Step, ...]


WRITE = Step(text="I look.", shell="echo fixed > answer.txt")
# By its own price list it has then spent more than the three dollars at which it stops by default.
DEAR = Step(text="I read.", shell="true", usage=ScriptedUsage(input_uncached=3_000_000))
PROGRAMS = {
    "opencode": Program(
        name="opencode",
        version="1.18.33",
        prompt="--fix “it” $HOME",
        steps=(WRITE, Step(text="All done.")),
    ),
    "mini-swe-agent": Program(
        name="mini",
        version="2.4.6",
        prompt="--fix “it” $HOME {{it}}",
        steps=(DEAR, WRITE, Step(text="All done.", shell=DONE)),
    ),
    "goose": Program(
        name="goose",
        version="1.52.0",
        prompt="--fix “it” $HOME",
        steps=(WRITE, Step(text="Ran into this error: none.")),
    ),
    "aider": Program(
        name="aider",
        version="0.86.2",
        prompt="!touch “it” $HOME",
        steps=(Step(text=edit("answer.txt", "", "fixed\n")),),
    ),
}


def recipe(name: str) -> CommandSolver:
    path = RECIPES / f"{name}.toml"
    ((_, table),) = tomllib.loads(path.read_text(encoding="utf-8"))["solvers"].items()
    assert "command" == table.pop("plugin")
    return serial.structure(CommandSolver, table, where=str(path), base=RECIPES)


@pytest.fixture
def need(programs: Path) -> Callable[[str], None]:
    """Skips a test whose program isn't installed."""

    def missing(name: str) -> None:
        if shutil.which(PROGRAMS[name].name) is None:
            pytest.skip(f".ci/run installs {name} in {programs}")

    return missing


@pytest.fixture
def elsewhere() -> Iterator[socket.socket]:
    """A proxy that never answers, on the way to everything that isn't on this machine."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        yield door


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.toml")), ids=lambda path: path.stem)
def test_a_recipe_can_be_read(path: Path) -> None:
    solver = recipe(path.stem)
    assert path.stem in PROGRAMS
    assert solver.version_argv[-1:] == ("--version",) or solver.pointers.version


@pytest.mark.parametrize("name", PROGRAMS)
def test_by_its_recipe_a_program_works_and_asks_nobody_but_the_model(
    begin: Begin, serve: Serve, need: Callable[[str], None], elsewhere: socket.socket, name: str
) -> None:
    need(name)
    program, server = PROGRAMS[name], serve(*PROGRAMS[name].steps)
    session = begin(server, prompt=program.prompt, timeout_s=120.0)
    proxy = f"http://127.0.0.1:{elsewhere.getsockname()[1]}"
    session.environment = {
        **session.environment,
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"), proxy),
        **dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost"),
    }
    attempt = recipe(name).solve(session)
    assert (Ending.FINISHED, program.version) == (attempt.ending, attempt.agent_version), attempt
    assert "fixed\n" == (session.workspace.root / "answer.txt").read_text()
    assert ["answer.txt"] == [path.name for path in session.workspace.root.iterdir()]
    assert program.prompt in json.dumps(server.seen[-1].body, ensure_ascii=False)
    # One asks for a title, too, which nothing turns off.
    assert (name == "opencode") == any(one.api and one.step is None for one in server.seen)
    assert [] == select.select([elsewhere], [], [], 0)[0]


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("goose", (Step(error=401, repeat=0),)),
        ("goose", (WRITE, Step(error=503, repeat=0))),
        ("aider", (Step(text="I want to see README.md first."), Step(error=401, repeat=0))),
    ],
)
def test_a_program_that_its_provider_refused_ends_with_the_reason(
    begin: Begin, serve: Serve, need: Callable[[str], None], name: str, steps: tuple[Step, ...]
) -> None:
    need(name)
    session = begin(serve(*steps))
    (session.workspace.root / "README.md").write_text("none\n")
    session.environment = {**session.environment, "GOOSE_PROVIDER_SKIP_BACKOFF": "true"}
    attempt = evolve(recipe(name), version_argv=()).solve(session)
    assert Ending.CRASHED == attempt.ending
    assert "scripted failure" in attempt.note


def test_goose_works_by_the_client_protocol_too(
    begin: Begin, serve: Serve, need: Callable[[str], None]
) -> None:
    need("goose")
    session = begin(serve(*PROGRAMS["goose"].steps))
    env = {name: text for name, text in recipe("goose").env.items() if name != "HOME"}
    attempt = AcpSolver(argv=("goose", "acp"), env=env).solve(session)
    assert (Ending.FINISHED, "1.52.0") == (attempt.ending, attempt.agent_version), attempt
    assert "fixed\n" == (session.workspace.root / "answer.txt").read_text()


USAGE = ScriptedUsage(input_uncached=1000, cache_read=500, output=90, reasoning=20)
# Dollars for a million tokens: 4 for input, 0.4 for what is cached, 20 for output.
COST = 2 * (1000 * 4.0 + 500 * 0.4 + 90 * 20.0) / 1e6
FIX = " && ".join(
    f"echo {b64encode(path.read_bytes()).decode()} | base64 -d > {path.relative_to(TASK / 'reference')}"
    for path in sorted((TASK / "reference").rglob("*.py"))
)
BUG, MENDED = "    return total // size + 1\n", "    return max(1, -(-total // size))\n"
LOOK = Step(text="I see.", shell=FIX, usage=USAGE)
SCENES = (
    Scene(
        when="Please solve this issue",
        steps=(LOOK, Step(text="Fixed.", shell=DONE, usage=USAGE)),
    ),
    # aider begins with an example of its own; what the model names, it is shown.
    Scene(
        when="get_factorial",
        steps=(
            Step(text="I want to see catalogue/paging.py first.", usage=USAGE),
            Step(text=edit("catalogue/paging.py", BUG, MENDED), usage=USAGE),
        ),
    ),
)
STEPS = (LOOK, Step(text="Fixed.", usage=USAGE))
CONFIG = """
[run]
suite = "smoke"
solvers = {solvers}
sandbox = "{sandbox}"
network = "{network}"
gateway = "proxy"
only = ["page-count"]
validate = false
jobs = 2
timeout_s = 100
budget_usd_per_task = {budget}
budget_usd_total = 9.0
[suites.smoke]
plugin = "folder"
path = "{suite}"
[sandboxes.bubblewrap]
readable = ["{programs}"]
[gateways.proxy]
upstreams = {{ openai = "{url}" }}
[gateways.proxy.prices]
"gpt-5" = {{ input = 4.0, output = 20.0, cache_read = 0.4 }}
"""


def ran(place: Path, script: Script, names: list[str], **facts: object) -> dict[str, Trial]:
    """Runs programs by their recipes, as the page tells it; returns the trials by program."""
    config = place / "mine.toml"
    with ScriptedModelServer(script) as server:
        table = CONFIG.format(
            solvers=json.dumps([PROGRAMS[name].name for name in names]),
            suite=TASK.parent,
            url=server.url,
            **facts,
        )
        config.write_text(table, encoding="utf-8")
        recipes = [f"--config={RECIPES / name}.toml" for name in names]
        done = subprocess.run(
            [sys.executable, "-m", "fairtrial", "run", config, *recipes, "--out", place / "runs"],
            capture_output=True,
            text=True,
            check=False,
            timeout=170,
        )
    journals = list((place / "runs").rglob("trials.jsonl"))
    assert journals, done.stderr
    rows = [serial.loads(Trial, line) for line in journals[0].read_text().splitlines()]
    return {trial.solver: trial for trial in rows}


def test_fenced_in_the_programs_resolve_a_task_at_the_cost_that_was_scripted(
    programs: Path, need: Callable[[str], None], tmp_path: Path
) -> None:
    for name in PROGRAMS:
        need(name)
    fence = {"sandbox": "bubblewrap", "network": "model-only", "programs": programs, "budget": 1}
    trials = ran(tmp_path, Script(steps=STEPS, scenes=SCENES), list(PROGRAMS), **fence)
    assert {program.name for program in PROGRAMS.values()} == set(trials)
    for name, trial in trials.items():
        assert (Ending.FINISHED, True) == (trial.ending, trial.resolved), trial
        assert ("catalogue/paging.py",) == trial.changed, name
        assert "model-only" == trial.enforced["network"]
        assert trial.metered is not None
        (metered,) = trial.metered
        figures = (metered.model, metered.input_uncached, metered.cache_read, metered.output)
        assert ("gpt-5", 2000, 1000, 180) == figures, name
        assert trial.cost_usd == pytest.approx(COST), name
    (told,) = trials["goose"].usage
    assert (2000, 1000, 180) == (told.input_uncached, told.cache_read, told.output)


def test_past_its_budget_a_program_is_over_soon(
    programs: Path, need: Callable[[str], None], tmp_path: Path
) -> None:
    names = ["mini-swe-agent", "goose"]
    for name in names:
        need(name)
    # Forty cents a request.
    dear = ScriptedUsage(input_uncached=100_000, output=0)
    steps = tuple(Step(text="On.", shell=f"echo {n} > n.txt", usage=dear) for n in range(6))
    open_ = {"sandbox": "local", "network": "open", "programs": programs, "budget": 0.3}
    trials = ran(tmp_path, Script(steps=steps), names, **open_)
    for name in names:
        trial = trials[PROGRAMS[name].name]
        assert (Ending.OVER_BUDGET, "budget") == (trial.ending, trial.limit), trial
        assert trial.cost_usd == pytest.approx(0.4)
        assert trial.wall_s is not None
        assert trial.wall_s < 60
