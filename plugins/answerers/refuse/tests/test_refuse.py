import pytest
from fairtrial.api import Answer, Answerer, Option, Question
from fairtrial.conformance import AnswererConformance
from fairtrial.conformance.fakes import sample_task
from fairtrial_answerer_refuse import RefuseAnswerer


class TestRefuse(AnswererConformance):
    entry_point = "refuse"
    picks = False

    @pytest.fixture
    def answerer(self) -> Answerer:
        return RefuseAnswerer()


def test_nothing_is_picked_and_the_agent_is_told_so() -> None:
    question = Question(text="?", options=(Option(label="a"),))
    answer = RefuseAnswerer(text="No.").answer(question, sample_task())
    assert Answer(text="No.", by="refuse") == answer
