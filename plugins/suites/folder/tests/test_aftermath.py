import json
import stat
from pathlib import Path

import pytest
from fairtrial.api import MachineError

HALF = "import os\nfrom pathlib import Path\n\n\ndef tick(at):\n    {}\n    return 42\n"
"""What passes the hidden check, and does something on the way."""

BOTH = [("hidden check", True, ""), ("tests", True, "")]


def outcomes(verdict):
    return [(check.name, check.passed, check.code) for check in verdict.checks]


@pytest.fixture
def after(folder, graded):
    """Grades code that does something when the hidden check calls it, then asks a shell."""

    def grade(does, asks, stack=""):
        folder.clock(
            'name = "clock"\nprompt = "It is one off."\ncheck = "check/check_clock.py"\n'
            f"test_cmd = {json.dumps(['sh', '-c', asks])}\n"
            + (f'stack = "{stack}"\n' if stack else "")
        )
        return graded(change=lambda root: (root / "clock.py").write_text(HALF.format(does)))

    return grade


def test_a_tree_that_was_locked_is_open_when_the_check_is_taken_out(folder, suite, seeded):
    folder.clock('name = "clock"\nprompt = "It is one off."\ncheck = "check/check_clock.py"\n')
    (task,) = suite.tasks()
    with seeded() as workspace:
        (workspace.root / "clock.py").write_text(HALF.format("os.chmod('.', 0o555)"))
        assert [("hidden check", True, "")] == outcomes(suite.grade(task, workspace))
        assert stat.S_IRWXU == workspace.root.stat().st_mode & stat.S_IRWXU
        assert not (workspace.root / "fairtrial_check.py").exists()


def test_a_check_that_cannot_be_taken_out_was_tampered_with(folder, graded):
    folder.clock('name = "clock"\nprompt = "It is one off."\ncheck = "check/clock.sh"\n')
    folder.write("clock/check/clock.sh", "python3 -c 'import clock; clock.tick(1)'\n")
    moves = "here = os.getcwd(); os.rename(here, here + '-away')"
    verdict = graded(change=lambda root: (root / "clock.py").write_text(HALF.format(moves)))
    assert [("hidden check", False, "tampered")] == outcomes(verdict)
    assert "the hidden check can't be" in verdict.checks[0].why


PROBE = """
from fairtrial_probe import serve
import clock

serve(clock.tick)
"""


def test_a_check_that_a_tool_would_obey_is_there_when_it_runs(folder, graded, fix):
    folder.clock(
        'name = "clock"\nprompt = "It is one off."\ncheck = "check/clock.mk"\n'
        'check_cmd = ["make", "-s", "-f", "{check}"]\n'
        '[probe]\nfile = "check/probe.py"\ncases = "check/cases.toml"\n'
    )
    folder.write("clock/check/probe.py", PROBE)
    folder.write("clock/check/cases.toml", '[[cases]]\ncall = "tick"\nargs = [1]\nexpect = 2\n')
    asks = "import clock; raise SystemExit(clock.tick(41) != 42)"
    folder.write("clock/check/clock.mk", f"all:\n\tpython3 -c '{asks}'\n")
    expected = [("probe", True, ""), ("hidden check", True, "")]
    assert expected == outcomes(graded(fix()))


@pytest.mark.parametrize("mode", ["0o311", "0"])
def test_a_locked_folder_hides_nothing_that_a_runner_obeys(after, mode):
    locks = f"Path('sub').mkdir(); Path('sub/conftest.py').touch(); os.chmod('sub', {mode})"
    asks = "ls -ld sub | grep -q ^drwx && test ! -e sub/conftest.py"
    assert BOTH == outcomes(after(locks, asks))


def test_a_folder_too_deep_to_be_looked_into_is_tampered_with(after):
    nests = """
    here = os.getcwd()
    for _ in range(18):
        os.mkdir("d" * 250)
        os.chdir("d" * 250)
    os.chdir(here)
    """
    expected = [("hidden check", True, ""), ("tests", False, "tampered")]
    assert expected == outcomes(after(nests, "true"))


def test_the_modes_of_what_a_link_leads_to_stay(after, tmp_path: Path):
    victim = tmp_path / "victim"
    victim.mkdir()
    victim.chmod(0o511)
    assert BOTH == outcomes(after(f"os.symlink({str(victim)!r}, 'sub')", "test -L sub"))
    assert 0o511 == stat.S_IMODE(victim.stat().st_mode)


@pytest.mark.parametrize(
    ("stack", "own", "stays"),
    [("", False, True), ("rust", False, True), ("python", False, False), ("", True, False)],
)
def test_what_was_built_is_passed_over_only_where_a_compiler_builds(
    folder, after, stack, own, stays
):
    if own:
        folder.write("clock/before/target/mine")
    leaves = "Path('target').mkdir(exist_ok=True); Path('target/Makefile').touch()"
    asks = f"test {'' if stays else '! '}-e target/Makefile"
    assert BOTH == outcomes(after(leaves, asks, stack))


@pytest.mark.parametrize("place", ["HOME", "TMPDIR"])
@pytest.mark.parametrize("mode", ["0o311", "0"])
def test_a_place_that_was_locked_is_emptied(after, place, mode):
    locks = f"place = os.environ['{place}']; Path(place, 'left').touch(); os.chmod(place, {mode})"
    asks = f'ls -ld "${place}" | grep -q ^drwx && test ! -e "${place}/left"'
    assert BOTH == outcomes(after(locks, asks))


@pytest.mark.parametrize("puts", ["os.symlink({!r}, home)", "Path(home).touch()"])
def test_a_home_that_is_no_folder_any_more_is_tampered_with(after, tmp_path: Path, puts):
    (tmp_path / "mine").touch()
    swaps = "home = os.environ['HOME']; os.rename(home, home + '-away'); "
    verdict = after(swaps + puts.format(str(tmp_path)), "true")
    assert [("hidden check", True, ""), ("tests", False, "tampered")] == outcomes(verdict)
    assert (tmp_path / "mine").exists()


def test_of_caches_only_that_of_the_home_stays(after):
    leaves = "[Path(os.environ[place], '.cache').mkdir() for place in ('HOME', 'TMPDIR')]"
    assert BOTH == outcomes(after(leaves, 'test -d "$HOME/.cache" && test ! -e "$TMPDIR/.cache"'))


def test_a_link_in_the_place_of_the_cache_goes(after, tmp_path: Path):
    (tmp_path / "mine").touch()
    links = f"os.symlink({str(tmp_path)!r}, Path.home() / '.cache')"
    assert BOTH == outcomes(after(links, 'test ! -L "$HOME/.cache"'))
    assert (tmp_path / "mine").exists()


def without_programs(workspace, *names):
    """Takes some programs away, or all of them."""
    inside = workspace.run

    def run(argv, **rest):
        if not names or argv[0] in names:
            raise FileNotFoundError(argv[0])
        return inside(argv, **rest)

    workspace.run = run


def test_a_machine_on_which_nothing_runs_is_named(folder, suite, seeded):
    folder.clock()
    (task,) = suite.tasks()
    with seeded() as workspace:
        without_programs(workspace)
        with pytest.raises(MachineError, match="the shell “sh”"):
            suite.grade(task, workspace)
        assert "fairtrial_check.py" not in {place.name for place in workspace.root.iterdir()}


def test_a_shell_that_has_gone_meanwhile_was_tampered_with(folder, suite, seeded):
    folder.clock()
    (task,) = suite.tasks()
    with seeded() as workspace:
        without_programs(workspace, "sh")
        (workspace.root / "clock.py").write_text(HALF.format("pass"))
        verdict = suite.grade(task, workspace)
    assert [("hidden check", True, ""), ("tests", False, "tampered")] == outcomes(verdict)


def test_one_check_alone_costs_no_tidying(folder, suite, seeded):
    folder.clock('name = "clock"\nprompt = "It is one off."\ncheck = "check/check_clock.py"\n')
    (task,) = suite.tasks()
    with seeded() as workspace:
        without_programs(workspace, "sh")
        (workspace.root / "clock.py").write_text(HALF.format("pass"))
        verdict = suite.grade(task, workspace)
    assert [("hidden check", True, "")] == outcomes(verdict)
