"""A reporter for fairtrial: one line a trial, for spreadsheets."""

from fairtrial_reporter_csv.reporter import CsvReporter

__all__ = ["CsvReporter"]
