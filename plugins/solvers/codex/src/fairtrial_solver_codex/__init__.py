"""A solver for fairtrial: OpenAI's Codex CLI."""

from fairtrial_solver_codex.solver import CodexSolver

__all__ = ["CodexSolver"]
