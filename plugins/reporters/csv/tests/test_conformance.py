import pytest
from fairtrial.conformance import ReporterConformance
from fairtrial_reporter_csv import CsvReporter


class TestCsv(ReporterConformance):
    entry_point = "csv"
    shows_dashes = False

    @pytest.fixture
    def reporter(self) -> CsvReporter:
        return CsvReporter()
