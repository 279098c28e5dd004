"""Keys: handed to the agent, and found nowhere in what is kept of it."""

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from attrs import field, frozen

from fairtrial.api import MachineError

DEEPEST = 64
"""Folders above a log, in an agent's own folder, beyond which it is none."""

_SHORTEST = 8
_BLANK = "[redacted]"
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
_CHUNK = 1 << 20


@frozen
class Secrets:
    """Texts that must not be kept; knows nothing where there are none."""

    texts: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, values: Iterable[str]) -> "Secrets":
        """Takes the values of variables; short ones are no keys, and would blot out words."""
        kept = {value for value in values if len(value) >= _SHORTEST}
        return cls(tuple(sorted(kept, key=len, reverse=True)))

    def out_of(self, text: str) -> str:
        """Returns a text without them."""
        for secret in self.texts:
            if secret in text:
                text = text.replace(secret, _BLANK)
        return text

    def wipe(self, folder: Path) -> None:
        """Takes them out of every plain file below a folder, links left alone."""
        if not self.texts or not folder.is_dir() or folder.is_symlink():
            return
        forms = [text.encode(errors="surrogateescape") for text in self.texts]
        form = re.compile(b"|".join(re.escape(text) for text in forms))
        for place, _, names in folders_of(folder):
            for name in names:
                _wipe(Path(place, name), form, max(map(len, forms)))


def folders_of(
    top: Path, unread: Callable[[Path, OSError], None] = lambda _path, _error: None
) -> Iterator[tuple[Path, list[str], list[str]]]:
    """
    Yields an agent's folder and those below it, each with its folders and its other names.

    Links are not followed. What lies deeper than any log is left out, since an agent may nest
    folders without end.

    Args:
        top: The agent's folder.
        unread: Told of each that can't be read.
    """
    waiting = [(top, 0)]
    while waiting:
        place, depth = waiting.pop()
        try:
            with os.scandir(place) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError as error:
            unread(place, error)
            continue
        kinds = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
        folders = [name for name, is_folder in kinds if is_folder]
        yield place, folders, [name for name, is_folder in kinds if not is_folder]
        if depth < DEEPEST:
            waiting += [(place / name, depth + 1) for name in reversed(folders)]


def passed(names: Sequence[str], asked_in: str) -> dict[str, str]:
    """
    Returns variables of the user's own, by name.

    Args:
        names: Which; each must be set.
        asked_in: Where they are named, for the message.

    Raises:
        MachineError: One of them isn't set.
    """
    lack = lacks_variable(names, asked_in)
    if lack is not None:
        raise lack
    return {name: os.environ[name] for name in names}


def lacks_variable(names: Sequence[str], asked_in: str) -> MachineError | None:
    """Says which of the user's own variables, of those that are named, isn't set; None if all are."""
    for name in names:
        if name not in os.environ:
            return MachineError(
                problem=f"the variable “{name}” is not set",
                facts=(("asked for in", asked_in),),
                way_on="set it where fairtrial is started, or take its name out of `pass_env`",
            )
    return None


def around_proxies(env: Mapping[str, str]) -> dict[str, str]:
    """Returns what keeps a gateway on this machine from being looked for behind a proxy."""
    behind = any(env.get(name) or env.get(name.lower()) for name in _PROXIES)
    if not behind or "NO_PROXY" in env or "no_proxy" in env:
        return {}
    own = "localhost,127.0.0.1,::1"
    return {"NO_PROXY": own, "no_proxy": own}


def _opened(path: Path) -> int:
    """Opens a file to read and write; one that its agent locked is unlocked."""
    how = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        return os.open(path, os.O_RDWR | how)
    except PermissionError:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            raise
        # Whoever copies it later could unlock it, too.
        path.chmod(stat.S_IMODE(status.st_mode) | stat.S_IRUSR | stat.S_IWUSR)
        return os.open(path, os.O_RDWR | how)


def _wipe(path: Path, form: "re.Pattern[bytes]", longest: int) -> None:
    try:
        handle = _opened(path)
    except OSError:
        return
    with os.fdopen(handle, "r+b") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return
        place, rest = 0, b""
        while data := file.read(_CHUNK):
            window = rest + data
            begin = place - len(rest)
            for found in form.finditer(window):
                # Blotted out in place, length kept: a file of gigabytes is not written anew.
                file.seek(begin + found.start())
                file.write(b"*" * len(found[0]))
            place += len(data)
            file.seek(place)
            rest = window[-longest:]
