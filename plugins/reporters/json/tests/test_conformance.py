import pytest
from fairtrial.conformance import ReporterConformance
from fairtrial_reporter_json import JsonReporter


class TestJson(ReporterConformance):
    entry_point = "json"
    shows_dashes = False

    @pytest.fixture
    def reporter(self) -> JsonReporter:
        return JsonReporter()
