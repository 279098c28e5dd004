"""What a kit takes for the repository of one commit, against the real git."""

import os
import subprocess
from pathlib import Path

import pytest
from fairtrial.conformance.commit import past_one_commit
from fairtrial.conformance.tree import snapshot

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": os.devnull,
    **{f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


def git(root: Path, *argv: str) -> None:
    subprocess.run(["git", *argv], cwd=root, env=ENVIRONMENT, check=True, capture_output=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    git(tmp_path, "-c", "core.logAllRefUpdates=false", "init", "-q", "--template=", ".")
    git(tmp_path, "config", "core.logAllRefUpdates", "false")
    (tmp_path / "a").write_text("a")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    (tmp_path / ".git/COMMIT_EDITMSG").unlink(missing_ok=True)
    return tmp_path


def test_one_commit_is_no_past(root: Path) -> None:
    assert [] == past_one_commit(snapshot(root))


@pytest.mark.parametrize(
    "argv",
    [
        ("commit", "-q", "--allow-empty", "-m", "two"),
        ("branch", "other"),
        ("tag", "v1"),
        ("tag", "-a", "v1", "-m", "x"),
        ("notes", "add", "-m", "x"),
        ("repack", "-qad"),
        ("pack-refs", "--all"),
        ("worktree", "add", "-q", "../elsewhere"),
    ],
    ids=" ".join,
)
def test_whatever_could_hold_more_is_named(root: Path, argv: tuple[str, ...]) -> None:
    git(root, *argv)
    assert [] != past_one_commit(snapshot(root))
