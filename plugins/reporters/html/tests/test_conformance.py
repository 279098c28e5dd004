import pytest
from fairtrial.conformance import ReporterConformance
from fairtrial_reporter_html import HtmlReporter


class TestHtml(ReporterConformance):
    entry_point = "html"

    @pytest.fixture
    def reporter(self) -> HtmlReporter:
        return HtmlReporter()
