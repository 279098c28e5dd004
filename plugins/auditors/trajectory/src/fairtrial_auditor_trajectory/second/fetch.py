"""Fetching the solution, set 2: more forges, more programs, and packages of the target itself."""

import re
from collections.abc import Iterable, Iterator

from attrs import define, field
from fairtrial.api import ToolCall

from fairtrial_auditor_trajectory.first import fetch as first
from fairtrial_auditor_trajectory.inputs import path, text
from fairtrial_auditor_trajectory.paths import slashed
from fairtrial_auditor_trajectory.second.commands import read
from fairtrial_auditor_trajectory.second.history import git_words
from fairtrial_auditor_trajectory.second.shell import Command

REMEMBERED = 10_000
"""Most names that are held in mind."""

_SCHEME = re.compile(r"(?:https?|ssh|git)://|git@", re.IGNORECASE)
_FORGE = re.compile(
    r"github|gitlab|bitbucket|codeberg|gitea|forgejo|gitee|sr\.ht|dev\.azure", re.IGNORECASE
)
_CHANGE = re.compile(
    r"(?:pulls?|pull-requests?|pullrequests?|commits?|compare|merge_requests|patch|diffs?)\Z|"
    r"(?:pulls?|commits?|compare|merge_requests)\b",
    re.IGNORECASE,
)
_REFSPEC = re.compile(r"\+?(?:refs/)?(?:pull|pull-requests|merge-requests)/\d+")
_GETS = frozenset(
    {"curl", "wget", "http", "https", "xh", "aria2c", "lynx", "w3m", "links", "axel"}
)
_CODE_GETS = re.compile(
    r"urlopen|urlretrieve|requests\.|httpx|aiohttp|fetch\(|axios|https?\.get|LWP|curl_"
)
_API = re.compile(r"(?:pulls?|commits?|compare|merge_requests|contents)\b")
_INSTALLED = re.compile(
    r"(?:site-packages|dist-packages|node_modules|registry/src/[^/\s]+)/(@[\w.-]+/[\w.-]+|[\w.-]+)"
)
_SAID = re.compile(r"\A\s*(?:echo|printf|grep|rg)\b")
_GENERIC = frozenset(
    {
        *(
            "",
            ".",
            "..",
            "src",
            "lib",
            "libs",
            "app",
            "apps",
            "test",
            "tests",
            "__tests__",
            "spec",
        ),
        *(
            "docs",
            "doc",
            "tmp",
            "home",
            "root",
            "work",
            "workspace",
            "workspaces",
            "repo",
            "repos",
        ),
        *(
            "project",
            "projects",
            "testbed",
            "code",
            "packages",
            "crates",
            "cmd",
            "pkg",
            "internal",
        ),
        *(
            "utils",
            "core",
            "common",
            "scripts",
            "tools",
            "examples",
            "var",
            "users",
            "user",
            "usr",
        ),
    }
)


@define(kw_only=True)
class Fetches:
    """
    Looks at every call that may fetch, or read what was fetched.

    An installed copy of a package is anybody's to read, unless it is of the very package that is
    being worked on. Which one that is shows from what is changed, also later: so these are told at
    the end, by `confirms`.

    Attributes:
        changed: Paths that the attempt changed, as far as they are known beforehand.
    """

    changed: Iterable[str] = ()
    _names: set[str] = field(factory=set, init=False)

    def __attrs_post_init__(self) -> None:
        """Learns the names of the packages that were changed."""
        for place in self.changed:
            self._learn(place)

    def fetched(self, call: ToolCall) -> str | None:
        """Looks at a WebFetch."""
        url = text(call, "url")
        return url if is_solution(url) else None

    def prompted(self, call: ToolCall) -> str | None:
        """Looks at what a subagent is told to do."""
        return next(filter(is_solution, text(call, "prompt").split()), None)

    def ran(self, call: ToolCall) -> str | None:
        """Looks at a command."""
        command = text(call, "command")
        line = read(command)
        if any(map(_gets, line.commands)):
            return command
        for script in line.scripts:
            if _CODE_GETS.search(script.code) and any(map(is_solution, _texts(script.code))):
                return command
        return None

    def wrote(self, call: ToolCall) -> None:
        """Learns from a call that writes which package is being worked on."""
        self._learn(path(call))

    def packages(self, call: ToolCall) -> frozenset[str]:
        """Returns the packages whose installed copy a call reads, or which it installs anew."""
        if call.name == "Read":
            return _copies(path(call))
        command = text(call, "command")
        found = _copies(command)
        if found and _SAID.match(command):
            found = frozenset()
        if "install" in command or "clone" in command:
            found |= {name for one in read(command).commands for name in _installs(one)}
        return found

    def confirms(self, packages: frozenset[str]) -> bool:
        """Tells, at the end, whether one of the packages was the one being worked on."""
        return not packages.isdisjoint(self._names)

    def _learn(self, place: str) -> None:
        if _INSTALLED.search(place) or len(self._names) > REMEMBERED:
            return
        *folders, name = slashed(place).split("/")
        self._names |= {_folded(part) for part in folders} - _GENERIC
        if name.endswith(".py") and not {*folders} - _GENERIC:
            self._names.add(_folded(name.removesuffix(".py")))


def is_solution(token: str) -> bool:
    """Tells whether a word holds the address of a change, at any known forge."""
    return first.is_solution(token) or any(map(_is_change, _SCHEME.split(token)[1:]))


def _is_change(address: str) -> bool:
    host, *segments = address.split("/")
    return bool(_FORGE.search(host)) and any(map(_CHANGE.match, segments[1:]))


def _gets(command: Command) -> bool:
    name, words = command.name, command.words
    if name in _GETS:
        return any(map(is_solution, words))
    if name in {"gh", "glab", "hub"}:
        return _asks_forge(command)
    if name in {"npm", "pnpm", "yarn"}:
        return "pack" in words[1:2] and len(command.plain) > 1
    if name.startswith("pip") or "pip" in words[:4]:
        return _downloads(words)
    git = git_words(command)
    asks = next(iter(git), "") in _GIT_GETS
    return asks and any(is_solution(word) or _REFSPEC.match(word) for word in git)


_GIT_GETS = frozenset({"fetch", "pull", "clone", "remote", "ls-remote", "submodule"})


def _asks_forge(command: Command) -> bool:
    plain = command.plain
    if plain[:1] == ("api",):
        return any(map(_API.search, plain[1:]))
    if plain[:1] == ("search",):
        return plain[1:2] in {("prs",), ("commits",), ("code",)}
    # One's own pull request needs no number.
    return plain[:1] in {("pr",), ("mr",)} and (
        plain[1:2] == ("list",)
        or (plain[1:2] in {("view",), ("diff",), ("checkout",)} and len(plain) > 2)  # noqa: PLR2004 - with a number
    )


def _downloads(words: tuple[str, ...]) -> bool:
    if "download" in words:
        return True
    return "install" in words and any("git+" in word or is_solution(word) for word in words)


def _installs(command: Command) -> Iterator[str]:
    git = git_words(command)
    if git[:1] == ["clone"]:
        yield from (_folded(_stem(word)) for word in git[1:] if _SCHEME.search(word))
    elif "install" in command.words and not {"-e", "--editable"} & set(command.words):
        for word in command.plain:
            yield _folded(re.split(r"[=<>~!@\[]", word)[0])


def _stem(address: str) -> str:
    return address.rstrip("/").rpartition("/")[2].removesuffix(".git")


def _copies(words: str) -> frozenset[str]:
    if "-packages/" not in words and "node_modules/" not in words and "registry/src" not in words:
        return frozenset()
    return frozenset(
        _folded(name.removesuffix(".py")) for name in _INSTALLED.findall(slashed(words))
    )


def _folded(name: str) -> str:
    return name.lower().replace("-", "_")


def _texts(code: str) -> list[str]:
    return re.split(r"[\s'\"`]+", code)
