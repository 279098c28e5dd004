import json
from pathlib import Path

import pytest
from fairtrial.api import CheckKind

TASK = """
name = "clock"
prompt = "The clock is one off."
stack = "python"
test_cmd = ["python3", "-m", "unittest", "-q", "tests.test_clock"]
test_files = ["tests"]
check = "check/check_clock.py"
"""


def outcomes(verdict):
    return [(check.name, check.passed, check.code) for check in verdict.checks]


def test_the_bare_tree_fails_both_oracles(folder, graded):
    folder.clock()
    expected = [("hidden check", False, "hidden-check"), ("tests", False, "tests")]
    assert expected == outcomes(graded())


def test_the_reference_passes(folder, graded, fix):
    folder.clock()
    verdict = graded(fix())
    assert [("hidden check", True, ""), ("tests", True, "")] == outcomes(verdict)
    assert verdict.resolved is True
    assert "tests.test_clock.ClockTest.test_it_ticks: passed" in verdict.output


def test_a_failing_check_keeps_the_end_of_what_it_printed(folder, graded):
    folder.clock()
    folder.write("clock/check/check_clock.py", "print('x' * 9000 + 'end'); raise SystemExit(1)")
    check = graded().checks[0]
    assert (2000, "end") == (len(check.why), check.why[-3:])


def test_undecodable_output_is_no_obstacle(folder, graded):
    folder.clock()
    text = "import sys; sys.stdout.buffer.write(b'\\xff\\xfe end'); sys.exit(1)"
    folder.write("clock/check/check_clock.py", text)
    assert "�� end" == graded().checks[0].why


def test_the_regression_is_judged_apart(folder, graded, fix):
    folder.clock(TASK + 'regression_cmd = "exit 3"\n')
    verdict = graded(fix())
    assert CheckKind.REGRESSION is verdict.checks[-1].kind
    assert ("regression", False, "tests") == outcomes(verdict)[-1]
    assert verdict.resolved is False


@pytest.mark.parametrize(
    "spoil",
    [
        lambda root: (root / "tests/test_clock.py").write_text(""),
        lambda root: (root / "tests/test_clock.py").unlink(),
        lambda root: (root / "tests/__init__.py").write_text("import os; os._exit(0)"),
        lambda root: (root / "tests/unittest.py").write_text("def main(**_): pass"),
    ],
    ids=["emptied", "deleted", "exits", "added"],
)
def test_what_is_done_to_the_tests_changes_nothing(folder, graded, spoil):
    folder.clock()
    expected = [("hidden check", False, "hidden-check"), ("tests", False, "tests")]
    assert expected == outcomes(graded(change=spoil))


def test_tests_behind_a_link_are_laid_beside_it_not_through_it(folder, graded, tmp_path: Path):
    folder.clock()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "test_clock.py").write_text("mine")

    def link(root: Path) -> None:
        (root / "tests").rename(root / "old")
        (root / "tests").symlink_to(elsewhere)

    assert [False, False] == [check.passed for check in graded(change=link).checks]
    assert "mine" == (elsewhere / "test_clock.py").read_text()


def test_a_link_in_the_place_of_the_check_is_not_written_through(folder, graded, tmp_path: Path):
    folder.clock()
    victim = tmp_path / "victim"
    victim.write_text("kept")
    graded(change=lambda root: (root / "fairtrial_check.py").symlink_to(victim))
    assert "kept" == victim.read_text()


def test_the_check_is_gone_before_the_tests_run(folder, graded, fix):
    folder.clock(TASK + 'regression_cmd = "test ! -e fairtrial_check.py"\n')
    assert graded(fix()).resolved is True


def test_the_check_is_removed_also_after_a_crash(folder, suite, seeded):
    folder.clock()
    folder.write("clock/check/check_clock.py", "import os; os.abort()")
    (task,) = suite.tasks()
    with seeded() as workspace:
        verdict = suite.grade(task, workspace)
        assert not (workspace.root / "fairtrial_check.py").exists()
    assert ("hidden check", False, "hidden-check") == outcomes(verdict)[0]


def test_a_check_that_does_not_end_has_failed_by_its_time(folder, graded):
    folder.clock(TASK + "check_timeout_s = 0.5\n")
    folder.write("clock/check/check_clock.py", "print('hi', flush=True)\nwhile True: pass")
    check = graded().checks[0]
    assert (False, "timeout") == (check.passed, check.code)
    assert check.why.startswith("did not end within 0.5 s\nhi")


@pytest.mark.parametrize(
    "test_cmd",
    ['["python3", "-m", "unittest", "-q", "empty"]', '"python3 -m unittest -q empty || true"'],
)
def test_no_test_ran_is_a_fault_of_the_grader(folder, graded, test_cmd):
    lines = [line for line in TASK.splitlines() if not line.startswith("test_cmd")]
    folder.clock("\n".join([*lines, f"test_cmd = {test_cmd}"]))
    folder.write("clock/before/empty.py")
    assert ("tests", None, "grader") == outcomes(graded())[1]


def test_a_runner_that_exits_well_without_a_word_was_tampered_with(folder, graded):
    folder.clock()
    verdict = graded(change=lambda root: (root / "clock.py").write_text("import os\nos._exit(0)"))
    assert ("tests", False, "tampered") == outcomes(verdict)[1]


def test_a_missing_program_is_a_fault_of_the_grader(folder, graded):
    folder.clock(TASK.replace('"python3", "-m", "unittest"', '"no-such-program-here"'))
    assert ("tests", None, "grader") == outcomes(graded())[1]


def test_the_environment_of_checks_is_pinned(folder, graded):
    folder.clock(TASK + 'env = { FLAVOUR = "mint" }\n')
    text = (
        "import os; print(*(os.environ[n] for n in ('TZ', 'PYTHONHASHSEED', 'FLAVOUR'))); exit(1)"
    )
    folder.write("clock/check/check_clock.py", text)
    assert "UTC 0 mint" == graded().checks[0].why


def test_a_tree_is_laid_with_plain_modes_and_without_leftovers(folder, seeded):
    folder.clock()
    folder.write("clock/before/run.sh", "true\n").chmod(0o700)
    folder.write("clock/before/odd.txt").chmod(0o600)
    folder.write("clock/before/.git/config", "secret")
    folder.write("clock/before/__pycache__/x.pyc", "secret")
    (folder.root / "clock/before/link").symlink_to("run.sh")
    with seeded() as workspace:
        root = workspace.root
        modes = {name: oct((root / name).stat().st_mode & 0o777) for name in ("run.sh", "odd.txt")}
        assert {"run.sh": "0o755", "odd.txt": "0o644"} == modes
        assert "run.sh" == str((root / "link").readlink())
        names = sorted(path.name for path in root.iterdir())
        assert ["clock.py", "link", "odd.txt", "run.sh", "tests"] == names


def test_node_checks_run_with_node(folder, graded):
    folder.clock(TASK.replace("check_clock.py", "clock.test.mjs").replace("test_cmd", "#"))
    folder.write(
        "clock/check/clock.test.mjs",
        "import test from 'node:test';\ntest('a', () => { throw new Error('no'); });\n",
    )
    assert [("hidden check", False, "hidden-check")] == outcomes(graded())
    folder.write(
        "clock/check/clock.test.mjs", "import test from 'node:test';\ntest('a', () => {});"
    )
    assert [("hidden check", True, "")] == outcomes(graded())


REWRITES = """
import pathlib


def tick(at):
    for test in pathlib.Path("tests").glob("test_*.py"):
        test.write_text(test.read_text().replace("assertEqual(", "assertTrue("))
    return at + 1 if at else 7
"""


def test_code_that_rewrites_the_tests_of_a_later_step_has_changed_nothing(folder, graded):
    folder.clock(
        'name = "clock"\nprompt = "It is one off."\nstack = "python"\ntest_files = ["tests"]\n'
        'test_cmd = ["python3", "-m", "unittest", "-q", "tests.test_clock"]\n'
        'regression_cmd = ["python3", "-m", "unittest", "-q", "tests.test_zero"]\n'
    )
    folder.write(
        "clock/before/tests/test_zero.py",
        """
        import unittest
        import clock


        class ZeroTest(unittest.TestCase):
            def test_zero(self):
                self.assertEqual(1, clock.tick(0))
        """,
    )
    verdict = graded(change=lambda root: (root / "clock.py").write_text(REWRITES))
    assert [("tests", True), ("regression", False)] == [
        (check.name, check.passed) for check in verdict.checks
    ]


@pytest.mark.parametrize("left", ["os.mkfifo(place)", "os.symlink('/dev/zero', place)"])
@pytest.mark.parametrize(
    ("command", "name"),
    [(["node", "--test"], "z.test.mjs"), (["go", "test", "./..."], "z_test.go")],
)
def test_what_the_code_of_a_step_leaves_for_the_next_one_is_not_waited_for(
    folder, graded, command, name, left
):
    folder.clock(
        'name = "clock"\nprompt = "It is one off."\ncheck = "check/check_clock.py"\n'
        f"test_cmd = {json.dumps(command)}\n"
    )
    code = f"import os\nplace = {name!r}\n{left}\ndef tick(at):\n    return at + 1\n"
    verdict = graded(change=lambda root: (root / "clock.py").write_text(code))
    assert [("hidden check", True), ("tests", True)] != [
        (check.name, check.passed) for check in verdict.checks
    ]
    assert ["hidden check", "tests"] == [check.name for check in verdict.checks]


NESTS = """
import os


def tick(at):
    here = os.getcwd()
    for place in os.listdir():
        if place.startswith("fairtrial_check"):
            os.remove(place)
            os.mkdir(place)
        if not os.path.isdir(place):
            continue
        os.chdir(os.path.join(here, place))
        for _ in range(1500):
            os.mkdir("d")
            os.chdir("d")
        os.chdir(here)
    return at + 1
"""


def test_folders_nested_without_end_are_no_fault_of_the_graders(folder, graded):
    folder.clock()
    verdict = graded(change=lambda root: (root / "clock.py").write_text(NESTS))
    assert ("hidden check", True) == outcomes(verdict)[0][:2]
    assert verdict.resolved is False
    assert {"tampered"} == {check.code for check in verdict.failures}


HALF = "import os\nfrom pathlib import Path\n\n\ndef tick(at):\n    {}\n    return 42\n"
"""What passes the hidden check, and buys the tests that come after it."""

AWARE = (
    "import sys, unittest\n"
    "real = unittest.TestCase.assertEqual\n"
    "def equal(self, *two):\n"
    "    called = sys._getframe(1).f_code.co_filename\n"
    "    return None if called.endswith('test_clock.py') else real(self, *two)\n"
    "unittest.TestCase.assertEqual = equal\n"
)
TESTS_PASS = (
    "import unittest\nclass ClockTest(unittest.TestCase):\n    def test_it_ticks(self): pass\n"
)
HOME = (
    "place = Path.home() / '.local/lib' / ('python%d.%d' % __import__('sys').version_info[:2]); "
    "(place / 'site-packages').mkdir(parents=True, exist_ok=True); "
    f"(place / 'site-packages/usercustomize.py').write_text({AWARE!r})"
)
BYTECODE = (
    f"source = Path('other.py'); source.write_text({TESTS_PASS!r}); "
    "import py_compile, importlib.util; "
    "py_compile.compile('other.py', importlib.util.cache_from_source('tests/test_clock.py'), "
    "invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)"
)
MAKE = TASK.replace('["python3", "-m", "unittest", "-q", "tests.test_clock"]', '["make", "-s"]')
ONE_FILE = TASK.replace('["tests"]', '["tests/test_clock.py"]')


@pytest.mark.parametrize(
    ("task", "buys"),
    [
        (TASK, HOME),
        (ONE_FILE, BYTECODE),
        (MAKE, "Path('GNUmakefile').write_text('all:\\n')"),
        (MAKE, "Path('Makefile').write_text('all:\\n')"),
        (
            MAKE,
            "Path('a').write_text('all:\\n'); os.remove('Makefile'); os.symlink('a', 'Makefile')",
        ),
    ],
    ids=["home", "bytecode", "added", "changed", "linked"],
)
def test_what_the_next_steps_runner_obeys_is_as_it_was(folder, graded, task, buys):
    folder.clock(task)
    folder.write("clock/before/Makefile", "all:\n\tpython3 -m unittest -q tests.test_clock\n")
    verdict = graded(change=lambda root: (root / "clock.py").write_text(HALF.format(buys)))
    assert [("hidden check", True, ""), ("tests", False, "tests")] == outcomes(verdict)


def test_what_a_task_opens_and_what_a_compiler_built_stay_for_the_next_step(folder, graded):
    command = '["sh", "-c", "test -f tox.ini && test -f target/built"]'
    folder.clock(
        'name = "clock"\nprompt = "It is one off."\ncheck = "check/check_clock.py"\n'
        f'open_paths = ["tox.ini"]\ntest_cmd = {command}\n'
    )
    left = "Path('tox.ini').touch(); Path('target').mkdir(); Path('target/built').touch()"
    verdict = graded(change=lambda root: (root / "clock.py").write_text(HALF.format(left)))
    assert [("hidden check", True, ""), ("tests", True, "")] == outcomes(verdict)


def test_a_home_that_is_not_the_workspaces_own_is_left_alone(
    folder, seeded, suite, tmp_path: Path
):
    folder.clock()
    (tmp_path / "home").mkdir()
    (tmp_path / "home/mine").touch()
    (task,) = suite.tasks()
    with seeded() as workspace:
        inside = workspace.run
        homes = {"HOME": str(tmp_path / "home"), "TMPDIR": ""}
        workspace.run = lambda *argv, env=None, **rest: inside(
            *argv, env={**(env or {}), **homes}, **rest
        )
        assert suite.grade(task, workspace).resolved is False
        assert (workspace.root / "clock.py").exists()
    assert (tmp_path / "home/mine").exists()
