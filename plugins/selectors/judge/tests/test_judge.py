from pathlib import Path

import pytest
from attrs import frozen
from fairtrial.api import BudgetError, MachineError, Outlook
from fairtrial.conformance import SelectorConformance
from fairtrial.conformance.fakes import FakeSelectionSession, ScriptedSolver, ScriptedWorkspace
from fairtrial.conformance.selector import attempts, session
from fairtrial_selector_judge import JudgeSelector


@frozen(kw_only=True)
class Keyless(ScriptedSolver):
    """Says what it lacks."""

    lack: MachineError | None = None

    def lacks(self, outlook: Outlook, /) -> MachineError | None:
        return self.lack


JUDGE = JudgeSelector(solver=ScriptedSolver())


class TestJudge(SelectorConformance):
    entry_point = "judge"
    composes = True

    @pytest.fixture
    def selector(self) -> JudgeSelector:
        return JUDGE


@pytest.mark.parametrize(
    ("answer", "picked"),
    [
        ("2", 2),
        (" 3.diff\n", 3),
        ("9", None),
        ("0", None),
        ("the second", None),
        ("2 or 3", None),
        ("", None),
        (None, None),
    ],
)
def test_only_the_number_of_an_attempt_is_a_choice(answer: str | None, picked: int | None) -> None:
    chosen_from = FakeSelectionSession(candidates=attempts(4), answers=(answer,))
    assert picked == JUDGE.select(chosen_from)


def test_the_judge_sees_the_task_and_each_diff_and_no_verdict() -> None:
    chosen_from = session(attempts(3))
    JUDGE.select(chosen_from)
    ((prompt, files),) = chosen_from.asked
    assert chosen_from.brief.prompt in prompt
    assert "attempts-to-judge: 1.diff, 2.diff, 3.diff." in prompt
    assert "attempts-to-judge/choice.txt" in prompt
    assert [f"attempts-to-judge/{number}.diff" for number in (1, 2, 3)] == list(files)
    assert chosen_from.diffs[2] == files["attempts-to-judge/2.diff"]
    assert [] == chosen_from.peeked


def test_a_long_diff_is_cut_and_an_empty_one_said_to_be() -> None:
    candidates = attempts(2)
    chosen_from = FakeSelectionSession(candidates=candidates, diffs={1: "x" * 500})
    JudgeSelector(solver=ScriptedSolver(), longest_diff=10).select(chosen_from)
    ((_, files),) = chosen_from.asked
    assert ["x" * 10 + "\n[… the rest is left out …]\n", "(nothing was changed)\n"] == list(
        files.values()
    )


def test_nobody_is_asked_where_all_attempts_are_alike() -> None:
    chosen_from = FakeSelectionSession(candidates=attempts(3, trees=1))
    assert (1, []) == (JUDGE.select(chosen_from), chosen_from.asked)


def test_that_there_is_no_money_left_is_for_the_engine_to_record() -> None:
    with pytest.raises(BudgetError):
        JUDGE.select(session(attempts(3), broke=True))


def test_it_spends_as_its_solver_does() -> None:
    assert JUDGE.spends is None


def test_it_lacks_what_its_solver_lacks(tmp_path: Path) -> None:
    workspace = ScriptedWorkspace(root=tmp_path)
    lack = MachineError(problem="no key", way_on="set it")
    assert JUDGE.lacks(Outlook(workspace=workspace)) is None
    assert lack is JudgeSelector(solver=Keyless(lack=lack)).lacks(Outlook(workspace=workspace))
