"""The kit of the kind `answerer`."""

from typing import ClassVar

from fairtrial.api import Answer, Answerer, Option, Question
from fairtrial.conformance.base import Conformance
from fairtrial.conformance.fakes.suite import sample_task
from fairtrial.conformance.promise import may_only_raise, promise, same
from fairtrial.conformance.watch import watch

OFFERED = ("Round down", "Round up", "Спросить ещё раз", "四捨五入", "")
CHOICE = Question(text="Which way?", options=tuple(Option(label=label) for label in OFFERED))
HARD_QUESTIONS = (
    Question(text="", options=CHOICE.options),
    Question(text="?" * 100_000, options=CHOICE.options),
    Question(text="--help\n\x00{text}%s", options=(Option(label="--yes"),)),
    Question(text="Twice?", options=(Option(label="same"), Option(label="same"))),
    Question(text="Ποιο; 哪个? কোনটি?", options=CHOICE.options, multi_select=True),
)


class RequiredAnswerer(Conformance):
    """What every answerer promises."""

    kind: ClassVar[str] = "answerer"

    def test_a_question_without_options_is_answered(self, answerer: Answerer) -> None:
        """A free question gets an answer that picks nothing."""
        with may_only_raise(words="a free question must be answered"):
            answer = answerer.answer(Question(text="Why?"), sample_task())
        promise(isinstance(answer, Answer), f"{answer!r} is no Answer")
        same((), answer.picked, "there was nothing to pick from")

    def test_only_what_is_offered_is_picked(self, answerer: Answerer) -> None:
        """What is picked is among the options."""
        for preferences in ((), ("up",), ("nothing like it",)):
            answer = answerer.answer(CHOICE, sample_task(preferences=preferences))
            strange = [label for label in answer.picked if label not in OFFERED]
            promise(not strange, f"picked what was never offered: {strange}")

    def test_one_of_several_is_picked_where_one_is_asked_for(self, answerer: Answerer) -> None:
        """A question that isn't `multi_select` gets one label at most."""
        answer = answerer.answer(CHOICE, sample_task())
        promise(len(answer.picked) <= 1, f"one label was asked for, not {answer.picked!r}")

    def test_hard_questions_never_raise(self, answerer: Answerer) -> None:
        """Empty, huge, doubled and foreign questions are answered all the same."""
        for question in HARD_QUESTIONS:
            with may_only_raise(words="an answerer must not raise"):
                answerer.answer(question, sample_task(preferences=("", "x" * 10_000)))

    def test_who_answered_is_said(self, answerer: Answerer) -> None:
        """`by` names the answerer, so that a record tells a person from a rule."""
        promise(answerer.answer(CHOICE, sample_task()).by, "`by` is empty")

    def test_it_touches_nothing(self, answerer: Answerer) -> None:
        """It writes no file, starts no program and connects to nothing."""
        with watch() as seen:
            answerer.answer(CHOICE, sample_task())
        same([], [*seen.written, *seen.children, *seen.connected], "it touched the machine")


class OptionalAnswerer(Conformance):
    """What an answerer promises besides, by its capabilities."""

    is_person: ClassVar[bool] = False
    """Whether a person answers, whose answers may differ from one time to the next."""

    picks: ClassVar[bool] = True
    """Whether it picks one where options are offered; one that refuses, or may be absent, doesn't."""

    def test_an_option_is_picked_as_declared(self, answerer: Answerer) -> None:
        """Where options are offered, one is picked, unless the answerer says that it may refuse."""
        picked = bool(answerer.answer(CHOICE, sample_task()).picked)
        promise(picked or not self.declared("picks"), "options were offered, and none was picked")

    def test_the_same_question_gets_the_same_answer(self, answerer: Answerer) -> None:
        """For a fixed task and question the answer is fixed, unless a person gives it."""
        first, second = (answerer.answer(CHOICE, sample_task()) for _ in range(2))
        promise(first == second or self.declared("is_person"), f"{first!r} and then {second!r}")


class AnswererConformance(RequiredAnswerer, OptionalAnswerer):
    """The kit: give it a fixture `answerer`."""
