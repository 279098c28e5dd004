"""An auditor for fairtrial: what an agent did that a fair score forbids, from its log."""

from fairtrial_auditor_trajectory.auditor import TrajectoryAuditor

__all__ = ["TrajectoryAuditor"]
