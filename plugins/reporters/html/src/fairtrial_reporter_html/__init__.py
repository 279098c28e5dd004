"""A reporter for fairtrial: a run as one page to look at."""

from fairtrial_reporter_html.reporter import HtmlReporter

__all__ = ["HtmlReporter"]
