import pytest
from attrs import evolve
from fairtrial.api import Candidate, Ending
from fairtrial.conformance import SelectorConformance
from fairtrial.conformance.fakes import FakeSelectionSession
from fairtrial_selector_vote import VoteSelector


class TestVote(SelectorConformance):
    entry_point = "vote"

    @pytest.fixture
    def selector(self) -> VoteSelector:
        return VoteSelector()


@pytest.mark.parametrize(
    ("trees", "picked"),
    [("abbc", 2), ("abcb", 2), ("abab", 1), ("abc", 1), ("a", 1), ("--b", 3), ("--", 1)],
)
def test_most_votes_win_then_the_first_and_no_change_has_none(trees: str, picked: int) -> None:
    blank = Candidate(rollout=1, ending=Ending.FINISHED, tree="")
    candidates = [
        evolve(blank, rollout=place, tree=tree, changed=() if tree == "-" else ("x",))
        for place, tree in enumerate(trees, start=1)
    ]
    session = FakeSelectionSession(candidates=candidates)
    assert picked == VoteSelector().select(session)
    assert [] == session.peeked
