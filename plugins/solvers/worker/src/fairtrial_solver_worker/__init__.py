"""A solver for fairtrial: any headless worker, spoken to over a socket."""

from fairtrial_solver_worker.solver import WorkerSolver

__all__ = ["WorkerSolver"]
