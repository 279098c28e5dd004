"""A kit can't be weakened unseen, and says what it saw."""

import pytest
from fairtrial.api import Answerer, PluginRefused
from fairtrial.conformance import AnswererConformance, run_kit, self_check
from fairtrial.conformance.promise import Broken, NotJudged, may_only_raise, promise
from fairtrial.conformance.skeletons.answerer import EchoAnswerer


class Deleted(AnswererConformance):
    test_hard_questions_never_raise = None  # type: ignore[assignment]  # what is tested


class Overridden(AnswererConformance):
    def test_hard_questions_never_raise(self, answerer: Answerer) -> None:
        pass


class Skipped(AnswererConformance):
    @pytest.mark.skip(reason="later")
    def test_hard_questions_never_raise(self, answerer: Answerer) -> None:
        pass


class Unexplained(AnswererConformance):
    @pytest.mark.xfail
    def test_hard_questions_never_raise(self, answerer: Answerer) -> None:
        raise AssertionError


class Explained(AnswererConformance):
    @pytest.mark.xfail(reason="it can't read Greek yet")
    def test_hard_questions_never_raise(self, answerer: Answerer) -> None:
        raise AssertionError


class Extended(AnswererConformance):
    def test_of_its_own(self, answerer: Answerer) -> None:
        pass


@pytest.mark.parametrize("weakened", [Deleted, Overridden, Skipped, Unexplained])
def test_a_weakened_kit_is_told_by_the_name_of_the_test(
    weakened: type[AnswererConformance],
) -> None:
    with pytest.raises(Broken, match="test_hard_questions_never_raise"):
        weakened().test_kit_is_whole()


@pytest.mark.parametrize("whole", [Explained, Extended, AnswererConformance])
def test_an_explained_gap_and_an_extension_are_whole(whole: type[AnswererConformance]) -> None:
    whole().test_kit_is_whole()


def test_the_guard_itself_cannot_be_overridden() -> None:
    with pytest.raises(TypeError, match="test_kit_is_whole"):

        class Unguarded(AnswererConformance):
            def test_kit_is_whole(self) -> None:
                pass


def test_a_plugin_is_checked_by_name_together_with_its_packaging() -> None:
    outcomes = list(self_check("answerer", "prefer"))

    assert [] == [one for one in outcomes if not one.passed]
    assert "test_the_entry_point_leads_to_it" in {one.name for one in outcomes}


def test_an_outcome_says_what_was_seen() -> None:
    class Loud(EchoAnswerer):
        def answer(self, question: object, task: object, /) -> object:  # type: ignore[override]  # wrong on purpose
            return "yes"

    broken = {one.name: one.why for one in run_kit(AnswererConformance(), Loud())}

    assert "'yes' is no Answer" in broken["test_a_question_without_options_is_answered"]


def test_a_test_that_raises_by_itself_is_an_outcome_too() -> None:
    kit = AnswererConformance()

    outcomes = [one for one in run_kit(kit, object()) if one.passed is False]

    assert any("AttributeError" in one.why for one in outcomes)


def test_a_kept_promise_is_silent_and_a_broken_one_speaks() -> None:
    promise(True, "never said")
    with pytest.raises(Broken, match="said"):
        promise([], "said")


def test_an_error_that_is_allowed_passes_through() -> None:
    with pytest.raises(KeyError), may_only_raise(KeyError, words="only a KeyError"):
        raise KeyError("allowed")
    with pytest.raises(NotJudged), may_only_raise(words="nothing"):
        raise NotJudged("can't tell")
    with (
        pytest.raises(Broken, match="only a KeyError, but ValueError was raised: no"),
        may_only_raise(KeyError, words="only a KeyError"),
    ):
        raise ValueError("no")


def test_what_hangs_on_a_capability_is_not_judged_where_nobody_declared_it() -> None:
    unjudged = [one for one in self_check("meter", "estimator") if one.passed is None]

    assert ["test_an_estimate_never_says_measured"] == [one.name for one in unjudged]
    assert "`estimates` is for the plugin's author to declare" in unjudged[0].why


def test_a_plugin_with_a_field_to_fill_is_not_checked_by_name() -> None:
    with pytest.raises(PluginRefused) as caught:
        list(self_check("solver", "command"))

    assert "the solver “command” can't be checked by its name alone" == caught.value.problem
    assert {"needs": "argv"} == dict(caught.value.facts)


def test_an_instance_is_checked_together_with_its_packaging() -> None:
    outcomes = {
        one.name: one.passed
        for one in self_check("answerer", EchoAnswerer(), entry_point="prefer")
    }

    assert outcomes["test_the_entry_point_leads_to_it"] is False
