from pathlib import Path

import pytest
from attrs import evolve
from fairtrial.api import Solver
from fairtrial.conformance import SolverConformance
from fairtrial_solver_claude import ClaudeSolver

FAKE = str(Path(__file__).parent / "fake_claude.py")


class TestClaude(SolverConformance):
    entry_point = "claude"
    asks_questions = True

    @pytest.fixture
    def solver(self) -> ClaudeSolver:
        return ClaudeSolver(program=FAKE, env={"ANTHROPIC_API_KEY": "none"}, grace_s=1.0)

    def stuck(self, solver: Solver) -> Solver:
        assert isinstance(solver, ClaudeSolver)
        return evolve(solver, args=("--stuck",))
