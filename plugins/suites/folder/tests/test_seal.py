"""An environment that was changed is found out, and made anew."""

import os
import shutil
import time
from pathlib import Path

import pytest
from fairtrial_suite_folder import seal

TASK = """
name = "clock"
prompt = "The clock is one off."
stack = "python"
needs = ["pypi:pocketwatch==1.2"]
test_cmd = ["python3", "-m", "unittest", "-q", "tests.test_clock"]
test_files = ["tests"]
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "env"
    (home / "lib").mkdir(parents=True)
    (home / "lib/a.py").write_text("a = 1\n")
    (home / "lib/link").symlink_to("a.py")
    seal.put(home)
    return home


def test_what_was_sealed_is_whole_and_stays_so(home):
    assert seal.whole(home)
    os.utime(home / "lib/a.py", (1, 1))
    assert seal.whole(home)


def rewritten(home: Path) -> None:
    before = (home / "lib/a.py").stat()
    (home / "lib/a.py").write_text("a = 2\n")
    os.utime(home / "lib/a.py", ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("seen", [True, False])
@pytest.mark.parametrize(
    "change",
    [
        rewritten,
        lambda home: (home / "lib/b.pth").write_text("import evil"),
        lambda home: (home / "lib/a.py").unlink(),
        lambda home: (home / "lib/a.py").chmod(0o777),
        lambda home: ((home / "lib/link").unlink(), (home / "lib/link").symlink_to("b.py")),
        lambda home: (home.parent / "env.seal").unlink(),
    ],
    ids=["rewritten", "added", "deleted", "mode", "link", "no seal"],
)
def test_any_change_is_seen(home, change, seen):
    if seen:
        assert seal.whole(home)
    change(home)
    if seen and not (home.parent / "env.seal").exists():
        assert seal.whole(home)
    else:
        assert not seal.whole(home)


def test_a_folder_for_caches_may_change(home):
    (home / ".cache").mkdir()
    (home / ".cache/x").write_text("x")
    assert seal.whole(home)


@pytest.mark.usefixtures("wheels")
def test_code_that_changes_the_environment_is_tampering_and_it_is_made_anew(
    folder, suite, graded, fix
):
    folder.clock(TASK)
    (task,) = suite.tasks()
    (home,) = suite.equip(task).readable
    assert graded(fix()).resolved is True
    (place,) = home.rglob("pocketwatch.py")
    before = place.read_text()
    evil = f"open({str(place)!r}, 'a').write('evil = 1')\ndef tick(at):\n    return at + 1\n"
    verdict = graded(change=lambda root: (root / "clock.py").write_text(evil))
    (wrong,) = verdict.failures
    assert ("environment", "tampered") == (wrong.name, wrong.code)
    assert "evil" in place.read_text()
    suite.equip(task)
    (place,) = home.rglob("pocketwatch.py")
    assert before == place.read_text()
    assert graded(fix()).resolved is True
    shutil.rmtree(home)
    assert graded(fix()).resolved is True


def test_what_came_and_went_while_it_was_graded_is_seen(home):
    packages = home / "lib/python3.11/site-packages"
    packages.mkdir(parents=True)
    seal.put(home)
    assert seal.whole(home)
    assert not seal.opened(home)
    time.sleep(0.02)
    (packages / "x.pth").write_text("import evil")
    (packages / "x.pth").unlink()
    assert seal.opened(home)
    assert seal.whole(home)
    assert not seal.opened(home)
