"""Checks for pytest whose outcome is known: `fails_…` must fail, `passes_…` must pass."""

# ruff: noqa: S101, PT009, PT027, FURB171 - assertions of every kind are what is tried

import unittest

import pytest

Case = unittest.TestCase


def fails_assert(case: Case) -> None:
    """Numbers that differ."""
    left, right = 1, 2
    assert left == right, case


def fails_assert_lists(case: Case) -> None:
    """Lists that differ."""
    assert [1, 2] == [1, 3], case


def fails_assert_texts(case: Case) -> None:
    """Texts that differ."""
    left, right = "a", "b"
    assert left == right, case


def fails_assert_in(case: Case) -> None:
    """What is not in there."""
    assert case not in {case}


def fails_assert_false(case: Case) -> None:
    """What is not true."""
    empty: list[int] = []
    assert empty, case


def fails_raises(case: Case) -> None:
    """A block that raises nothing."""
    with pytest.raises(ValueError, match="x"):
        int(f"{case.countTestCases()}")


def fails_raises_other(case: Case) -> None:
    """A block that raises something else."""
    with pytest.raises(ValueError, match="x"):
        raise KeyError(case)


def fails_approximately(case: Case) -> None:
    """Numbers that differ by a lot."""
    near = 1.5
    assert near == pytest.approx(1.0), case


def fails_by_itself(case: Case) -> None:
    """What gives up."""
    pytest.fail(str(case))


def fails_by_error(case: Case) -> None:
    """What breaks."""
    raise LookupError(case)


def fails_unittest_equal(case: Case) -> None:
    """Numbers that differ, said as unittest does."""
    case.assertEqual(1, 2)


def fails_unittest_true(case: Case) -> None:
    """What is not true, said as unittest does."""
    case.assertTrue([])


def fails_unittest_raises(case: Case) -> None:
    """A block that raises nothing, said as unittest does."""
    with case.assertRaises(ValueError):
        int("1")


def passes_assert(case: Case) -> None:
    """What is equal."""
    assert [case] == [case]
    assert pytest.approx(1.0) == 1.0 + 1e-9


def passes_raises(case: Case) -> None:
    """What raises as it should."""
    with pytest.raises(ValueError, match="literal"):
        int(f"{case}")
