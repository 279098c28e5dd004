import pytest
from fairtrial.conformance import ReporterConformance
from fairtrial_reporter_compare import CompareReporter


class TestCompare(ReporterConformance):
    entry_point = "compare"
    takes = 2

    @pytest.fixture
    def reporter(self) -> CompareReporter:
        return CompareReporter()
