import pytest
from fairtrial.api import Answer, Answerer, Option, Question
from fairtrial.conformance import AnswererConformance
from fairtrial.conformance.fakes import sample_task
from fairtrial_answerer_first import FirstAnswerer


class TestFirst(AnswererConformance):
    entry_point = "first"

    @pytest.fixture
    def answerer(self) -> Answerer:
        return FirstAnswerer()


def test_the_first_option_is_picked_whatever_the_task_prefers() -> None:
    question = Question(text="?", options=(Option(label="a"), Option(label="b")))
    answer = FirstAnswerer().answer(question, sample_task(preferences=("b",)))
    assert Answer(picked=("a",), by="first") == answer


def test_without_options_the_answer_is_empty() -> None:
    assert Answer(by="first") == FirstAnswerer().answer(Question(text="?"), sample_task())
