"""
Which files of this machine a graded run executes: programs, and what they are made of.

A program is known by its name and looked for as a workspace would find it. Of an interpreter or a
tool chain that is known by its name, the parts belong to it which run whatever the code under test
is: a standard library, the package that holds the test runner, the tools behind a compiler.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from attrs import frozen

from fairtrial.processes import find_program

ALWAYS = ("sh", "bash", "env", "make")
"""Programs that checks of any stack may start by themselves."""

BY_STACK: Mapping[str, tuple[str, ...]] = {
    "python": ("python3", "python"),
    "node": ("node", "npm"),
    "go": ("go",),
    "rust": ("cargo", "rustc", "cc", "ld"),
}
"""What the checks of a stack start, and what that starts in turn."""

PRELOADED = Path("/etc/ld.so.preload")
"""Libraries that every program on the machine loads first; seldom there."""

CLIMBED_TO = (
    ".cargo/config",
    ".cargo/config.toml",
    "rust-toolchain",
    "rust-toolchain.toml",
    "pytest.ini",
    ".pytest.ini",
)
"""Settings that tools look for in every folder above a tree, up to the root."""

_UNUSED = frozenset(
    {"test", "tests", "idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3"}
    | {"pydoc_data", "site-packages", "dist-packages"}
)
"""Parts of a standard library that no test runner imports; packages are looked at apart."""

_RUNNERS = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "exceptiongroup")
"""Packages that are a test runner, or that it can't do without."""

STARTED = re.compile(r".*\.(pth|egg-link)|(site|user)customize(\..*)?|__editable__.*")
"""Names in a package folder that an interpreter obeys whenever it starts."""


@frozen(kw_only=True)
class Parts:
    """
    What belongs to one program.

    Attributes:
        files: Files, each of which must stay as it is; one that isn't there must not come.
        folders: Folders with all that is below them, or whose names are in `_UNUSED`.
        packages: Folders into which packages are installed: only what is executed when an
            interpreter starts, and the test runner, must stay as it is.
    """

    files: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()
    packages: tuple[Path, ...] = ()


def obeyed_by_all(folder: Path) -> Iterator[Path]:
    """Yields files outside of any tool chain that tools obey, in a tree somewhere below a folder."""
    yield PRELOADED
    for above in (folder, *folder.parents):
        yield from (above / name for name in CLIMBED_TO)


def parts_of(program: Path) -> Parts:
    """Returns what belongs to a program, by the name of the file that it really is."""
    real = Path(os.path.realpath(program))
    families: tuple[tuple[str, Callable[[Path], Parts]], ...] = (
        (r"python[\d.]*", _python),
        (r"node(js)?", _node),
        (r"np[mx]-cli\.js", _npm),
        (r"go", _go),
        (r"rustup", _rustup),
        (r"rustc", _rustc),
    )
    for pattern, parts in families:
        if re.fullmatch(pattern, real.name):
            return parts(real)
    return Parts()


def links_to(program: Path) -> Iterator[Path]:
    """Yields a program's file, and the links that lead to it."""
    for _ in range(40):
        yield program
        if not program.is_symlink():
            return
        program = Path(os.path.normpath(program.parent / program.readlink()))


def where(name: str, path: str) -> Path | None:
    """Returns where a program is found; None where it isn't there."""
    try:
        return Path(find_program(name, path))
    except FileNotFoundError:
        return None


def unused(name: str) -> bool:
    """Tells whether a graded run never executes what has this name; bytecode of `-O`, too."""
    return name in _UNUSED or ".opt-" in name or name.startswith("config-")


def used(folder: Path) -> Iterator[tuple[Path, list[str]]]:
    """Yields the folders below one in which a graded run may find code, with their files."""
    for place, names, files in os.walk(folder):
        names[:] = sorted(name for name in names if not unused(name))
        yield Path(place), sorted(name for name in files if not unused(name))


def runner_in(packages: Path) -> Iterator[Path]:
    """Yields the parts of a package folder that are a test runner, or run at any start."""
    for name in _entries(packages):
        plain = name.partition(".")[0]
        if plain in _RUNNERS or STARTED.fullmatch(name) or _is_plugin(packages / name):
            yield packages / name


def _is_plugin(metadata: Path) -> bool:
    """Tells whether a distribution names plugins that pytest loads without being asked."""
    if metadata.suffix != ".dist-info":
        return False
    try:
        return "[pytest11]" in (metadata / "entry_points.txt").read_text(errors="replace")
    except OSError:
        return False


def _python(real: Path) -> Parts:
    prefix = real.parent.parent
    version = real.name.removeprefix("python")
    names = [f"python{version}"] if "." in version else ["python3.[0-9]*"]
    libraries = [place for name in names for place in sorted(prefix.glob(f"lib*/{name}"))]
    shared = [
        place
        for pattern in ("lib*/libpython3*", "lib/*-linux-*/libpython3*")
        for place in sorted(prefix.glob(pattern))
    ]
    # What an interpreter obeys, or imports from before all else, where it is there.
    zipped = (place.parent / f"{place.name.replace('.', '')}.zip" for place in libraries)
    beside = (real.parent / name for name in ("pyvenv.cfg", "pybuilddir.txt"))
    return Parts(
        files=(*shared, *zipped, *beside, prefix / "pyvenv.cfg"),
        folders=tuple(libraries),
        packages=tuple(
            [place / name for place in libraries for name in ("site-packages", "dist-packages")]
            + sorted(prefix.glob("lib/python3/dist-packages"))
        ),
    )


def _node(real: Path) -> Parts:
    return Parts(files=tuple(sorted(real.parent.parent.glob("lib*/libnode*.so*"))))


def _npm(real: Path) -> Parts:
    home = real.parent.parent
    return Parts(
        files=(home / "index.js", home / "package.json", home / "npmrc"),
        folders=(home / "bin", home / "lib", home / "node_modules" / "@npmcli"),
    )


def _go(real: Path) -> Parts:
    root = real.parent.parent
    testing = Path(os.path.realpath(root / "src")) / "testing"
    return Parts(files=(root / "go.env",), folders=(root / "bin", root / "pkg" / "tool", testing))


def _rustup(_: Path) -> Parts:
    home = Path(os.environ.get("RUSTUP_HOME") or Path.home() / ".rustup")
    chains = [home / "toolchains" / name for name in _entries(home / "toolchains")]
    return Parts(
        files=(home / "settings.toml", *(f for chain in chains for f in _of_toolchain(chain)))
    )


def _rustc(real: Path) -> Parts:
    return Parts(files=tuple(_of_toolchain(real.parent.parent)))


def _of_toolchain(home: Path) -> Iterator[Path]:
    for pattern in ("bin/*", "lib/librustc*", "lib/libLLVM*", "lib/rustlib/*/lib/*.rlib"):
        yield from sorted(place for place in home.glob(pattern) if "rust" in str(place))


def _entries(folder: Path) -> list[str]:
    return sorted(place.name for place in folder.iterdir()) if folder.is_dir() else []
