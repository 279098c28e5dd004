"""Tasks whose hidden check is a probe, and tasks that name the tests that decide."""

import json

import pytest
from fairtrial.api import SuiteError
from fairtrial_suite_folder import FolderSuite

TASK = """
name = "clock"
prompt = "The clock is one off."
stack = "python"

[probe]
file = "check/probe.py"
cases = "check/cases.toml"
timeout_s = 20
"""
PROBE = """
from fairtrial_probe import serve

def tick(at):
    import clock
    return clock.tick(at)

serve(tick)
"""
CASES = """
[[cases]]
name = "one"
call = "tick"
args = [1]
expect = 2

[[cases]]
call = "tick"
args = ["x"]
raises = "TypeError"
isolate = true
"""


@pytest.fixture
def probed(folder):
    def write(task: str = TASK, cases: str = CASES, name: str = "cases.toml"):
        folder.clock(task)
        folder.write("clock/check/probe.py", PROBE)
        folder.write(f"clock/check/{name}", cases)

    return write


def test_the_bare_tree_fails_and_the_reference_passes(probed, graded, fix):
    probed()
    (bare,) = graded().checks
    assert ("probe", False, "hidden-check") == (bare.name, bare.passed, bare.code)
    assert "one: wanted 2, got 1" == bare.why.splitlines()[0]
    verdict = graded(fix())
    assert (True, 1) == (verdict.resolved, len(verdict.checks))
    assert "2 of 2 cases" in verdict.output


def test_cases_in_json_may_expect_nothing(probed, graded):
    cases = {"cases": [{"call": "tick", "args": [None], "expect": None}]}
    probed(TASK.replace("cases.toml", "cases.json"), json.dumps(cases), "cases.json")
    assert graded().resolved is True


def test_code_that_exits_well_has_failed(probed, graded):
    probed()
    verdict = graded(change=lambda root: (root / "clock.py").write_text("import os; os._exit(0)"))
    assert verdict.resolved is False


def test_what_is_expected_is_part_of_the_task(probed, folder, cache):
    digests = set()
    for cases in (CASES, CASES.replace("expect = 2", "expect = 3")):
        probed(cases=cases)
        (task,) = FolderSuite(path=folder.root, cache=cache).tasks()
        digests.add(task.digest)
    assert 2 == len(digests)


def test_a_tree_that_holds_the_cases_is_a_fault(probed, folder, suite):
    probed()
    folder.write("clock/before/cases.txt", CASES)
    assert ["“cases.txt” holds the check"] == [f.problem for f in suite.faults()]


@pytest.mark.parametrize(
    ("cases", "problem"),
    [
        ("cases = []", "there are no cases"),
        ("[[cases]]\nexpect = 1", "the key “call” is missing"),
        ('[[cases]]\ncall = "a"', "either what it expects or what it raises"),
        ('[[cases]]\ncall = "a"\nexpect = 1\nraises = "E"', "either what it expects"),
        ('[[cases]]\ncall = "a"\nexpect = 1\nargs = 3', "“args” must be a list"),
        ('[[cases]]\ncall = "a"\nexpect = 2024-01-01', "“expect” is not plain"),
        ('[[cases]]\ncall = "a"\nexpekt = 1', "unknown key “expekt”"),
        ('[[cases]]\ncall = "a"\nexpect = 1\ntolerance = -1.0', "“tolerance” must be above 0"),
        ('[[cases]]\ncall = "a"\nexpect = 1\ntolerance = inf', "“tolerance” must be above 0"),
    ],
)
def test_cases_that_can_not_be_read_are_refused(probed, suite, cases, problem):
    probed(cases=cases)
    with pytest.raises(SuiteError) as caught:
        suite.tasks()
    assert problem in caught.value.problem
    assert "clock" in caught.value.problem


def test_a_probe_that_no_wait_can_be_long_enough_for_is_refused(probed, suite):
    probed(TASK.replace("timeout_s = 20", "timeout_s = 1e8"))
    with pytest.raises(SuiteError) as caught:
        suite.tasks()
    problem = "task “clock”: “timeout_s” must be at most 2000000, not 100000000.0"
    assert problem == caught.value.problem
    assert "[probe] timeout_s" == dict(caught.value.facts)["at"]
    assert "give at most 2000000 seconds, which are 23 days" == caught.value.way_on


def test_a_tolerance_may_be_larger_than_any_wait(probed, suite):
    probed(cases=CASES + "tolerance = 1e9\n")
    (task,) = suite.tasks()
    assert 1e9 == suite.entry(task).oracle.probe.cases[1].tolerance


def test_a_probe_in_another_language_is_refused(probed, folder, suite):
    probed(TASK.replace("probe.py", "probe.rb"))
    folder.write("clock/check/probe.rb")
    with pytest.raises(SuiteError, match="in no language that a probe can be written in"):
        suite.tasks()


NAMED = """
name = "clock"
prompt = "The clock is one off."
stack = "python"
test_cmd = ["python3", "-m", "unittest", "-q", "tests.test_clock"]
test_files = ["tests"]
fail_to_pass = ["ClockTest.test_it_ticks"]
pass_to_pass = ["test_it_stays"]
"""
TESTS = """
import unittest
import clock


class ClockTest(unittest.TestCase):
    def test_it_ticks(self):
        self.assertEqual(2, clock.tick(1))

    def test_it_stays(self):
        self.assertTrue(clock.tick(0) >= 0)

    def test_it_never_worked(self):
        self.assertEqual("tock", clock.tick(1))
"""


def test_the_named_tests_alone_decide(folder, graded, fix):
    folder.clock(NAMED)
    folder.write("clock/before/tests/test_clock.py", TESTS)
    (bare,) = graded().checks
    assert (False, "tests") == (bare.passed, bare.code)
    assert "ClockTest.test_it_ticks: failed" == bare.why
    assert graded(fix()).resolved is True


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("def tick(at):\n    return at + 1 if at else -1\n", "test_it_stays: failed"),
        (
            "import unittest\ndef tick(at):\n    raise unittest.SkipTest\n",
            "ClockTest.test_it_ticks: did not run\ntest_it_stays: did not run",
        ),
    ],
)
def test_a_named_test_that_fails_or_does_not_run_is_told(folder, graded, code, why):
    folder.clock(NAMED)
    folder.write("clock/before/tests/test_clock.py", TESTS)
    (check,) = graded(change=lambda root: (root / "clock.py").write_text(code)).checks
    assert (False, why) == (check.passed, check.why)


@pytest.mark.parametrize(
    "line", ["python3 -m unittest -q tests.test_clock", "python3 -m unittest"]
)
def test_a_plain_shell_line_is_watched_like_its_words(folder, graded, line):
    folder.clock(f'name = "clock"\nprompt = "x"\ntest_cmd = "{line}"\ntest_files = ["tests"]\n')
    evil = "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\ndef tick(at): return 0\n"
    (check,) = graded(change=lambda root: (root / "clock.py").write_text(evil)).checks
    assert (False, "tampered") == (check.passed, check.code)


def test_a_command_that_can_not_be_watched_says_so(folder, graded):
    folder.clock('name = "clock"\nprompt = "x"\ntest_cmd = "true && true"\n')
    verdict = graded()
    (check,) = verdict.checks
    expected = "judged by its exit status alone: no test of the grader's could run beside it"
    assert (True, expected) == (check.passed, check.why)
    assert expected in verdict.output


@pytest.mark.parametrize(
    "cheat",
    [
        "import os; os._exit(0)",
        "import sys; sys.exit(0)",
        "raise SystemExit",
        "def tick(at): exit(0)",
        "import atexit, os; atexit.register(lambda: os._exit(0))\ndef tick(at): return 0",
    ],
)
def test_code_can_not_end_a_script_of_a_check_in_its_name(folder, graded, cheat):
    folder.clock()
    verdict = graded(change=lambda root: (root / "clock.py").write_text(cheat))
    assert verdict.checks[0].passed is False


@pytest.mark.parametrize("cheat", ["process.exit(0)", "export const tick = () => process.exit(0)"])
def test_nor_one_of_node(folder, graded, cheat):
    folder.clock('name = "clock"\nprompt = "x"\nstack = "node"\ncheck = "check/check.mjs"\n')
    folder.write(
        "clock/check/check.mjs",
        "import path from 'node:path'\nimport { pathToFileURL } from 'node:url'\n"
        "const { tick } = await import(pathToFileURL(path.resolve('clock.mjs')))\n"
        "if (tick(1) !== 2) process.exit(1)\nprocess.exit(0)\n",
    )
    good = "export const tick = (at) => at + 1"
    for text, passed in ((good, True), (good.replace("1", "2"), False), (cheat, False)):
        verdict = graded(change=lambda root, text=text: (root / "clock.mjs").write_text(text))
        assert passed is verdict.resolved, text
