import pytest
from fairtrial.conformance import ReporterConformance
from fairtrial_reporter_table import TableReporter


class TestTable(ReporterConformance):
    entry_point = "table"

    @pytest.fixture
    def reporter(self) -> TableReporter:
        return TableReporter()
