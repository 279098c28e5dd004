from pathlib import Path

import pytest
from attrs import evolve
from fairtrial.api import Solver
from fairtrial.conformance import SolverConformance
from fairtrial_solver_codex import CodexSolver

FAKE = str(Path(__file__).parent / "fake_codex.py")


class TestCodex(SolverConformance):
    entry_point = "codex"

    @pytest.fixture
    def solver(self) -> CodexSolver:
        return CodexSolver(program=FAKE, env={"CODEX_API_KEY": "none"})

    def stuck(self, solver: Solver) -> Solver:
        assert isinstance(solver, CodexSolver)
        return evolve(solver, args=("--stuck",))
