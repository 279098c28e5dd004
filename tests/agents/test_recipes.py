"""The recipes of docs/recipes: all of them can be read, and those whose program is here are run."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from fairtrial import serial
from fairtrial.api import Ending
from fairtrial.conformance.fakes import FakeSession
from fairtrial.conformance.models import ScriptedModelServer, Step
from fairtrial_solver_command import CommandSolver

RECIPES = Path(__file__).parents[2] / "docs/recipes"
Begin = Callable[..., FakeSession]
Serve = Callable[..., ScriptedModelServer]


def recipe(name: str) -> CommandSolver:
    path = RECIPES / f"{name}.toml"
    ((_, table),) = tomllib.loads(path.read_text(encoding="utf-8"))["solvers"].items()
    assert "command" == table.pop("plugin")
    return serial.structure(CommandSolver, table, where=str(path), base=RECIPES)


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.toml")), ids=lambda path: path.stem)
def test_a_recipe_can_be_read(path: Path) -> None:
    assert recipe(path.stem).version_argv[-1] == "--version"


def test_opencode_works_by_its_recipe(begin: Begin, serve: Serve) -> None:
    work = (Step(text="I look.", shell="echo fixed > answer.txt"), Step(text="All done."))
    session = begin(serve(*work), prompt="--fix “it” $HOME", timeout_s=120.0)
    attempt = recipe("opencode").solve(session)
    assert (Ending.FINISHED, "1.18.33") == (attempt.ending, attempt.agent_version), attempt.note
    assert "fixed\n" == (session.workspace.root / "answer.txt").read_text()
