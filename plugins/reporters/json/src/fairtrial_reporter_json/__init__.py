"""A reporter for fairtrial: every figure as JSON with a published schema."""

from fairtrial_reporter_json.reporter import JsonReporter

__all__ = ["JsonReporter"]
