from pathlib import Path

import pytest
from attrs import evolve
from fairtrial.api import Solver
from fairtrial.conformance import SolverConformance
from fairtrial_solver_gemini import GeminiSolver

FAKE = str(Path(__file__).parent / "fake_gemini.py")


class TestGemini(SolverConformance):
    entry_point = "gemini"

    @pytest.fixture
    def solver(self) -> GeminiSolver:
        return GeminiSolver(program=FAKE, env={"GEMINI_API_KEY": "none"})

    def stuck(self, solver: Solver) -> Solver:
        assert isinstance(solver, GeminiSolver)
        return evolve(solver, args=("--stuck",))
