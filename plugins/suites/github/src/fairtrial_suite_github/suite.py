"""The suite itself: the inner one's tasks as issues, and pull requests as what was delivered."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from attrs import field, frozen
from attrs.validators import matches_re
from fairtrial.api.attempt import Patch
from fairtrial.api.errors import SuiteError
from fairtrial.api.sandbox import Workspace
from fairtrial.api.suite import (
    Checked,
    Equipment,
    Equipped,
    Fault,
    PartlyRead,
    Preflighted,
    Published,
    Receiving,
    Referenced,
    Suite,
)
from fairtrial.api.task import Task
from fairtrial.api.verdict import Verdict

from fairtrial_suite_github import tree
from fairtrial_suite_github.forge import Forge, Json, number_of

MARK = re.compile(r"<!-- fairtrial task: ([A-Za-z0-9._-]+) -->")


@frozen(kw_only=True)
class GithubSuite:
    """
    The tasks of another suite, as issues of a repository on GitHub.

    Attributes:
        inner: The suite that has the tasks: a `[suites.*]` table, or a suite plugin.
        repo: The scratch repository, `owner/name`; it is made, private, where there is none.
        branch_prefix: How the branches begin that attempts deliver; no other is ever touched.
        host: The host of an enterprise's own GitHub; empty for github.com.
    """

    inner: Suite
    repo: str = field(validator=matches_re(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+"))
    branch_prefix: str = field(
        default="fairtrial/", validator=matches_re(r"[A-Za-z0-9][A-Za-z0-9._/-]*[/-]")
    )
    host: str = ""

    @property
    def version(self) -> str:
        """The inner suite's version."""
        return self.inner.version

    @property
    def _forge(self) -> Forge:
        return Forge(repo=self.repo, host=self.host)

    def tasks(self) -> Iterable[Task]:
        """Yields the inner suite's tasks."""
        return self.inner.tasks()

    def publish(self, tasks: Sequence[Task], /) -> Sequence[str]:
        """Makes the repository and one issue a task, where they aren't there; reopens closed ones."""
        forge, done = self._forge, []
        found = forge.repository()
        if found is None:
            found = forge.create()
            done.append(f"made {self.repo}")
        if not forge.has_branch("main"):
            tree.push(self.inner, tasks, str(found["clone_url"]))
            done.append(f"pushed one commit to main of {self.repo}")
        there = self._issues()
        for task in tasks:
            issue = there.get(task.id)
            if issue is None:
                number = forge.open_issue(*_text(task))
                done.append(f"opened #{number} for {task.id}")
            elif issue.get("state") == "closed":
                forge.reopen_issue(number_of(issue))
                done.append(f"reopened #{number_of(issue)} for {task.id}")
        return done

    def withdraw(self) -> Sequence[str]:
        """Closes the open pull requests from the suite's own branches, and deletes these."""
        forge, done = self._forge, []
        for pull in tuple(forge.pulls()):
            if self._own(pull):
                forge.close_pull(number_of(pull))
                done.append(f"closed #{number_of(pull)}")
        for name in tuple(forge.branches(self.branch_prefix)):
            forge.delete_branch(name)
            done.append(f"deleted {name}")
        return done

    def _own(self, pull: Json) -> bool:
        head = pull.get("head")
        if not isinstance(head, dict):
            return False
        source = head.get("repo")
        full_name = source.get("full_name") if isinstance(source, dict) else None
        same = str(full_name).casefold() == self.repo.casefold()
        return same and str(head.get("ref", "")).startswith(self.branch_prefix)

    def _issues(self) -> dict[str, Json]:
        """Task id → its issue; of several the oldest."""
        found: dict[str, Json] = {}
        for issue in self._forge.issues():
            for mark in MARK.findall(str(issue.get("body") or "")):
                found.setdefault(mark, issue)
        return found

    def preflight(self, tasks: Sequence[Task], /) -> None:
        """
        Makes sure that every task has its open issue, and lets the inner suite make ready.

        Raises:
            SuiteError: Tasks have none; all of them are named.
        """
        there = self._issues() if self._forge.repository() is not None else {}
        missing = [
            task.id for task in tasks if there.get(task.id, {"state": ""}).get("state") != "open"
        ]
        if missing:
            raise SuiteError(
                problem=f"no open issue for {', '.join(missing)}",
                facts=(("repository", self.repo),),
                way_on="`fairtrial issues seed` with this config opens what is missing",
            )
        if isinstance(self.inner, Preflighted):
            self.inner.preflight(tasks)

    def receive(self, task: Task, submission: str, repository: Path, /) -> str | None:
        """Fetches a pull request of the suite's repository; None for any other address."""
        host = re.escape(self.host or "github.com")
        name = re.escape(self.repo)
        pattern = rf"(?:https://{host}/{name}/pull/|(?:{name})?#)([1-9][0-9]{{0,8}})(?:[/?#].*)?"
        match = re.fullmatch(pattern, submission.strip(), re.IGNORECASE)
        if match is None:
            return None
        number = int(match[1])
        found = self._forge.repository()
        if found is None or self._forge.pull(number) is None:
            raise SuiteError(
                problem=f"pull request “{submission}” isn't there",
                facts=(("repository", self.repo),),
                way_on="see what the solver's log says of it",
                task=task.id,
            )
        return tree.take(str(found["clone_url"]), number, repository)

    def equip(self, task: Task, /) -> Equipment:
        """Finds what the task needs."""
        return self.inner.equip(task) if isinstance(self.inner, Equipped) else Equipment()

    def seed(self, task: Task, workspace: Workspace, /) -> None:
        """Lays the task's tree, as the inner suite does."""
        self.inner.seed(task, workspace)

    def reference(self, task: Task, /) -> Patch | None:
        """Returns the inner suite's known-good fix."""
        return self.inner.reference(task) if isinstance(self.inner, Referenced) else None

    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        """Grades as the inner suite does."""
        return self.inner.grade(task, workspace)

    def readable(self) -> Sequence[Task]:
        """Returns the inner suite's tasks, those that can't be read left out where it can."""
        return tuple(
            self.inner.readable() if isinstance(self.inner, PartlyRead) else self.inner.tasks()
        )

    def faults(self) -> Sequence[Fault]:
        """Returns the broken rules of the inner suite."""
        return tuple(self.inner.faults()) if isinstance(self.inner, Checked) else ()


def _text(task: Task) -> tuple[str, str]:
    title, _, body = task.brief.prompt.strip().partition("\n")
    return title.strip()[:200], f"{body.strip()}\n\n<!-- fairtrial task: {task.id} -->\n"


_: type[Suite] = GithubSuite
_referenced: type[Referenced] = GithubSuite
_preflighted: type[Preflighted] = GithubSuite
_equipped: type[Equipped] = GithubSuite
_checked: type[Checked] = GithubSuite
_partly_read: type[PartlyRead] = GithubSuite
_published: type[Published] = GithubSuite
_receiving: type[Receiving] = GithubSuite
