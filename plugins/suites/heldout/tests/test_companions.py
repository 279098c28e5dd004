"""Counting decisions, retiring, versions and history."""

import pytest
from fairtrial_suite_heldout.companions import Change, Companion, Companions


def of(*decisions: tuple[str, int]) -> Companions:
    checks = tuple(
        Companion(id=name, family=name, file=f"{name}.py", decisions=count)
        for name, count in decisions
    )
    return Companions(version=4, checks=checks)


def test_a_second_decision_changes_no_version() -> None:
    after = of(("x", 1)).with_decisions({"x": 1}, "t")
    assert (4, 2, False) == (after.version, after.checks[0].decisions, after.checks[0].retired)


@pytest.mark.parametrize(("before", "more"), [(2, 1), (1, 2)])
def test_the_third_decision_retires_and_raises_the_version_once(before: int, more: int) -> None:
    after = of(("x", before)).with_decisions({"x": more}, "t")
    assert (5, 3, True) == (after.version, after.checks[0].decisions, after.checks[0].retired)
    assert (Change(version=5, at="t", retired=("x",)),) == after.history


def test_two_that_retire_in_one_run_share_a_row() -> None:
    after = of(("x", 2), ("y", 2), ("z", 0)).with_decisions({"x": 1, "y": 1, "z": 1}, "t")
    assert 5 == after.version
    assert [("x", "y")] == [row.retired for row in after.history]


def test_an_unknown_id_is_an_error() -> None:
    with pytest.raises(KeyError):
        of(("x", 0)).with_decisions({"y": 1}, "t")


def test_the_active_one_is_the_first_that_is_not_retired() -> None:
    found = Companions(
        checks=(
            Companion(id="a.1", family="a", file="1", retired=True),
            Companion(id="a.2", family="a", file="2"),
            Companion(id="a.3", family="a", file="3"),
        )
    )
    active = found.active("a")
    assert active is not None
    assert "a.2" == active.id
    assert found.active("b") is None


def test_retiring_what_is_retired_changes_nothing() -> None:
    once = of(("x", 0)).with_retired(["x"], "t")
    assert once is once.with_retired(["x"], "t")
