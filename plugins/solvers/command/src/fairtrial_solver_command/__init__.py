"""A solver for fairtrial: any command line."""

from fairtrial_solver_command.solver import CommandSolver

__all__ = ["CommandSolver"]
