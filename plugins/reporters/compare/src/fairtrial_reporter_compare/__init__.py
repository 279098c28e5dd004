"""A reporter for fairtrial: two runs side by side, with their flips and their chance."""

from fairtrial_reporter_compare.reporter import CompareReporter

__all__ = ["CompareReporter"]
