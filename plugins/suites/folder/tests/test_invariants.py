import errno
import hashlib
import io
import json
import os
import tarfile
from pathlib import Path

import pytest
from fairtrial.api import SuiteError
from fairtrial_suite_folder.mishap import mishap


def packed() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        member = tarfile.TarInfo("top/x")
        member.size = 2
        archive.addfile(member, io.BytesIO(b"a\n"))
    return out.getvalue()


PACKED = packed()
SHA256 = hashlib.sha256(PACKED).hexdigest()

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


def test_a_broken_task_is_told_with_its_place_and_the_way_on(folder, suite):
    folder.clock()
    file = folder.write("clock/task.toml", TASK.replace('"python"', '"cobol"'))
    (fault,) = suite.faults()
    said = f"task “clock”: no stack is called “cobol” ({file}, stack); one of "
    assert fault.problem.startswith(said)


def test_a_path_that_no_system_takes_hides_no_other_task(folder, suite):
    folder.clock(TASK + 'changed_within = ["clock.py"]')
    long = "/".join(["x" * 200] * 30)
    folder.write(
        "a/task.toml", f'name = "a"\nprompt = "p"\ntest_cmd = "x"\ntest_files = ["{long}"]'
    )
    folder.write("a/before/x")
    (fault,) = (fault for fault in suite.faults() if not fault.warning)
    assert ("a", "format") == (fault.task, fault.rule)
    assert fault.problem.startswith("task “a”: File name too long: “")
    assert fault.problem.endswith("; mend the task, or take it out of the suite")
    with pytest.raises(SuiteError, match="task “a”: File name too long") as caught:
        suite.tasks()
    assert isinstance(caught.value.__cause__, OSError)


def test_a_patch_with_a_number_that_python_does_not_read_hides_no_other_task(folder, suite):
    folder.clock(TASK + 'changed_within = ["clock.py"]')
    folder.write(
        "far/task.toml",
        'name = "far"\nprompt = "p"\ntest_cmd = "x"\n'
        f'[source]\narchive = "../x.tar.gz"\nsha256 = "{SHA256}"\nplant = "p.patch"\n',
    )
    folder.write("x.tar.gz", PACKED)
    folder.write("far/p.patch", f"--- a/x\n+++ b/x\n@@ -{'1' * 5000} +1 @@\n-a\n+b\n")
    (fault,) = (fault for fault in suite.faults() if not fault.warning)
    assert fault.problem.startswith("task “far”: unexpected ValueError: Exceeds the limit")


def test_a_task_too_deep_to_be_walked_is_said_to_be_that() -> None:
    error = mishap("a", Path("a/task.toml"), RecursionError("maximum recursion depth exceeded"))

    assert error.problem == (
        "task “a”: its folders, or what is in one of its files, are nested too deeply"
    )


def test_a_check_that_may_not_be_read_hides_no_other_of_its_manifest(
    folder, suite, monkeypatch: pytest.MonkeyPatch
):
    """As for whoever isn't the owner; the superuser, who may run the tests, reads everything."""
    read = Path.read_bytes

    def denied(path: Path) -> bytes:
        if path.name == "a.py":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", denied)
    folder.write("fixture/x", "")
    tasks = []
    for name in ("a", "b"):
        folder.write(f"checks/{name}.py", f"{name} = 1")
        expect = {"check": f"checks/{name}.py", "changed_within": ["x"]}
        tasks.append({"id": name, "title": "t", "body": "b", "expect": expect})
        folder.write(f"reference/{name}/x", "1")
    folder.write("tasks.json", json.dumps({"fixture": "fixture", "tasks": tasks}))
    (fault,) = suite.faults()
    file = folder.root / "checks/a.py"
    assert ("a", True) == (fault.task, f"Permission denied: “{file}”" in fault.problem)
    assert ["b"] == [task.id for task in suite.readable()]


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
