"""A solver for fairtrial: Anthropic's Claude Code."""

from fairtrial_solver_claude.solver import ClaudeSolver

__all__ = ["ClaudeSolver"]
