"""A reporter for fairtrial: the frontier as a terminal and Markdown table."""

from fairtrial_reporter_table.reporter import TableReporter

__all__ = ["TableReporter"]
