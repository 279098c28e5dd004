"""A suite for fairtrial: another suite, graded once more by checks that no agent has seen."""

from fairtrial_suite_heldout.suite import HeldoutSuite

__all__ = ["HeldoutSuite"]
