"""A reporter for fairtrial: inside each attempt: tools, time, and what its tokens went on."""

from fairtrial_reporter_attempts.reporter import AttemptsReporter

__all__ = ["AttemptsReporter"]
