"""Which files a command line writes, removes and moves, and with what text where that is told."""

import functools
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import frozen

from fairtrial_auditor_trajectory.second.commands import Line, Script, read
from fairtrial_auditor_trajectory.second.history import git_words
from fairtrial_auditor_trajectory.second.shell import Command, Pipeline

_WRITING = re.compile(
    r"write|\.open\(['\"][wax]|open\([^)\n]*,\s*['\"][wax+>]|unlink|remove|rename|copy|move|rmtree|"
    r"\brm(?:Sync)?\(|symlink|>\s*['\"]|FileUtils|truncate|replace\("
)
_REMOVING = re.compile(
    r"""(?:unlink|remove|rmtree|rm|rmSync|unlinkSync|rename|move|renameSync)\(\s*['"]([^'"\n]+)['"]|"""
    r"""Path\(\s*['"]([^'"\n]+)['"]\s*\)\.(?:unlink|rename|replace)\("""
)
_STRING = re.compile(r"""(['"])([^'"\n]{1,300})\1""")
_PATCHED = re.compile(r"^\+\+\+ (?:b/)?(\S+)|^\*\*\* (?:Update|Add) File: (\S+)", re.MULTILINE)
_UNPATCHED = re.compile(r"^\*\*\* Delete File: (\S+)", re.MULTILINE)
_INTO_LAST = frozenset({"cp", "mv", "install", "ln", "rsync", "scp"})
_REMOVERS = frozenset({"rm", "unlink", "shred"})
_TO_FILE = {"curl": ("-o", "--output"), "wget": ("-O", "--output-document")}


@frozen(kw_only=True)
class Written:
    """
    A file that is written.

    Attributes:
        path: Its path, as given.
        content: All that is written there, where the command line holds it; else empty.
        change: How it is changed in place (a program for sed, a patch); else empty.
        scripted: Whether it is only a text in a script that writes something.
    """

    path: str
    content: str = ""
    change: str = ""
    scripted: bool = False


@frozen(kw_only=True)
class Effects:
    """
    What a command line does to files.

    Attributes:
        written: What it writes; of a script, each text in it that may be a path.
        removed: Paths that it removes.
        moved: What it moves, from where to where.
    """

    written: tuple[Written, ...]
    removed: tuple[str, ...]
    moved: tuple[tuple[str, str], ...]


@functools.lru_cache(maxsize=8)
def effects(command: str) -> Effects:
    """Returns what a command line does to files; two patterns ask, hence the cache."""
    line = read(command)
    return Effects(
        written=tuple(_written(line)), removed=tuple(_removed(line)), moved=tuple(_moved(line))
    )


def _written(line: Line) -> Iterator[Written]:
    for pipeline in line.pipelines:
        for at, command in enumerate(pipeline):
            yield from _redirected(command, pipeline[:at])
            yield from _by_program(command)
    for script in line.scripts:
        yield from _scripted(script)


def _removed(line: Line) -> Iterator[str]:
    for command in line.commands:
        git = git_words(command)
        if command.name in _REMOVERS:
            yield from command.plain
        elif git and git[0] == "rm" and "--cached" not in git:
            yield from (word for word in git[1:] if not word.startswith("-"))
        elif command.name == "find" and ("-delete" in command.words or "rm" in command.words):
            yield from command.plain[:1]
        yield from _UNPATCHED.findall(command.body)
    for script in line.scripts:
        yield from ("".join(found) for found in _REMOVING.findall(script.code))


def _moved(line: Line) -> Iterator[tuple[str, str]]:
    for command in line.commands:
        git = git_words(command)
        if command.name == "mv":
            plain = command.plain
        elif git[:1] == ["mv"]:
            plain = tuple(word for word in git[1:] if not word.startswith("-"))
        else:
            continue
        for source in plain[:-1]:
            yield source, plain[-1]


def _redirected(command: Command, before: Pipeline) -> Iterator[Written]:
    content = command.body
    if not content and command.name in {"echo", "printf"}:
        content = " ".join(command.words[1:])
    targets = command.writes
    if command.name == "tee":
        targets += command.plain
        content = content or "".join(_told(earlier) for earlier in before)
    for path in targets:
        yield Written(path=path, content=content)


def _told(command: Command) -> str:
    words = " ".join(command.words[1:]) if command.name in {"echo", "printf"} else ""
    return command.body or words


def _by_program(command: Command) -> Iterator[Written]:
    name, plain = command.name, command.plain
    if name == "patch" or git_words(command)[:1] == ["apply"]:
        for found in _PATCHED.findall(command.body):
            yield Written(path="".join(found), change=command.body)
    elif name in {"ed", "ex"}:
        yield from (Written(path=path, change=command.body) for path in plain)
    elif _edits_in_place(command):
        yield from _in_place(command)
    else:
        yield from map(_at, _targets(command))


def _targets(command: Command) -> Sequence[str]:
    name, plain = command.name, command.plain
    if name in _INTO_LAST or name == "truncate":
        return plain[-1:]
    if name == "chmod":
        return plain[1:]
    if name == "dd":
        return [word[3:] for word in command.words if word.startswith("of=")]
    return list(_after(command, _TO_FILE[name])) if name in _TO_FILE else ()


_IN_PLACE = {
    **dict.fromkeys(("sed", "gsed"), re.compile(r"-\w*i|--in-place")),
    **dict.fromkeys(("perl", "ruby"), re.compile(r"-\w*i")),
    **dict.fromkeys(("awk", "gawk"), re.compile(r"inplace")),
}


def _edits_in_place(command: Command) -> bool:
    option = _IN_PLACE.get(command.name)
    return option is not None and any(map(option.match, command.words[1:]))


def _in_place(command: Command) -> Iterator[Written]:
    given = command.words[1:]
    programs = [word for option, word in pairwise(given) if re.match(r"-\w*e\Z", option)]
    plain = [word for word in command.plain if word not in programs]
    if not programs and plain:
        programs = [plain.pop(0)]
    for path in plain:
        yield Written(path=path, change="\n".join(programs))


def _after(command: Command, options: tuple[str, ...]) -> Iterator[str]:
    for option, value in pairwise(command.words[1:]):
        if option in options:
            yield value


def _scripted(script: Script) -> Iterator[Written]:
    if _WRITING.search(script.code):
        for _, text in _STRING.findall(script.code):
            # A bare word may be anything; a path has a slash or an ending.
            if re.search(r"[/.]", text) and not re.search(r"\s", text):
                yield Written(path=text, content=script.code, scripted=True)


def _at(path: str) -> Written:
    return Written(path=path)
