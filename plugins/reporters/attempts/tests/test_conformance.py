import pytest
from fairtrial.conformance import ReporterConformance
from fairtrial_reporter_attempts import AttemptsReporter


class TestAttempts(ReporterConformance):
    entry_point = "attempts"

    @pytest.fixture
    def reporter(self) -> AttemptsReporter:
        return AttemptsReporter()
