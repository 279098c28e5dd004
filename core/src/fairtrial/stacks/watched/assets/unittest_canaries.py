"""Checks whose outcome is known: `fails_…` must fail, `passes_…` must pass."""

# ruff: noqa: PT009, PT027 - these are unittest's own assertions, which is what is tried

import unittest

Case = unittest.TestCase


def fails_equal(case: Case) -> None:
    """Numbers that differ."""
    case.assertEqual(1, 2)


def fails_equal_texts(case: Case) -> None:
    """Texts that differ."""
    case.assertEqual("a", "b")


def fails_equal_lists(case: Case) -> None:
    """Lists that differ."""
    case.assertEqual([1], [2])


def fails_equal_tables(case: Case) -> None:
    """Tables that differ."""
    case.assertEqual({"a": 1}, {"a": 2})


def fails_equal_tuples(case: Case) -> None:
    """Tuples that differ."""
    case.assertEqual((1,), (2,))


def fails_equal_sets(case: Case) -> None:
    """Sets that differ."""
    case.assertEqual({1}, {2})


def fails_not_equal(case: Case) -> None:
    """Numbers that don't differ."""
    case.assertNotEqual(1, 1)


def fails_true(case: Case) -> None:
    """What is not true."""
    case.assertTrue([])


def fails_false(case: Case) -> None:
    """What is not false."""
    case.assertFalse([0])


def fails_same(case: Case) -> None:
    """Two objects."""
    case.assertIs([], [])


def fails_none(case: Case) -> None:
    """Something."""
    case.assertIsNone(0)


def fails_not_none(case: Case) -> None:
    """Nothing."""
    case.assertIsNotNone(None)


def fails_in(case: Case) -> None:
    """What is not in there."""
    case.assertIn(1, [2])


def fails_not_in(case: Case) -> None:
    """What is in there."""
    case.assertNotIn(1, [1])


def fails_instance(case: Case) -> None:
    """What is of another class."""
    case.assertIsInstance(1, str)


def fails_raises(case: Case) -> None:
    """What raises nothing."""
    case.assertRaises(ValueError, int, "1")


def fails_raises_within(case: Case) -> None:
    """A block that raises nothing."""
    with case.assertRaises(ValueError):
        int("1")


def fails_raises_matching(case: Case) -> None:
    """A block that raises something else."""
    with case.assertRaisesRegex(ValueError, "another text"):
        int("x")


def fails_greater(case: Case) -> None:
    """What is less."""
    case.assertGreater(1, 2)


def fails_less(case: Case) -> None:
    """What is greater."""
    case.assertLess(2, 1)


def fails_almost(case: Case) -> None:
    """Numbers that differ by a lot."""
    case.assertAlmostEqual(1.0, 1.5)


def fails_count(case: Case) -> None:
    """Lists of other things."""
    case.assertCountEqual([1, 2], [2, 3])


def fails_regex(case: Case) -> None:
    """A text that does not match."""
    case.assertRegex("a", "b")


def fails_by_itself(case: Case) -> None:
    """What gives up."""
    case.fail()


def fails_by_error(case: Case) -> None:
    """What breaks."""
    raise LookupError(case)


def fails_by_assertion(case: Case) -> None:
    """What raises as an assertion does."""
    raise AssertionError(case)


def passes_equal(case: Case) -> None:
    """What is equal in many ways."""
    case.assertEqual(1, 1)
    case.assertEqual({"a": [1]}, {"a": [1]})
    case.assertNotEqual(1, 2)


def passes_raises(case: Case) -> None:
    """What raises as it should."""
    with case.assertRaises(ValueError):
        int("x")


def passes_true(case: Case) -> None:
    """What is true."""
    case.assertTrue([0])
    case.assertFalse([])
    case.assertIn(1, [1])
