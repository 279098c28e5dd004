"""What the graded code prints of results that no run has had is read, and at once."""

import json
import time
from pathlib import PurePosixPath

import pytest
from fairtrial.stacks.watched import cargo, go
from fairtrial.stacks.watched.node import DEEPEST, _Reader
from fairtrial.stacks.watched.room import room_in

MANY = 20_000
SOON_S = 5.0
"""Seconds; where time grows with the square of a report, minutes would go by."""


def event(**told: object) -> str:
    return json.dumps(told) + "\n"


def names() -> list[str]:
    return [f"a{number}" for number in range(MANY)]


REPORTS = {
    "cargo, failures": (cargo.read_report, "".join(f"test {n} ... FAILED\n" for n in names())),
    "cargo, targets": (
        cargo.read_report,
        "".join(f"test {n} ... ok\n" for n in names()) + "Running x\n" * MANY,
    ),
    "cargo, empty lines": (cargo.read_report, "\n" * 10 * MANY),
    "cargo, notes": (cargo.read_report, "---- a stdout ----\n" * MANY),
    "go, failures": (
        go.read,
        "".join(event(Action="fail", Package="p", Test=name) for name in names()),
    ),
    "go, packages": (
        go.read,
        "".join(
            event(Action="pass", Package="p", Test=name) + event(Action="fail", Package=name)
            for name in names()
        ),
    ),
}


@pytest.mark.parametrize("kind", REPORTS)
def test_results_without_end_are_read_at_once(kind):
    read, text = REPORTS[kind]
    start = time.process_time()
    read(text)
    assert time.process_time() - start < SOON_S


@pytest.mark.parametrize(
    "line", ["running {} tests", "test result: ok. {} passed; 0 failed; {} ignored; 0 measured"]
)
def test_a_count_with_more_digits_than_can_be_read_is_none(line):
    text = line.replace("{}", "9" * 5000) + "\ntest a ... ok\n"
    assert [("a", True)] == [(one.name, one.passed) for one in cargo.read_report(text).seen]


def test_a_note_goes_with_the_test_that_it_is_of():
    text = (
        "running 2 tests\ntest a::b ... FAILED\ntest c ... FAILED\n"
        "---- a::b stdout ----\nfirst\n---- c stdout ----\nsecond\nfailures:\n"
        "test result: FAILED. 0 passed; 2 failed; 0 ignored;\n"
    )
    told = cargo.read_report("Running tests/x.rs (y)\n" + text)
    assert told.whole
    assert {"tests/x.rs::a::b": "first", "tests/x.rs::c": "second"} == {
        one.name: one.note for one in told.seen
    }
    lines = event(Action="output", Package="p", Test="T", Output="no\n")
    told = go.read(lines + event(Action="fail", Package="p", Test="T"))
    assert [("p::T", "no\n")] == [(one.name, one.note) for one in told.seen]


def test_tests_nested_without_end_are_named_as_deep_as_honest_ones(workspace):
    with room_in(workspace) as room:
        reader = _Reader("secret", room, {})
        lines = (
            "secret " + event(type="test:pass", name="t", file="x", nesting=depth)
            for depth in range(3 * DEEPEST)
        )
        told = reader.read("".join(lines) + "secret " + event(type="end"))
    assert told.whole
    assert DEEPEST == told.seen[-1].name.count(" > ")
    assert PurePosixPath("x") == PurePosixPath(told.seen[-1].name.partition("::")[0])
