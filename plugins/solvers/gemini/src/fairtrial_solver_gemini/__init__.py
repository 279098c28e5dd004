"""A solver for fairtrial: Google's Gemini CLI."""

from fairtrial_solver_gemini.solver import GeminiSolver

__all__ = ["GeminiSolver"]
