"""The failures of an attempt, in their order: time, delivery, checks, scope, questions."""

from collections.abc import Sequence
from pathlib import PurePosixPath

import pytest
from fairtrial.api import (
    Answer,
    Attempt,
    Change,
    Check,
    CheckKind,
    Ending,
    Exchange,
    Patch,
    Question,
    Verdict,
)
from fairtrial.conformance.fakes import sample_task
from fairtrial.engine.attempt import Outcome
from fairtrial.engine.conduct import judged, outside_scope
from fairtrial.engine.plan import Cell

TASK = sample_task(allowed=("src/a.py",), questions_expected=0)


def outcome(
    ending: Ending = Ending.FINISHED,
    *,
    asked: int = 0,
    events: int = 3,
    submission: str | None = None,
) -> Outcome:
    exchange = Exchange(question=Question(text="Which?"), answer=Answer(by="canned"))
    return Outcome(
        attempt=Attempt(ending=ending, submission=submission),
        wall_s=20.0,
        metered=None,
        energy=(),
        exchanges=(exchange,) * asked,
        events=events,
        enforced={},
    )


def verdict(*, check: bool = True, tests: bool | None = True) -> Verdict:
    checks = (
        Check(name="hidden check", kind=CheckKind.VISIBLE, passed=check, code="hidden-check"),
        Check(name="regression", kind=CheckKind.REGRESSION, passed=tests, code="tests"),
    )
    return Verdict(checks=checks, suite_version="1")


def patch(*paths: str) -> Patch:
    return Patch(changes=tuple(Change(path=PurePosixPath(path), after=b"x") for path in paths))


def failures(
    said: Outcome,
    changed: Sequence[str] = ("src/a.py",),
    told: Verdict | None = None,
    **task: object,
) -> list[tuple[str, str]]:
    cell = Cell(task=_task(**task), solver="s", rollout=1)
    found = judged(told or verdict(), cell, said, patch(*changed))
    return [(check.code, check.why) for check in found.failures]


def _task(**changes: object) -> object:
    fields = {"allowed": TASK.allowed, "questions_expected": 0, **changes}
    return sample_task(**fields)


def codes(*arguments: object, **more: object) -> list[str]:
    return [code for code, _ in failures(*arguments, **more)]  # type: ignore[arg-type]  # passed on


def test_all_good_is_no_failure() -> None:
    assert [] == failures(outcome())


def test_failures_come_in_their_order() -> None:
    found = failures(outcome(asked=2), ("b.py", "src/a.py"), verdict(check=False, tests=False))
    assert ["hidden-check", "tests", "scope", "questions"] == [code for code, _ in found]
    assert ["files outside the task: b.py", "asked 2 questions, expected 0"] == [
        why for _, why in found[2:]
    ]


def test_nothing_delivered_is_the_only_failure() -> None:
    said = outcome()
    assert [("no-submission", "no submission (no changes)")] == failures(said, ())
    assert ["no-submission"] == codes(said, (), verdict(check=False, tests=False))


def test_out_of_time_without_a_delivery_is_two_failures() -> None:
    found = failures(outcome(Ending.TIMED_OUT), ())
    assert [
        ("timeout", "timed out (timeout) after 20.0 s"),
        ("no-submission", "no submission (timed-out)"),
    ] == found


def test_a_good_delivery_that_came_too_late_fails_for_that_alone() -> None:
    assert ["timeout"] == codes(outcome(Ending.TIMED_OUT))


@pytest.mark.parametrize(
    ("expected", "asked", "why"),
    [
        (1, 1, None),
        (1, 0, "asked 0 questions, expected 1"),
        (0, 1, "asked 1 question, expected 0"),
        (2, 3, "asked 3 questions, expected 2"),
        (None, 5, None),
    ],
)
def test_questions_must_be_as_many_as_expected(
    expected: int | None, asked: int, why: str | None
) -> None:
    found = failures(outcome(asked=asked), questions_expected=expected)
    assert [("questions", why)] * (why is not None) == found


def test_without_a_trajectory_questions_are_not_judged() -> None:
    assert [] == failures(outcome(events=0), questions_expected=1)


def test_questions_are_judged_also_where_nothing_was_delivered() -> None:
    assert ["no-submission", "questions"] == codes(outcome(asked=1), ())


def test_tests_that_could_not_run_are_no_failure_of_the_agents() -> None:
    assert [] == failures(outcome(), told=verdict(tests=None))


def test_a_task_that_wants_no_delivery_is_graded_as_it_is() -> None:
    assert ["hidden-check"] == codes(
        outcome(), (), verdict(check=False), submission_expected=False
    )


def test_a_delivery_elsewhere_is_a_delivery() -> None:
    assert [] == failures(outcome(submission="https://example.org/pull/3"), ())


def test_scope_is_by_whole_paths_in_the_order_of_the_changes() -> None:
    task = sample_task(allowed=("src/a.py",))
    assert ("src", "src/a.py.bak", "SRC/a.py") == outside_scope(
        task, patch("src", "src/a.py.bak", "src/a.py", "SRC/a.py")
    )
    assert () == outside_scope(sample_task(allowed=None), patch("anything"))
    assert ("src/a.py",) == outside_scope(sample_task(allowed=()), patch("src/a.py"))


def test_control_arms_are_judged_by_the_suite_alone() -> None:
    cell = Cell(task=TASK, solver="reference", rollout=1)
    told = verdict()
    assert told == judged(told, cell, outcome(Ending.TIMED_OUT, asked=4), patch("b.py"))
