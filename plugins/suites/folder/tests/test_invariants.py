import pytest

TASK = """
name = "clock"
prompt = "The clock is one off."
stack = "python"
test_cmd = ["python3", "-m", "unittest", "-q", "tests.test_clock"]
test_files = ["tests"]
check = "check/check_clock.py"
"""


def found(suite):
    return [(fault.task, fault.rule) for fault in suite.faults()]


def test_a_sound_task_has_no_fault(folder, suite):
    folder.clock(TASK + 'changed_within = ["clock.py"]\n')
    assert () == suite.faults()


def test_each_broken_task_is_named_and_hides_no_other(folder, suite):
    folder.clock()
    folder.write("a/task.toml", "nonsense")
    folder.write("b/before/x")
    folder.write("c/task.toml", TASK.replace("clock", "c"))
    assert [("a", "format"), ("b", "format"), ("c", "format")] == found(suite)


def test_a_suite_without_tasks_is_a_fault_of_the_suite(suite):
    assert [("", "format")] == found(suite)


@pytest.mark.parametrize(
    ("toml", "rule", "problem"),
    [
        (TASK + "changed_within = []", "scope", "changed_within names no path"),
        (
            TASK + 'changed_within = ["other.py"]',
            "scope",
            "the reference changes “clock.py”, which is not in changed_within",
        ),
        (
            TASK.replace('["tests"]', "[]"),
            "tests",
            "test_cmd runs tests that a solver may edit: test_files names none",
        ),
        (
            TASK.replace('["tests"]', '["tests", "clock.py"]'),
            "reference",
            "the reference changes “clock.py”, which is one of test_files",
        ),
        (
            TASK.replace("The clock", "See check_clock.py: the clock"),
            "secret",
            "the request says “check_clock.py”",
        ),
        (TASK.replace("The clock", "A Held-Out clock"), "secret", "the request says “held-out”"),
    ],
)
def test_a_broken_rule_is_named(folder, suite, toml, rule, problem):
    folder.clock(toml)
    (fault,) = [fault for fault in suite.faults() if fault.rule == rule]
    assert ("clock", problem) == (fault.task, fault.problem)


@pytest.mark.parametrize("empty", [True, False])
def test_a_missing_or_empty_reference_is_a_fault(folder, suite, empty):
    folder.clock()
    (folder.root / "clock/reference/clock.py").unlink()
    if not empty:
        (folder.root / "clock/reference").rmdir()
    assert [("clock", "reference")] == found(suite)


def test_a_reference_that_the_clean_room_would_drop_is_a_fault(folder, suite):
    folder.clock()
    folder.write("clock/reference/conftest.py", "x = 1")
    assert "needs open_paths" in suite.faults()[0].problem
    folder.write("clock/task.toml", TASK + 'open_paths = ["conftest.py"]')
    assert () == suite.faults()


def test_a_tree_that_holds_the_check_is_a_fault(folder, suite):
    folder.clock()
    check = (folder.root / "clock/check/check_clock.py").read_bytes()
    folder.write("clock/before/notes.txt", b"# " + check)
    (fault,) = suite.faults()
    assert ("secret", "“notes.txt” holds the check") == (fault.rule, fault.problem)


def test_a_command_that_chooses_tests_by_name_is_warned_of(folder, suite):
    folder.clock(
        'name = "clock"\nprompt = "It is one off."\ntest_files = ["tests"]\n'
        'test_cmd = ["go", "test", "-run", "TestTick", "./..."]\n'
    )
    (told,) = (fault.problem for fault in suite.faults() if fault.warning)
    why = "with “-run” no test of the grader's can run among its own"
    assert f"test_cmd is believed by its exit status: {why}" == told
