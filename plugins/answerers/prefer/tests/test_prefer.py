import pytest
from attrs import evolve
from fairtrial.api import Answer, Answerer, Option, Question
from fairtrial.conformance import AnswererConformance
from fairtrial.conformance.fakes import sample_task
from fairtrial_answerer_prefer import PreferAnswerer

PREFERENCES = ("round up", "ceil")


class TestPrefer(AnswererConformance):
    entry_point = "prefer"

    @pytest.fixture
    def answerer(self) -> Answerer:
        return PreferAnswerer()


def picked(
    *labels: str, preferences: tuple[str, ...] = PREFERENCES, multi_select: bool = False
) -> tuple[str, ...]:
    options = tuple(Option(label=label) for label in labels)
    question = Question(text="How?", options=options, multi_select=multi_select)
    return PreferAnswerer().answer(question, sample_task(preferences=preferences)).picked


def test_a_preferred_word_is_found_without_regard_to_case() -> None:
    assert ("Round Up always",) == picked("Round down", "Round Up always")


def test_without_a_preferred_word_the_first_option_is_picked() -> None:
    assert ("Truncate",) == picked("Truncate", "Banker's")


def test_the_order_of_the_options_wins_over_that_of_the_words() -> None:
    assert ("Use ceil()",) == picked("Use ceil()", "Round up")


def test_where_several_may_be_picked_one_is() -> None:
    assert ("round up",) == picked("A", "round up", multi_select=True)


def test_a_free_question_gets_an_empty_answer() -> None:
    answer = PreferAnswerer().answer(Question(text="Why?"), sample_task(preferences=PREFERENCES))

    assert Answer(picked=(), text="", by="prefer") == answer


def test_a_task_without_preferences_gets_the_first_option() -> None:
    assert ("one",) == picked("one", "two", preferences=())


def test_an_empty_word_prefers_nothing() -> None:
    assert ("two",) == picked("one", "two", preferences=("", "two"))


def test_letters_that_grow_in_upper_case_are_compared_too() -> None:
    assert ("GROSS",) == picked("klein", "GROSS", preferences=("groß",))


def test_a_description_is_no_label() -> None:
    options = (Option(label="one"), Option(label="two", description="round up"))
    question = Question(text="How?", options=options)

    answer = PreferAnswerer().answer(question, evolve(sample_task(), preferences=PREFERENCES))

    assert ("one",) == answer.picked
