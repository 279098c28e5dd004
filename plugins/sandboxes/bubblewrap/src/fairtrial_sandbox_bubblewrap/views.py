"""What programs see of this machine: a list of places, everything else isn't there."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from attrs import frozen
from fairtrial.api import Fence

from fairtrial_sandbox_bubblewrap.installed import installations

SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc",
    "/opt",
    "/nix",
    "/gnu",
    "/var/lib/ca-certificates",
)
"""Where systems keep programs, libraries and their settings; no user's files are there."""

_BELOW_SYSTEM = tuple(f"{name}/" for name in SYSTEM)
_WORKS = ("/work", "/workspace", "/fairtrial/work")


@frozen(kw_only=True)
class View:
    """
    One place that programs see, or that is covered.

    Attributes:
        inside: Its name in the sandbox.
        source: What is seen there; None covers the place with an empty directory.
        writable: Whether it may be written.
    """

    inside: PurePosixPath
    source: Path | None
    writable: bool = False

    def arguments(self) -> list[str]:
        """Returns what makes `bwrap` show it."""
        inside = str(self.inside)
        if self.source is None:
            return ["--perms", "0555", "--tmpfs", inside]
        return ["--bind" if self.writable else "--ro-bind", str(self.source), inside]


def system() -> list[str]:
    """Returns what shows the system's directories, links among them as links."""
    arguments: list[str] = []
    for name in SYSTEM:
        if os.path.islink(name):  # noqa: PTH114 - a name, which is passed on as it is
            arguments += ["--symlink", os.readlink(name), name]  # noqa: PTH115 - likewise
        elif os.path.isdir(name):  # noqa: PTH112 - likewise
            arguments += ["--ro-bind", name, name]
    return arguments


def views(fence: Fence, path: str, extra: Iterable[Path]) -> list[View]:
    """
    Returns what is seen besides the system, in the order in which it must be laid.

    What lies deeper is laid later, so that it is seen, or covered, whatever holds it.

    Args:
        fence: What was asked for.
        path: The PATH of programs; where they are installed is shown.
        extra: Further directories to be read.
    """
    shown = [*extra, *installations(path), *fence.path, *fence.readable, *_resolver()]
    found = [
        View(inside=PurePosixPath(place), source=place)
        for place in dict.fromkeys(map(_absolute, shown))
        if place.exists() and not _in_system(place)
    ]
    found += [
        View(inside=PurePosixPath(place), source=place, writable=True)
        for place in map(_absolute, fence.writable)
    ]
    found += _covered(fence, found)
    return sorted(found, key=lambda view: len(view.inside.parts))


def passages(places: Iterable[PurePosixPath]) -> list[str]:
    """Returns what makes the directories that lead to some places passable for anybody."""
    arguments: list[str] = []
    for place in dict.fromkeys(parent for each in places for parent in _parents(str(each))):
        if not f"{place}/".startswith(_BELOW_SYSTEM):
            arguments += ["--perms", "0755", "--dir", place]
    return arguments


def _parents(place: str) -> list[str]:
    parts = place.split("/")
    return ["/".join(parts[:count]) for count in range(2, len(parts))]


def work_name(shown: Sequence[View]) -> PurePosixPath:
    """Returns a name for the workspace that none of the places seen lies below."""
    names = (PurePosixPath(name) for name in _WORKS)
    return next(
        name for name in names if not any(view.inside.is_relative_to(name) for view in shown)
    )


@frozen
class Sight:
    """
    Tells what stands at a place of the sandbox.

    Attributes:
        shown: The places that are seen, or covered, the deepest first.
    """

    shown: tuple[tuple[str, Path | None], ...]

    @classmethod
    def of(cls, shown: Iterable[View]) -> "Sight":
        """Makes it of the places that are seen besides the system."""
        pairs = [(f"{view.inside}/", view.source) for view in shown]
        return cls(tuple(sorted(pairs, key=lambda pair: -pair[0].count("/"))))

    def source(self, inside: str) -> str | None:
        """Returns the file that stands there; None where none is seen."""
        for name, source in self.shown:
            if f"{inside}/".startswith(name):
                return None if source is None else f"{source}/{inside[len(name) :]}"
        return inside if f"{inside}/".startswith(_BELOW_SYSTEM) else None


def _covered(fence: Fence, shown: Sequence[View]) -> list[View]:
    """Covers the hidden directories that would be seen, since something seen holds them."""
    covered = []
    for place in map(_absolute, fence.hidden):
        real = Path(os.path.realpath(place))
        for each in dict.fromkeys((place, real)):
            holds = any(each.is_relative_to(view.inside) for view in shown)
            if each.is_dir() and (holds or _in_system(each)):
                covered.append(View(inside=PurePosixPath(each), source=None))
    return covered


def _resolver() -> list[Path]:
    """Returns the file that names the name servers, where it is kept away from /etc."""
    real = Path(os.path.realpath("/etc/resolv.conf"))
    return [real] if real.is_file() else []


def _in_system(place: Path) -> bool:
    return f"{place}/".startswith(_BELOW_SYSTEM)


def _absolute(place: Path) -> Path:
    return Path(os.path.abspath(place))  # noqa: PTH100 - `..` must go, links must stay
