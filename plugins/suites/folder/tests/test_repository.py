"""A handed-out repository, looked at with the real git."""

import os
import subprocess
from pathlib import Path, PurePosixPath

import pytest
from fairtrial.api import SuiteError
from fairtrial.conformance import SuiteConformance
from fairtrial.conformance.fakes.workspace import open_local
from fairtrial.conformance.tree import snapshot
from fairtrial_suite_folder import FolderSuite
from fairtrial_suite_folder.repository import faults
from fairtrial_suite_folder.tree import read_tree

QUIET = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.invalid",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.invalid",
}
FIX = "return at + 1"


def git(root: Path, *argv: str) -> str:
    argv = ("-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *argv)
    done = subprocess.run(
        ["git", *argv],
        cwd=root,
        env=QUIET,
        check=True,
        capture_output=True,
        text=True,
        errors="replace",
    )
    return done.stdout.strip()


def everything(root: Path) -> str:
    """Every object that git can find, printed."""
    listed = git(
        root, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)"
    )
    found = [line.split() for line in listed.splitlines()]
    return "\n".join(f"{kind}\n{git(root, 'cat-file', '-p', name)}" for name, kind in found)


@pytest.fixture
def odd(folder):
    """The task `clock` with all that a tree can hold, as a repository."""
    folder.clock(folder_task("git = true\n"))
    folder.write("clock/before/run.sh", "true\n").chmod(0o755)
    folder.write("clock/before/a b/ü.txt", b"\xff\r\nno end")
    folder.write("clock/before/a.b/x")
    folder.write("clock/before/a0", "sorts after the folder")
    folder.write("clock/before/.gitignore", "*.log\n")
    folder.write("clock/before/kept.log", "ignored, and there\n")
    (folder.root / "clock/before/link").symlink_to("run.sh")
    return folder


def folder_task(keys: str) -> str:
    return (
        'name = "clock"\nprompt = "The clock is one off."\nstack = "python"\n'
        'test_cmd = ["python3", "-m", "unittest", "-q", "tests.test_clock"]\n'
        f'test_files = ["tests"]\n{keys}'
    )


@pytest.mark.usefixtures("odd")
def test_git_finds_a_sound_repository_of_one_commit(seeded):
    with seeded() as workspace:
        root = workspace.root
        assert "" == git(root, "status", "--porcelain", "--ignored")
        assert "" == git(root, "fsck", "--full", "--strict", "--no-progress")
        assert "1" == git(root, "rev-list", "--all", "--count")
        assert "main" == git(root, "branch", "--show-current")
        assert "Start" == git(root, "log", "--format=%s")
        tracked = set(git(root, "ls-files", "-z").split("\0")) - {""}
        assert {str(path) for path in read_tree(root)} == tracked
        assert "commit" == git(root, "cat-file", "-t", "HEAD")
        assert 1 == everything(root).count("commit\n")


@pytest.mark.usefixtures("odd")
def test_an_agent_can_work_in_it(seeded):
    with seeded() as workspace:
        (workspace.root / "clock.py").write_text("new\n")
        finished = workspace.run(["git", "commit", "-qam", "mine"], timeout_s=20)
        assert (0, b"") == (finished.code, finished.stderr)
        finished = workspace.run(["git", "log", "--format=%an %s"], timeout_s=20)
        assert b"Agent mine\nNobody Start\n" == finished.stdout


@pytest.mark.usefixtures("odd")
def test_it_is_the_same_each_time(seeded):
    with seeded() as one, seeded() as two:
        assert snapshot(one.root) == snapshot(two.root)


def test_a_folder_is_no_repository_unless_it_asks(folder, seeded):
    folder.clock()
    with seeded() as workspace:
        assert not (workspace.root / ".git").exists()


@pytest.mark.parametrize(
    ("key", "asked", "there"), [("", True, True), ("git = true\n", False, False)]
)
def test_the_suite_can_decide_for_all_its_tasks(folder, cache, key, asked, there):
    folder.clock(folder_task(key))
    suite = FolderSuite(path=folder.root, cache=cache, git=asked)
    (task,) = suite.tasks()
    with open_local("git") as workspace:
        suite.seed(task, workspace)
        assert there == (workspace.root / ".git").exists()


@pytest.mark.usefixtures("odd")
def test_grading_does_not_mind_the_repository(graded, fix):
    assert (False, True) == (graded().resolved, graded(fix()).resolved)


@pytest.fixture
def leaky(tmp_path: Path) -> tuple[Path, str]:
    """A repository in whose every corner the fix is planted, and the revision before it."""
    root, other = tmp_path / "leaky", tmp_path / "other"
    for place in (root, other):
        place.mkdir()
        git(place, "init", "-q")
    (root / "clock.py").write_text("def tick(at):\n    return at\n")
    (root / "tests").mkdir()
    (root / "tests/__init__.py").touch()
    (root / "tests/test_clock.py").write_text("import unittest\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", "before")
    before = git(root, "rev-parse", "HEAD")
    for kind in ("future", "tagged", "stashed", "lost", "noted", "elsewhere"):
        (root / "clock.py").write_text(f"def tick(at):  # {kind}\n    {FIX}\n")
        if kind == "stashed":
            git(root, "stash", "-q")
        elif kind == "noted":
            git(root, "notes", "add", "-m", f"{FIX} noted", before)
        elif kind == "elsewhere":
            git(root, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "elsewhere", "HEAD")
        else:
            git(root, "commit", "-qam", kind)
        if kind == "tagged":
            git(root, "tag", "-a", "v2", "-m", FIX)
        if kind == "lost":
            git(root, "reset", "-q", "--hard", before)
    (other / "fix.py").write_text(FIX)
    git(other, "add", ".")
    git(other, "commit", "-qm", "sub")
    git(root, "checkout", "-q", "-f", "-b", "modules", before)
    git(root, "submodule", "--quiet", "add", str(other), "sub")
    git(root, "commit", "-qm", "with a module")
    (root / ".git/objects/info/alternates").write_text(f"{other}/.git/objects\n")
    return root, before


def test_nothing_of_a_source_s_past_or_future_comes_along(leaky, folder, seeded, suite):
    root, before = leaky
    folder.write("clock/task.toml", folder_task(f'[source]\ngit = "{root}"\nrev = "{before}"\n'))
    folder.write("clock/reference/clock.py", f"def tick(at):\n    {FIX}\n")
    (task,) = suite.tasks()
    suite.preflight([task])
    with seeded() as workspace:
        assert FIX in everything(root)
        assert FIX not in everything(workspace.root)
        assert "1" == git(workspace.root, "rev-list", "--all", "--reflog", "--count")
        assert "" == git(workspace.root, "for-each-ref", "refs/tags", "refs/stash", "refs/notes")
        assert "" == git(workspace.root, "count-objects", "-v").partition("alternate:")[2]
        assert 1 == len(git(workspace.root, "worktree", "list").splitlines())
        for path in workspace.root.rglob("*"):
            assert path.is_dir() or FIX.encode() not in path.read_bytes()


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


PLANTS = {
    "future commit": lambda root: git(root, "commit", "-qam", "fix"),
    "stash": lambda root: git(root, "stash", "-q"),
    "dangling object": lambda root: git(root, "hash-object", "-w", "clock.py"),
    "reflog": lambda root: (git(root, "commit", "-qam", "x"), git(root, "reset", "-q", "HEAD~")),
    "tag": lambda root: git(root, "tag", "-a", "v2", "-m", FIX),
    "note": lambda root: git(root, "notes", "add", "-m", FIX),
    "worktree": lambda root: git(root, "worktree", "add", "-q", str(root.parent / "tree")),
    "alternate": lambda root: write(root / ".git/objects/info/alternates", "/elsewhere\n"),
    "module": lambda root: write(root / ".git/modules/sub/HEAD", "ref: refs/heads/main\n"),
    "nested repository": lambda root: write(root / "sub/.git", "gitdir: ../elsewhere\n"),
    "setting": lambda root: git(root, "config", "core.fsmonitor", "./run.sh"),
    "hook": lambda root: write(root / ".git/hooks/pre-commit", "#!/bin/sh\n"),
    "remote": lambda root: git(root, "remote", "add", "origin", "https://example.invalid/x"),
    "pack": lambda root: (git(root, "commit", "-qam", "fix"), git(root, "repack", "-qad")),
}


@pytest.mark.usefixtures("odd")
@pytest.mark.parametrize("kind", PLANTS)
def test_the_check_names_whatever_is_more_than_one_commit(kind, seeded):
    with seeded() as workspace:
        tree = read_tree(workspace.root)
        assert () == faults(tree, workspace.root)
        write(workspace.root / "clock.py", f"def tick(at):\n    {FIX}\n")
        PLANTS[kind](workspace.root)
        write(workspace.root / "clock.py", (tree[PurePosixPath("clock.py")]).data.decode())
        assert () != faults(tree, workspace.root)


@pytest.mark.usefixtures("odd")
def test_a_tree_with_a_repository_in_it_is_not_handed_out(suite):
    (task,) = suite.tasks()
    with open_local("git") as workspace:
        (workspace.root / "deep").mkdir()
        (workspace.root / "deep/.GIT").write_text("gitdir: /elsewhere\n")
        with pytest.raises(SuiteError, match="would come with a history") as caught:
            suite.seed(task, workspace)
        assert (("found", "deep/.GIT"),) == caught.value.facts


class TestRepositories(SuiteConformance):
    entry_point = "folder"

    @pytest.fixture
    def suite(self, odd, cache) -> FolderSuite:
        return FolderSuite(path=odd.root, cache=cache)

    @pytest.fixture
    def plugin(self, suite) -> FolderSuite:
        return suite
