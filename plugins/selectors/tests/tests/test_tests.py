import pytest
from attrs import evolve
from fairtrial.api import Candidate, Ending
from fairtrial.conformance import SelectorConformance
from fairtrial.conformance.fakes import FakeSelectionSession
from fairtrial_selector_tests import TestsSelector

ONE = Candidate(rollout=1, ending=Ending.FINISHED, tree="a", changed=("x",))


class TestTests(SelectorConformance):
    entry_point = "tests"

    @pytest.fixture
    def selector(self) -> TestsSelector:
        return TestsSelector(test_cmd=("make", "test"))


@pytest.mark.parametrize(
    ("codes", "picked", "runs"),
    [({1: 1, 2: 0, 3: 0}, 2, 2), ({1: 0}, 1, 1), ({1: 1, 2: 2, 3: 3}, 1, 3)],
)
def test_the_first_that_passes_is_picked_and_no_more_are_run(
    codes: dict[int, int], picked: int, runs: int
) -> None:
    candidates = [evolve(ONE, rollout=number) for number in (1, 2, 3)]
    session = FakeSelectionSession(candidates=candidates, codes=codes)
    assert picked == TestsSelector(test_cmd=("make", "test")).select(session)
    assert [(number, ("make", "test")) for number in (1, 2, 3)][:runs] == session.ran


def test_an_attempt_that_changed_nothing_comes_last() -> None:
    candidates = [evolve(ONE, changed=()), evolve(ONE, rollout=2)]
    session = FakeSelectionSession(candidates=candidates)
    assert 2 == TestsSelector(test_cmd=("true",)).select(session)


@pytest.mark.parametrize(
    ("passed", "picked"), [((False, True), 2), ((None, None), 1), ((None, True), 2)]
)
def test_without_a_command_the_projects_own_tests_count(
    passed: tuple[bool | None, ...], picked: int
) -> None:
    candidates = [
        evolve(ONE, rollout=place, tests_passed=outcome)
        for place, outcome in enumerate(passed, start=1)
    ]
    session = FakeSelectionSession(candidates=candidates)
    assert (picked, []) == (TestsSelector().select(session), session.ran)
