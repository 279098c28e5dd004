import sys
from pathlib import Path

import pytest
from attrs import evolve
from fairtrial.api import Solver
from fairtrial.conformance import SolverConformance
from fairtrial_solver_acp import AcpSolver

FAKE = str(Path(__file__).parent / "fake_agent.py")


class TestAcp(SolverConformance):
    entry_point = "acp"
    asks_questions = True

    @pytest.fixture
    def solver(self) -> AcpSolver:
        return AcpSolver(argv=(sys.executable, FAKE), grace_s=1.0)

    def stuck(self, solver: Solver) -> Solver:
        assert isinstance(solver, AcpSolver)
        return evolve(solver, argv=(*solver.argv, "--stuck"))
