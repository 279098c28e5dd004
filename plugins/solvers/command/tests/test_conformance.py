import sys

import pytest
from fairtrial.api import Solver
from fairtrial.conformance import SolverConformance
from fairtrial_solver_command import CommandSolver


class TestCommand(SolverConformance):
    entry_point = "command"

    @pytest.fixture
    def solver(self) -> CommandSolver:
        code = "import sys; open('answer.txt', 'w').write(str(len(sys.argv)))"
        return CommandSolver(argv=("python3", "-c", code, "{prompt}"))

    def stuck(self, solver: Solver) -> Solver:
        return CommandSolver(argv=(sys.executable, "-c", "import time; time.sleep(60)"))
