"""The few calls of GitHub's REST interface that are needed, each through `gh api`."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import cast

from attrs import frozen
from fairtrial.api.errors import SuiteError

from fairtrial_suite_github import fetch

PAGE = 100

Json = Mapping[str, object]


@frozen(kw_only=True)
class Forge:
    """
    One repository on GitHub.

    Attributes:
        repo: `owner/name`.
        host: Empty for github.com, or the host of an enterprise's own.
    """

    repo: str
    host: str = ""

    def repository(self) -> Json | None:
        """Returns the repository; None where there is none."""
        return self._maybe(f"repos/{self.repo}")

    def create(self) -> Json:
        """Makes the repository, private, without a file."""
        owner, _, name = self.repo.partition("/")
        me = self._one("GET", "user").get("login")
        path = "user/repos" if owner == me else f"orgs/{owner}/repos"
        return self._one("POST", path, {"name": name, "private": True, "auto_init": False})

    def has_branch(self, name: str) -> bool:
        """Tells whether there is such a branch; an empty repository has none."""
        return self._maybe(f"repos/{self.repo}/branches/{name}") is not None

    def issues(self) -> Iterator[Json]:
        """Yields all issues, open and closed, oldest first; pull requests are not among them."""
        path = f"repos/{self.repo}/issues?state=all&sort=created&direction=asc"
        yield from (each for each in self._pages(path) if "pull_request" not in each)

    def open_issue(self, title: str, body: str) -> int:
        """Opens an issue; returns its number."""
        path = f"repos/{self.repo}/issues"
        return number_of(self._one("POST", path, {"title": title, "body": body}))

    def reopen_issue(self, number: int) -> None:
        """Opens a closed issue again."""
        self._one("PATCH", f"repos/{self.repo}/issues/{number}", {"state": "open"})

    def pulls(self) -> Iterator[Json]:
        """Yields the open pull requests."""
        yield from self._pages(f"repos/{self.repo}/pulls?state=open")

    def pull(self, number: int) -> Json | None:
        """Returns one pull request; None where there is none."""
        return self._maybe(f"repos/{self.repo}/pulls/{number}")

    def close_pull(self, number: int) -> None:
        """Closes a pull request without merging it."""
        self._one("PATCH", f"repos/{self.repo}/pulls/{number}", {"state": "closed"})

    def branches(self, prefix: str) -> Iterator[str]:
        """Yields the names of the branches that begin so."""
        start = f"refs/heads/{prefix}"
        for each in self._pages(f"repos/{self.repo}/git/matching-refs/heads/{prefix}"):
            name = str(each.get("ref", ""))
            if name.startswith(start):
                yield name.removeprefix("refs/heads/")

    def delete_branch(self, name: str) -> None:
        """Deletes a branch."""
        self._call("DELETE", f"repos/{self.repo}/git/refs/heads/{name}", None)

    def _pages(self, path: str) -> Iterator[Json]:
        separator = "&" if "?" in path else "?"
        page = 1
        while True:
            found = self._call("GET", f"{path}{separator}per_page={PAGE}&page={page}", None)
            rows = cast("list[Json]", found) if isinstance(found, list) else []
            yield from rows
            if len(rows) < PAGE:
                return
            page += 1

    def _maybe(self, path: str) -> Json | None:
        found = self._call("GET", path, None, missing=True)
        return cast("Json", found) if isinstance(found, dict) else None

    def _one(self, method: str, path: str, body: Json | None = None) -> Json:
        found = self._call(method, path, body)
        if not isinstance(found, dict):
            raise _refused(method, path, "the answer is no object")
        return cast("Json", found)

    def _call(self, method: str, path: str, body: Json | None, *, missing: bool = False) -> object:
        argv = ["gh", "api", "--method", method, path]
        argv += ["--hostname", self.host] if self.host else []
        argv += ["--input", "-"] if body is not None else []
        ran = fetch.run(argv, stdin=b"" if body is None else json.dumps(body).encode())
        if ran.code != 0:
            if missing and re.search(r"HTTP (404|409)", ran.stderr):
                return None
            raise _refused(method, path, ran.stderr.splitlines()[-1] if ran.stderr else "–")
        if not ran.stdout.strip():
            return None
        try:
            return json.loads(ran.stdout)
        except ValueError as error:
            raise _refused(method, path, f"the answer is no JSON: {error}") from error


def number_of(thing: Json) -> int:
    """Returns the number of an issue or a pull request."""
    number = thing.get("number")
    return number if isinstance(number, int) else 0


def _refused(method: str, path: str, because: str) -> SuiteError:
    return SuiteError(
        problem="the forge did not do what was asked",
        facts=(("asked for", f"{method} {path}"), ("because", because)),
        way_on="`gh auth status` says who you are there; then try again",
    )
