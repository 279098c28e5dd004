"""Who programs are: somebody who owns the work tree, and nothing else on this machine."""

import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from attrs import frozen

NAME = "agent"
_FAR = 1_600_000_000
"""From here on no distribution hands out user ids."""
_NEAR = 40_000
_MANY = 1 << 24
_FEW = 20_000
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_DEEPEST = 200
"""The harness writes nothing deeper; what programs nest deeper is theirs already."""


@frozen(kw_only=True)
class Person:
    """
    The user and group that programs run as.

    Attributes:
        uid: The number of both.
        dropped: Whether it is another one than ours, so that trees must be handed over.
    """

    uid: int
    gid: int
    dropped: bool

    def describe(self, home: str, top: Path) -> dict[str, Path]:
        """
        Writes files that name the person and nobody else.

        Args:
            home: Their home, as programs see it.
            top: Where to write them.

        Returns:
            The files, by the names under which programs must see them.
        """
        texts = {
            "passwd": f"{NAME}:x:{self.uid}:{self.gid}:{NAME}:{home}:/bin/sh\n",
            "group": f"{NAME}:x:{self.gid}:\n",
        }
        for name, text in texts.items():
            (top / name).write_text(text, encoding="ascii")
            (top / name).chmod(0o644)
        return {f"/etc/{name}": top / name for name in texts}

    def own(self, folders: Iterable[Path]) -> None:
        """Hands trees over, links themselves and never what they lead to; nothing if it is us."""
        if self.dropped:
            for folder in folders:
                _own(str(folder), self.uid)


def person() -> Person:
    """
    Returns who programs shall be.

    Without rights over the machine that is the caller. For the superuser it is a number that
    nobody else has, a new one for each workspace: its files, its signals and its limits are then
    apart from everybody's. The superuser of a container that has no other user stays who it is.
    """
    ourselves = Person(uid=os.geteuid(), gid=os.getegid(), dropped=False)
    if ourselves.uid != 0:
        return ourselves
    most = min(_mapped("uid_map"), _mapped("gid_map"))
    if most <= 1:
        return ourselves
    if most > _FAR + _MANY:
        uid = _FAR + secrets.randbelow(_MANY)
    elif most > _NEAR + _FEW:
        uid = _NEAR + secrets.randbelow(_FEW)
    else:
        uid = max(most - 2, 1)
    return Person(uid=uid, gid=uid, dropped=True)


def _mapped(name: str) -> int:
    """Returns how many ids there are here, from 0 on (`user_namespaces(7)`)."""
    for line in Path("/proc/self", name).read_text(encoding="ascii").splitlines():
        first, _, count = map(int, line.split())
        if first == 0:
            return count
    return 0


def _own(place: str, uid: int, *, within: int | None = None, depth: int = 0) -> None:
    """Hands over one directory and what is below it, each step through an open directory."""
    # What runs may put a link in a directory's place at any moment: no path is walked twice.
    folder = os.open(place, _FOLDER, dir_fd=within)
    try:
        if os.fstat(folder).st_uid != uid:
            os.fchown(folder, uid, uid)
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if depth < _DEEPEST:
                        with suppress(OSError):
                            _own(entry.name, uid, within=folder, depth=depth + 1)
                elif entry.stat(follow_symlinks=False).st_uid != uid:
                    os.chown(entry.name, uid, uid, dir_fd=folder, follow_symlinks=False)
    finally:
        os.close(folder)
