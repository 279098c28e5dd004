"""The one commit that a repository begins with, and the commits that a pull request ends with."""

import hashlib
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from attrs import frozen
from fairtrial.api.errors import SandboxDied, SuiteError
from fairtrial.api.sandbox import Finished, Running
from fairtrial.api.suite import Suite
from fairtrial.api.task import Task

from fairtrial_suite_github import fetch

AUTHOR = {
    "GIT_AUTHOR_NAME": "fairtrial",
    "GIT_AUTHOR_EMAIL": "fairtrial@localhost",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "fairtrial",
    "GIT_COMMITTER_EMAIL": "fairtrial@localhost",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
}
"""The same each time, so that the same tree is the same commit."""

SAFE = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "gc.auto=0")
LOGIN = ("-c", "credential.helper=", "-c", "credential.helper=!gh auth git-credential")


@frozen(kw_only=True)
class Folder:
    """
    A directory to lay a tree into; no program runs in it.

    Attributes:
        root: The directory.
    """

    root: Path

    @property
    def inside(self) -> PurePosixPath:
        """The same directory."""
        return PurePosixPath(self.root)

    @property
    def enforced(self) -> Mapping[str, str]:
        """Nothing runs, so nothing is kept of a fence."""
        return {}

    def run(self, argv: Sequence[str], /, **options: object) -> Finished:
        """Refuses."""
        raise self._refusal(argv)

    def spawn(self, argv: Sequence[str], /, **options: object) -> Running:
        """Refuses."""
        raise self._refusal(argv)

    def settle(self) -> None:
        """Does nothing, since nothing runs."""

    def _refusal(self, argv: Sequence[str]) -> SandboxDied:
        return SandboxDied(
            problem=f"“{argv[0]}” can't run where a tree is only laid",
            way_on="give tasks that are seeded without a program",
        )


def push(suite: Suite, tasks: Sequence[Task], address: str) -> None:
    """
    Pushes the tree of these tasks as one commit on `main`, unsigned.

    Raises:
        SuiteError: Their trees differ, or the commit can't be pushed.
    """
    with tempfile.TemporaryDirectory(prefix="fairtrial-seed-") as place:
        first = Path(place) / "first"
        digest = _laid(suite, tasks[0], first)
        for number, task in enumerate(tasks[1:]):
            if _laid(suite, task, Path(place) / str(number)) != digest:
                raise SuiteError(
                    problem=f"tasks “{tasks[0].id}” and “{task.id}” start from different trees",
                    facts=(("a repository", "holds one tree"),),
                    way_on="give each tree a repository of its own; choose its tasks by --only",
                    task=task.id,
                )
        for step in (
            ("init", "--quiet", "--template=", "--initial-branch=main"),
            ("add", "--all", "--force"),
            ("-c", "commit.gpgSign=false", "commit", "--quiet", "--no-verify", "-m", "Begin"),
            ("push", "--quiet", address, "main:main"),
        ):
            _git(step, first)


def _laid(suite: Suite, task: Task, place: Path) -> str:
    place.mkdir()
    suite.seed(task, Folder(root=place))
    total = hashlib.sha256()
    for path in sorted(place.rglob("*")):
        if path.is_symlink() or path.is_file():
            content = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
            name = os.fsencode(path.relative_to(place))
            total.update(b"%d %s\0%d\0" % (path.lstat().st_mode, name, len(content)) + content)
    return total.hexdigest()


def take(address: str, number: int, repository: Path) -> str:
    """
    Fetches the commits of a pull request into a bare repository; returns the last one's id.

    Raises:
        SuiteError: They can't be fetched.
    """
    where = f"--git-dir={repository}"
    reference = f"refs/pull/{number}/head:refs/heads/delivered"
    _git((where, "fetch", "--quiet", "--no-tags", "--depth=50", address, reference), repository)
    return _git((where, "rev-parse", "refs/heads/delivered"), repository).strip()


def _git(step: Sequence[str], cwd: Path) -> str:
    ran = fetch.run(["git", *SAFE, *LOGIN, *step], cwd=cwd, env=AUTHOR)
    if ran.code != 0:
        raise SuiteError(
            problem="git did not do what was asked",
            facts=(
                ("asked for", next(word for word in step if not word.startswith("-"))),
                ("because", ran.stderr.splitlines()[-1] if ran.stderr else "–"),
            ),
            way_on="`gh auth status` says who you are there; then try again",
        )
    return ran.stdout.decode("utf-8", "replace")
