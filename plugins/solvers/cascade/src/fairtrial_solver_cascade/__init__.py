"""A solver for fairtrial: several solvers, one after the other, until one's work will do."""

from fairtrial_solver_cascade.solver import CascadeSolver

__all__ = ["CascadeSolver"]
