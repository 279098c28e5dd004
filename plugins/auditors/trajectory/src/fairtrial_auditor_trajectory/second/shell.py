"""
A reader of command lines for set 2: quotes, pipes, here-documents, and what wraps a command.

It reads the common ground of POSIX shells (XCU 2.2–2.9) and expands nothing. One search a piece
of text, so that its time grows with the length alone.
"""

import re
from collections.abc import Iterator

from attrs import define, field, frozen

DEEPEST = 5
"""Levels of commands within commands that are read."""

_LEXEME = re.compile(
    r"""
    (?P<quoted>'[^']*'|"(?:\\.|[^"\\])*")
    | (?P<escaped>\\.)
    | (?P<here><<-?(?!<))
    | (?P<redirect>\d*(?:>>|>\||>&|&>>|&>|>)|<<<|<&|<)
    | (?P<pipe>\|&?(?!\|))
    | (?P<end>&&|\|\||;;|[;&\n()`])
    | (?P<comment>(?<![^\s;&|(])\#[^\n]*)
    | (?P<blank>[ \t\r\f\v]+)
    | (?P<plain>[^\s'"\\;&|<>()`#]+|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_KEYWORDS = frozenset({"if", "then", "elif", "else", "do", "while", "until", "!", "{", "time"})
_WRAPPERS = frozenset(
    {
        *("sudo", "env", "nohup", "command", "exec", "builtin", "nice", "timeout", "stdbuf"),
        *("xargs", "setsid", "busybox", "ionice", "unbuffer", "caffeinate"),
    }
)
_ASSIGNMENT = re.compile(r"\w+=")
_PASSED_OVER = re.compile(r"-|\w+=|\d+(?:\.\d+)?[smhd]?\Z|[{}]")
_WITH_VALUE = frozenset({"-u", "-g", "-s", "-k", "-I", "-P", "-C", "-d"})
SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash"})


@frozen(kw_only=True)
class Command:
    """
    One simple command.

    Attributes:
        words: Its words, quotes taken off, wrappers such as `sudo` left out; may be empty.
        writes: Files that its output goes to.
        body: What a here-document or a here-string gives it to read.
        name: The program's name, without its folder.
        plain: The arguments that are no options.
    """

    words: tuple[str, ...]
    writes: tuple[str, ...] = ()
    body: str = ""
    name: str = field(init=False)
    plain: tuple[str, ...] = field(init=False)

    @name.default
    def _named(self) -> str:
        return self.words[0].rpartition("/")[2] if self.words else ""

    @plain.default
    def _without_options(self) -> tuple[str, ...]:
        return tuple([word for word in self.words[1:] if word[:1] != "-"])


Pipeline = tuple[Command, ...]


def pipelines(text: str, depth: int = 0) -> Iterator[Pipeline]:
    """Yields all pipelines of a command line, those within others too."""
    reader = _Reader(text=text)
    reader.read()
    for pipeline in reader.done:
        yield pipeline
        if depth < DEEPEST:
            for command in pipeline:
                for inner in inner_lines(command):
                    yield from pipelines(inner, depth + 1)
    if depth < DEEPEST:
        for part in reader.substituted:
            yield from pipelines(part, depth + 1)


def inner_lines(command: Command) -> Iterator[str]:
    """Yields the command lines that a command hands to a shell."""
    if command.name == "eval":
        yield " ".join(command.words[1:])
    elif command.name in SHELLS:
        for at, word in enumerate(command.words[1:-1], start=1):
            if re.fullmatch(r"-[a-z]*c", word):
                yield command.words[at + 1]
                return
        yield command.body


@define(kw_only=True)
class _Reader:
    text: str
    done: list[Pipeline] = field(factory=list)
    substituted: list[str] = field(factory=list)
    _stages: list[Command] = field(factory=list)
    _words: list[str] = field(factory=list)
    _writes: list[str] = field(factory=list)
    _body: str = ""
    _word: str | None = None
    _into: str = ""
    _here: list[str] = field(factory=list)
    _position: int = 0

    def read(self) -> None:
        while self._position < len(self.text):
            match = _LEXEME.match(self.text, self._position)
            if match is None:  # the last branch takes any character at all
                break
            self._position = match.end()
            getattr(self, f"_take_{match.lastgroup}")(match.group())
        self._take_end("")

    def _take_quoted(self, piece: str) -> None:
        inside = piece[1:-1]
        if piece.startswith('"'):
            if "$(" in inside or "`" in inside:
                self.substituted.append(inside)
            inside = re.sub(r'\\([\\"$`\n])', r"\1", inside)
        self._word = (self._word or "") + inside

    def _take_escaped(self, piece: str) -> None:
        if piece != "\\\n":
            self._word = (self._word or "") + piece[1]

    def _take_plain(self, piece: str) -> None:
        self._word = (self._word or "") + piece

    def _take_comment(self, _: str) -> None:
        self._close_word()

    def _take_blank(self, _: str) -> None:
        self._close_word()

    def _take_here(self, _: str) -> None:
        self._close_word()
        self._into = "here"

    def _take_redirect(self, piece: str) -> None:
        self._close_word()
        self._into = "write" if ">" in piece else "string" if piece == "<<<" else "input"

    def _take_pipe(self, _: str) -> None:
        self._close_command()

    def _take_end(self, piece: str) -> None:
        self._close_word()
        if piece in {"\n", ""} and self._here:
            self._read_bodies()
        self._close_command()
        if self._stages:
            self.done.append(tuple(self._stages))
            self._stages = []

    def _close_word(self) -> None:
        if self._word is None:
            return
        word, into = self._word, self._into
        self._word, self._into = None, ""
        if into == "here":
            self._here.append(word)
        elif into == "write":
            self._writes.append(word)
        elif into == "string":
            self._body += word
        elif not into:
            self._words.append(word)

    def _close_command(self) -> None:
        self._close_word()
        words = _unwrapped(self._words)
        if words or self._writes:
            writes = tuple(name for name in self._writes if not name.isdigit() and name != "-")
            self._stages.append(Command(words=words, writes=writes, body=self._body))
        self._words, self._writes, self._body = [], [], ""

    def _read_bodies(self) -> None:
        bodies = []
        for mark in self._here:
            lines = []
            while self._position < len(self.text):
                line, _, _ = self.text[self._position :].partition("\n")
                self._position += len(line) + 1
                if line.strip() == mark:
                    break
                lines.append(line)
            bodies.append("\n".join(lines))
        self._here.clear()
        body = "\n".join(bodies)
        # The body belongs to the command that ended the line, or to one earlier in its pipeline.
        if self._words or not self._stages:
            self._body += body
        else:
            last = self._stages[-1]
            self._stages[-1] = Command(words=last.words, writes=last.writes, body=last.body + body)


def _unwrapped(words: list[str]) -> tuple[str, ...]:
    rest = list(words)
    while rest and (rest[0] in _KEYWORDS or _ASSIGNMENT.match(rest[0])):
        rest.pop(0)
    while rest and rest[0].rpartition("/")[2] in _WRAPPERS:
        rest.pop(0)
        while len(rest) > 1 and _PASSED_OVER.match(rest[0]):
            del rest[: 2 if rest[0] in _WITH_VALUE and len(rest) > 2 else 1]  # noqa: PLR2004 - a command is left
    return tuple(rest)
