import time

import pytest
from fairtrial.stacks.counts import cargo_ran, go_ran, node_ran, pytest_ran, unittest_ran

SOON_S = 5.0
"""Seconds; where time grows with the square of a text, minutes would go by."""


@pytest.mark.parametrize(
    ("text", "ran"),
    [
        ("..\n----\nRan 2 tests in 0.001s\n\nOK\n", 2),
        ("Ran 1 test in 0.001s\n\nFAILED (failures=1)", 1),
        ("Ran 3 tests in 0.001s\n\nOK (skipped=3)", 0),
        ("Ran 0 tests in 0.000s\n\nOK", 0),
        ("NO TESTS RAN", 0),
        ("", None),
        ("I ran 4 tests", None),
    ],
)
def test_unittest_says_how_many_ran(text, ran):
    assert ran == unittest_ran(text)


@pytest.mark.parametrize(
    ("text", "ran"),
    [
        ("...\n3 passed in 0.01s\n", 3),
        ("==== 1 failed, 2 passed, 1 skipped in 1.20s ====", 3),
        ("2 passed, 1 warning, 1 error in 61.01s (0:01:01)", 3),
        ("no tests ran in 0.00s", 0),
        ("5 skipped in 0.10s", 0),
        ("4 deselected in 0.10s", 0),
        ("1 xfailed in 0.10s", 1),
        ("", None),
    ],
)
def test_pytest_says_how_many_ran(text, ran):
    assert ran == pytest_ran(text)


@pytest.mark.parametrize(
    ("text", "ran"),
    [
        ("# tests 4\n# pass 4\n# skipped 0\n# todo 0", 4),
        ("ℹ tests 4\nℹ pass 1\nℹ skipped 2\nℹ todo 1", 1),
        ("# tests 0\n", 0),
        ("ok", None),
    ],
)
def test_node_says_how_many_ran(text, ran):
    assert ran == node_ran(text)


@pytest.mark.parametrize(
    ("text", "ran"),
    [
        ("ok  \texample\t0.002s", 1),
        ("--- FAIL: TestA (0.00s)\nFAIL\texample\t0.002s", 1),
        ("?   \texample\t[no test files]", 0),
        ("ok  \texample\t0.002s [no tests to run]", 0),
        ("--- PASS: TestA (0.00s)\n    --- PASS: TestA/b (0.00s)\nok  \tx\t0.1s", 2),
        ("go: no such command", None),
    ],
)
def test_go_says_how_many_ran(text, ran):
    assert ran == go_ran(text)


def test_cargo_sums_over_targets():
    text = (
        "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n"
        "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n"
    )
    assert cargo_ran(text) == 6
    assert cargo_ran("test result: ok. 0 passed; 0 failed; 0 ignored;") == 0
    assert cargo_ran("error: could not compile") is None


ENDLESS = "9" * 5000
"""More digits than Python reads."""


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (unittest_ran, f"Ran {ENDLESS} tests in 0.001s"),
        (unittest_ran, f"Ran 1 test in 0.001s\nOK (skipped={ENDLESS})"),
        (pytest_ran, f"{ENDLESS} passed in 0.01s"),
        (node_ran, f"# tests {ENDLESS}\n# skipped {ENDLESS}"),
        (cargo_ran, f"test result: ok. {ENDLESS} passed; {ENDLESS} failed;"),
    ],
)
def test_a_count_that_nobody_could_have_run_is_none(count, text):
    assert count(text) in (None, 1)


def test_empty_lines_without_end_are_read_at_once():
    start = time.process_time()
    assert go_ran("\n" * 200_000) is None
    assert time.process_time() - start < SOON_S
