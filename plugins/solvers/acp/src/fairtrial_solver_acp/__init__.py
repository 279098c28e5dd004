"""A solver for fairtrial: any agent that speaks the Agent Client Protocol."""

from fairtrial_solver_acp.solver import AcpSolver

__all__ = ["AcpSolver"]
