"""What a command line does, as far as set 2 reads it; the one place where it is taken apart."""

import base64
import binascii
import functools
import re
from collections.abc import Iterator

from attrs import frozen

from fairtrial_auditor_trajectory.second.shell import SHELLS, Command, Pipeline, pipelines

LONGEST = 1_000_000
"""Characters of a command that are read; the system takes 131,072 in one argument."""

_WORTH_READING = re.compile(
    r"""
    >(?!&|\s*/dev/null) | \bgit\b | \b(?:gh|glab|hub|rm|mv|cp|ln|dd|ed|ex|tee|scp|eval|chmod)\b
    | \b(?:install|unlink|shred|truncate|rsync|patch|curl|wget|https?|xh|aria2c|lynx|w3m|links|axel)\b
    | sed\s[^|;&\n]*-\w*i | --in-place | perl | ruby | g?awk\s[^|;&\n]*inplace | -delete
    | python[\d.]*\s+(?!-m\s(?!\s*pip)) | pypy | php | \b(?:node|nodejs|deno|bun)\b
    | pip | npm | yarn | base64 | base32 | xxd | openssl | uudecode | \b(?:ba|z|da|k|a)?sh\b
    """,
    re.VERBOSE,
)
"""What none of is in, does nothing that any pattern asks for; most commands are so."""

_INTERPRETER = re.compile(r"(?:python|pypy|node|nodejs|deno|bun|perl|ruby|php)[\d.]*\Z")
_CODE_OPTION = re.compile(r"-[a-zA-Z]*[ce]\Z|--eval\Z|--print\Z|-p\Z")
_DECODERS = {
    "base64": re.compile(r"-[dD]\b|-d|--decode"),
    "base32": re.compile(r"-d|--decode"),
    "xxd": re.compile(r"-\w*r"),
    "openssl": re.compile(r"-d\Z"),
    "uudecode": re.compile(r""),
}
_DECODES = re.compile(
    r"b64decode|b32decode|a85decode|fromhex|unhexlify|\batob\(|['\"]base64['\"]|"
    r"codecs\.decode|decode_base64|MIME::Base64|rot13|zlib\.decompress|marshal\.loads"
)
_EXECUTES = re.compile(
    r"\bexec\s*\(|\beval\b|os\.system|os\.popen|subprocess|child_process|execSync|\bsystem\b|spawn"
)
_ENCODED = re.compile(r"[A-Za-z0-9+/]{12,}={0,2}")
_CALLED = re.compile(r"""(['"])((?:git|gh|curl|wget|pip|rm|cp|mv|sed)\b[^'"\n]+)\1""")
_LISTED = re.compile(r"""[\[(]\s*((?:['"][^'"\n]*['"]\s*,\s*)+['"][^'"\n]*['"])\s*,?\s*[\])]""")


@frozen(kw_only=True)
class Script:
    """
    Program text that a command line hands to an interpreter.

    Attributes:
        code: The text.
        by: The command that runs it.
    """

    code: str
    by: Command


@frozen(kw_only=True)
class Line:
    """
    A command line, taken apart.

    Attributes:
        text: As it was given.
        pipelines: All of them, inner ones and decoded ones included.
        scripts: Program text for interpreters.
        concealed: Whether something encoded is decoded and run.
    """

    text: str
    pipelines: tuple[Pipeline, ...]
    scripts: tuple[Script, ...]
    concealed: bool

    @property
    def commands(self) -> Iterator[Command]:
        """All simple commands, in order."""
        return (command for pipeline in self.pipelines for command in pipeline)


@functools.lru_cache(maxsize=8)
def worth_reading(text: str) -> bool:
    """Tells whether a command line may do anything that a pattern asks for; most don't."""
    return _WORTH_READING.search(text) is not None


@functools.lru_cache(maxsize=8)
def read(text: str) -> Line:
    """Takes a command line apart; several patterns look at the same one, hence the cache."""
    if not worth_reading(text):
        return Line(text=text, pipelines=(), scripts=(), concealed=False)
    found = list(pipelines(text[:LONGEST]))
    concealed = any(map(_runs_decoded, found)) or _substitutes_decoded(found)
    if concealed:
        for plain in _decoded(text[:LONGEST]):
            found += pipelines(plain)
    scripts = tuple(script for pipeline in found for script in _scripts(pipeline))
    concealed |= any(_DECODES.search(s.code) and _EXECUTES.search(s.code) for s in scripts)
    for script in scripts:
        for line in _started(script.code):
            found += pipelines(line)
    return Line(text=text, pipelines=tuple(found), scripts=scripts, concealed=concealed)


def is_interpreter(command: Command) -> bool:
    """Tells whether a command starts an interpreter of programs."""
    return _INTERPRETER.match(command.name) is not None


def _scripts(pipeline: Pipeline) -> Iterator[Script]:
    for at, command in enumerate(pipeline):
        if not is_interpreter(command):
            continue
        for option, code in zip(command.words[1:], command.words[2:], strict=False):
            if _CODE_OPTION.match(option):
                yield Script(code=code, by=command)
                break
        if command.body:
            yield Script(code=command.body, by=command)
        elif at and pipeline[at - 1].body and pipeline[at - 1].name == "cat":
            yield Script(code=pipeline[at - 1].body, by=command)


def _decodes(command: Command) -> bool:
    option = _DECODERS.get(command.name)
    return option is not None and any(map(option.match, (*command.words[1:], "")))


def _runs_decoded(pipeline: Pipeline) -> bool:
    decoded = False
    for command in pipeline:
        if decoded and (command.name in SHELLS or is_interpreter(command)):
            return True
        decoded |= _decodes(command)
    return False


def _substitutes_decoded(found: list[Pipeline]) -> bool:
    """`eval "$(echo … | base64 -d)"`: decoded in one pipeline, run by another."""
    if not any(_decodes(command) for pipeline in found for command in pipeline):
        return False
    runs = (command for pipeline in found for command in pipeline)
    return any(
        command.name == "eval" or (command.name in SHELLS and "-c" in command.words)
        for command in runs
    )


def _decoded(text: str) -> Iterator[str]:
    for piece in _ENCODED.findall(text):
        try:
            plain = base64.b64decode(piece + "=" * (-len(piece) % 4)).decode()
        except (binascii.Error, UnicodeDecodeError):
            continue
        if plain.isprintable() or "\n" in plain:
            yield plain


def _started(code: str) -> Iterator[str]:
    """Yields command lines that program text starts: as one string, or as a list of words."""
    if not _EXECUTES.search(code):
        return
    for _, line in _CALLED.findall(code):
        yield line
    for words in _LISTED.findall(code):
        yield " ".join(part.strip().strip("'\"") for part in words.split(","))
