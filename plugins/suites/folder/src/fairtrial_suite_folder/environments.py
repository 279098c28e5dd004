"""What tasks need, found or made: programs on `PATH`, and packages in an environment of their own."""

import functools
import hashlib
import os
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from fairtrial.api.errors import NeedMissing
from fairtrial.api.suite import Equipment
from filelock import FileLock

from fairtrial_suite_folder import fetch, seal
from fairtrial_suite_folder.entry import Entry
from fairtrial_suite_folder.need import Need

INSTALL_S = 900.0
"""Seconds that making one environment may take."""

VERSION_S = 20.0
"""Seconds that a program may take to tell its version."""

DONE = ".complete"
"""The file that says that an environment was made to its end."""

WAYS = {
    "node": "apt-get install nodejs, or brew install node",
    "npm": "apt-get install npm, or brew install node",
    "cargo": "apt-get install cargo, or brew install rust",
    "rustc": "apt-get install rustc, or brew install rust",
    "go": "apt-get install golang-go, or brew install go",
    "git": "apt-get install git, or brew install git",
    "make": "apt-get install make, or brew install make",
    "gcc": "apt-get install gcc, or brew install gcc",
    "java": "apt-get install default-jdk, or brew install openjdk",
    "ruby": "apt-get install ruby, or brew install ruby",
    "uv": "pip install uv, or brew install uv",
}
"""Ways to get programs that tasks often need; never made of what a task wrote."""


def equip(entry: Entry, cache: Path) -> Equipment:
    """
    Finds a task's programs and makes its environments.

    Raises:
        NeedMissing: One can't be had here.
    """
    for need in entry.needs:
        if need.kind == "program":
            _program(need)
    paths: list[Path] = []
    variables = dict(entry.variables)
    if python := tuple(need for need in entry.needs if need.kind == "pypi"):
        home = _environment(python, cache, _interpreter(), _make_python)
        paths.append(home / ("Scripts" if os.name == "nt" else "bin"))
        variables["VIRTUAL_ENV"] = str(home)
    if node := tuple(need for need in entry.needs if need.kind == "npm"):
        home = _environment(node, cache, "node", _make_node)
        paths.append(home / "node_modules" / ".bin")
        variables["NODE_PATH"] = str(home / "node_modules")
    folder = cache / "environments"
    source = (cache.absolute() / "sources",) if entry.origin.source else ()
    return Equipment(
        path=tuple(paths),
        variables=variables,
        readable=tuple(sorted({folder / path.relative_to(folder).parts[0] for path in paths})),
        # A source as it was published is the answer, where the task's bug was planted in it.
        hidden=source,
        programs=_started(entry),
    )


def _started(entry: Entry) -> tuple[str, ...]:
    """Returns the programs that a task's checks name; of a shell line, each word that is one."""
    oracle = entry.oracle
    commands = (oracle.check_cmd, oracle.test_cmd, oracle.regression_cmd)
    lines = (command[2] for command in commands if command[:2] == ("sh", "-c") and command[2:])
    words = [command[0] for command in commands if command]
    words += [word for line in lines for word in _programs_in(line)]
    return tuple(dict.fromkeys(words))


@functools.lru_cache(maxsize=1024)
def _programs_in(line: str) -> tuple[str, ...]:
    """Returns the words of a shell line that were programs when it was first looked at."""
    return tuple(word for word in re.findall(r"[\w.+-]+", line) if fetch.which(word))


def _program(need: Need) -> None:
    place = fetch.which(need.name)
    if place is None:
        raise _missing(need, f"the program “{need.name}” isn't there")
    if not need.version:
        return
    found = _version(place)
    if found is None:
        raise _missing(need, f"“{need.name}” does not tell its version")
    if _numbers(found) < _numbers(need.version):
        problem = f"“{need.name}” is version {found}, but the task needs {need.version} or later"
        raise _missing(need, problem)


@functools.lru_cache(maxsize=64)
def _version(place: str) -> str | None:
    # `go` and `java` know no --version; what they say to it is no version either.
    for word in ("--version", "version", "-version"):
        ran = fetch.run((place, word), timeout_s=VERSION_S)
        text = (ran.stdout + b"\n" + ran.stderr).decode("utf-8", "replace")
        if ran.code == 0 and (found := re.search(r"\d+(?:\.\d+)+|\b\d+\b", text)):
            return found[0]
    return None


def _numbers(version: str) -> tuple[int, ...]:
    parts = [int(part) for part in version.split(".")]
    while parts and parts[-1] == 0:
        parts.pop()
    return tuple(parts)


def _interpreter() -> str:
    return f"sealed-{sys.implementation.cache_tag}-{sys.platform}-{sys._base_executable}"  # type: ignore[attr-defined]  # noqa: SLF001 - the interpreter behind a venv


def _home(needs: Sequence[Need], cache: Path, maker: str) -> Path:
    spellings = sorted(need.spelling for need in needs)
    key = hashlib.sha256("\n".join([maker, *spellings]).encode()).hexdigest()[:24]
    return cache / "environments" / key


def _environment(
    needs: Sequence[Need],
    cache: Path,
    maker: str,
    make: Callable[[Sequence[Need], Path], fetch.Ran],
) -> Path:
    """Returns the folder of an environment; makes it where there is none, one maker at a time."""
    home = _home(needs, cache, maker)
    if _ready(home):
        return home
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(home.parent / f"{home.name}.lock"):
            if not _ready(home):
                _fill(needs, home, make)
    except OSError as error:
        spellings = ", ".join(sorted(need.spelling for need in needs))
        problem = f"no environment can be made for {spellings}: {error}"
        raise _missing(needs[0], problem) from error
    return home


def _ready(home: Path) -> bool:
    return (home / DONE).is_file() and seal.whole(home)


def changed(entry: Entry, cache: Path) -> tuple[Path, ...]:
    """
    Returns a task's environments that are not what they were; they are made anew the next time.

    To be asked after a program of an attempt's has run with them.
    """
    kinds = (("pypi", _interpreter()), ("npm", "node"))
    chosen = ((maker, [n for n in entry.needs if n.kind == kind]) for kind, maker in kinds)
    homes = [_home(needs, cache, maker) for maker, needs in chosen if needs]
    # First whether it was opened, since looking whether it is whole begins anew.
    broken = tuple(
        home for home in homes if home.exists() and (seal.opened(home) or not seal.whole(home))
    )
    for home in broken:
        (home / DONE).unlink(missing_ok=True)
    return broken


def _fill(
    needs: Sequence[Need], home: Path, make: Callable[[Sequence[Need], Path], fetch.Ran]
) -> None:
    # Made in place, since a venv's scripts hold its path; the last file says that it is whole.
    shutil.rmtree(home, ignore_errors=True)
    ran = make(needs, home)
    if ran.code != 0:
        shutil.rmtree(home, ignore_errors=True)
        names = ", ".join(need.spelling for need in needs)
        raise _missing(needs[0], f"{names} can't be installed: {ran.complaint}")
    (home / DONE).write_text("\n".join(need.spelling for need in needs) + "\n", encoding="utf-8")
    seal.put(home)


def _make_python(needs: Sequence[Need], home: Path) -> fetch.Ran:
    python = sys._base_executable  # type: ignore[attr-defined]  # noqa: SLF001 - as in _interpreter
    pins = [f"{need.name}=={need.version}" for need in needs]
    inside = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    first: tuple[str, ...]
    second: tuple[str, ...]
    if uv := fetch.which("uv"):
        first = (uv, "venv", "--quiet", "--no-project", "--python", python, str(home))
        second = (uv, "pip", "install", "--quiet", "--python", str(inside))
        # Compiled now, so that nothing has a reason to write into it later; and copied, since who
        # writes into a hard link writes into uv's own cache.
        second = (*second, "--compile-bytecode", "--link-mode=copy", *pins)
    else:
        first = (python, "-m", "venv", str(home))
        second = (str(inside), "-m", "pip", "install", "--quiet", *pins)
    # The harness's own environment must not lend its packages.
    clean = {"VIRTUAL_ENV": "", "PYTHONPATH": "", "PYTHONHOME": "", "UV_PROJECT_ENVIRONMENT": ""}
    ran = fetch.run(first, timeout_s=INSTALL_S, environment=clean)
    return fetch.run(second, timeout_s=INSTALL_S, environment=clean) if ran.code == 0 else ran


def _make_node(needs: Sequence[Need], home: Path) -> fetch.Ran:
    home.mkdir(parents=True)
    (home / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    pins = [f"{need.name}@{need.version}" for need in needs]
    argv = ("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", *pins)
    return fetch.run(argv, timeout_s=INSTALL_S, cwd=home)


def _missing(need: Need, problem: str) -> NeedMissing:
    if need.kind == "program":
        way_on = WAYS.get(need.name, "install it, so that it is found on PATH")
    else:
        way_on = "see that the network is up and the package index has that version"
    return NeedMissing(
        problem=problem, facts=(("need", need.spelling),), way_on=way_on, need=need.spelling
    )
