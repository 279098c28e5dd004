"""The suite: the inner one as it is, a second opinion, and what is written up."""

from pathlib import Path

import pytest
from fairtrial.api import CheckKind, ConfigError, Fence, SuiteError, Workspace
from fairtrial.conformance import SuiteConformance
from fairtrial.conformance.fakes import open_local
from fairtrial_suite_heldout import HeldoutSuite


class TestHeldout(SuiteConformance):
    entry_point = "heldout"
    composes = True

    @pytest.fixture
    def suite(self, place) -> HeldoutSuite:
        place.companion()
        return place.suite

    @pytest.fixture
    def plugin(self, suite) -> HeldoutSuite:
        return suite


SECRET = "the-secret-input"
LEAKY = (
    "from twice import double\n\n\ndef test_others():\n"
    f"    print('{SECRET}')\n    assert double(7) == 14, '{SECRET}'\n"
)


def seeded(suite: HeldoutSuite, workspace: Workspace, text: str) -> None:
    (task,) = suite.tasks()
    suite.seed(task, workspace)
    (workspace.root / "twice.py").write_text(text)


def test_what_overfits_passes_the_one_and_fails_the_other(place) -> None:
    place.companion(LEAKY)
    suite = place.suite
    (task,) = suite.tasks()
    overfit = "def double(n):\n    return 6 if n == 3 else n\n"
    with open_local("visible", Fence()) as room:
        seeded(suite, room, overfit)
        assert suite.grade(task, room).resolved is True
    with open_local("held-out", Fence()) as room:
        seeded(suite, room, overfit)
        check = suite.grade_held_out(task, room)
    assert (CheckKind.HELD_OUT, "twice.1", False) == (check.kind, check.name, check.passed)
    assert SECRET not in repr(check)


def test_every_family_without_a_companion_is_named_before_anything_is_spent(place) -> None:
    place.companion(family="other")
    suite = place.suite
    with pytest.raises(SuiteError, match="no active held-out check for twice"):
        suite.preflight(tuple(suite.tasks()))
    assert ["family “twice” has no active held-out check"] == [
        fault.problem for fault in suite.faults() if fault.rule == "held-out"
    ]


def test_tasks_that_can_be_read_are_those_of_the_inner_suite(place) -> None:
    broken = place.root / "tasks/broken/task.toml"
    broken.parent.mkdir()
    broken.write_text("name = 3\n")
    suite = place.suite
    with pytest.raises(SuiteError):
        tuple(suite.tasks())
    assert ["twice"] == [task.id for task in suite.readable()]


def test_a_set_inside_the_work_tree_is_refused(place) -> None:
    suite = HeldoutSuite(inner=place.inner, companions=place.root / "set", root=place.root)
    with pytest.raises(ConfigError, match="lies inside the work tree"):
        suite.held_out_version()


def test_no_sandbox_sees_the_set(place) -> None:
    place.companion()
    suite = place.suite
    (task,) = suite.tasks()
    assert place.set in suite.equip(task).hidden
    assert place.root / "tasks" in suite.equip(task).hidden


def test_a_task_of_the_inner_suite_that_can_not_be_read_is_told_once(place) -> None:
    place.companion()
    (place.root / "tasks/twice/task.toml").write_text("timeout_s = []\n")
    problems = [fault.problem for fault in place.suite.faults()]
    assert 1 == len(problems), problems


def test_what_is_scored_is_what_was_there_before_the_run(place) -> None:
    place.companion()
    suite = place.suite
    (task,) = suite.tasks()
    suite.preflight([task])
    (place.set / "twice.1.py").write_text("def test_others():\n    assert False\n")
    with open_local("held-out", Fence()) as room:
        seeded(suite, room, "def double(n):\n    return n * 2\n")
        assert suite.grade_held_out(task, room).passed is True


def test_a_run_counts_a_decision_a_task_however_often_it_was_scored(place) -> None:
    place.companion()
    suite = place.suite
    assert {"version": 2} == suite.conclude({"twice": [True, False, None, True]})
    assert 1 == place.keeper.read().checks[0].decisions


def test_a_task_that_was_never_scored_is_no_decision(place) -> None:
    place.companion()
    assert {"version": 2} == place.suite.conclude({"twice": [None], "gone": []})
    assert 0 == place.keeper.read().checks[0].decisions


def test_the_third_decision_makes_the_next_version(place) -> None:
    place.companion()
    for _ in range(2):
        place.suite.conclude({"twice": [True]})
    suite = place.suite
    assert {"version": 2, "next_version": 3} == suite.conclude({"twice": [False]})
    with pytest.raises(SuiteError, match="no active held-out check for twice"):
        place.suite.preflight(tuple(suite.tasks()))


def test_its_verdicts_compare_with_those_of_the_inner_suite(place) -> None:
    place.companion()
    assert place.inner.version == place.suite.version
    assert list(place.inner.tasks()) == list(place.suite.tasks())


def test_a_relative_place_is_taken_from_the_current_directory(
    place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.companion()
    monkeypatch.chdir(place.set.parent)
    suite = HeldoutSuite(inner=place.inner, companions=Path("set"), root=place.root)
    assert "2" == suite.held_out_version()
