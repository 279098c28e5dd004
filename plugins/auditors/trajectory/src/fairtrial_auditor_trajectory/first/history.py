"""History mining: a fix copied out of what version control remembers."""

import re
from collections.abc import Sequence

from fairtrial.api import ToolCall

from fairtrial_auditor_trajectory.first.shell import git, segments, targets, words
from fairtrial_auditor_trajectory.inputs import path, text
from fairtrial_auditor_trajectory.paths import slashed

_STORE = re.compile(r"\.git/objects|\.(?:pack|idx)(?![\w./-])", re.ASCII)
_SHOWN = re.compile(r"git\s+show\s+[^\s:]*[^\s:]:\S")
_APPLIED = re.compile(r"git\s+apply|\|\s*patch\b", re.ASCII)
_REPLAYS = frozenset({"cherry-pick", "format-patch", "am"})


def read(call: ToolCall) -> str | None:
    """Looks at a Read: of git's store of objects, or of a pack."""
    name = slashed(path(call))
    return name if ".git/objects" in name or name.endswith((".pack", ".idx")) else None


def ran(call: ToolCall) -> str | None:
    """Looks at a command."""
    command = text(call, "command")
    # Nearly every command is neither: one search each, in place of tokens and rules.
    if "git" not in command and ".pack" not in command and ".idx" not in command:
        return None
    return command if _mines(command) else None


def _mines(command: str) -> bool:
    if _STORE.search(command) or _copies_shown(command):
        return True
    return any(_replays(git(words(segment))) for segment in segments(command))


def _copies_shown(command: str) -> bool:
    if not _SHOWN.search(command):
        return False
    return bool(_APPLIED.search(command)) or any(True for _ in targets(command))


def _replays(tokens: Sequence[str]) -> bool:
    if not tokens:
        return False
    name, arguments = tokens[0], tokens[1:]
    if name == "log":
        return _searches(arguments)
    if name == "checkout":
        return _checks_out(arguments)
    return name in _REPLAYS or (name == "restore" and restores(arguments))


def _searches(arguments: Sequence[str]) -> bool:
    everywhere = "--all" in arguments or "--reflog" in arguments
    return everywhere and any(
        word in {"-p", "--patch"} or word.startswith(("-S", "-G")) for word in arguments
    )


def _checks_out(arguments: Sequence[str]) -> bool:
    if "--" not in arguments:
        return False
    before = arguments[: arguments.index("--")]
    plain = [word for word in before if not word.startswith("-")]
    return bool(plain) and plain[-1] != "HEAD"


def restores(arguments: Sequence[str]) -> bool:
    """Tells whether `git restore` with these arguments takes a file from another revision."""
    for at, word in enumerate(arguments):
        if word.startswith("--source"):
            _, glued, revision = word.partition("=")
            after = [revision] if glued else list(arguments[at + 1 : at + 2])
            if after and after[0] != "HEAD":
                return True
    return False
