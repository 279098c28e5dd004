import pytest
from fairtrial.conformance import SelectorConformance
from fairtrial.conformance.fakes import FakeSelectionSession
from fairtrial.conformance.selector import attempts
from fairtrial_selector_oracle import OracleSelector


class TestOracle(SelectorConformance):
    entry_point = "oracle"
    is_upper_bound = True

    @pytest.fixture
    def selector(self) -> OracleSelector:
        return OracleSelector()


@pytest.mark.parametrize(
    ("verdicts", "picked"),
    [({1: False, 3: True, 4: True}, 3), ({1: False, 2: False}, 1), ({}, 1), ({4: True}, 4)],
)
def test_the_first_that_resolved_the_task_is_picked(
    verdicts: dict[int, bool], picked: int
) -> None:
    session = FakeSelectionSession(candidates=attempts(4), verdicts=verdicts)
    assert picked == OracleSelector().select(session)
