"""Watching `go test`."""

import os
import re
from pathlib import Path, PurePosixPath

from fairtrial.stacks.results import go_json
from fairtrial.stacks.watched.canaries import word
from fairtrial.stacks.watched.lines import objects
from fairtrial.stacks.watched.outcome import Account, Plan, Seen
from fairtrial.stacks.watched.redirect import into_report
from fairtrial.stacks.watched.regular import is_folder, text
from fairtrial.stacks.watched.room import Room

UNWATCHED = ("-run", "-skip", "-c", "-exec", "-list", "-fuzz", "-json", "-failfast", "-args")
"""Options that choose tests by name, or that start something else than one plain run."""

_PACKAGE = re.compile(r"^package\s+(\w+)", re.MULTILINE)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)

CANARY = """\
package %(package)s

import %(alias)s "testing"

func %(passes)s(t *%(alias)s.T) {}

func %(fails)s(t *%(alias)s.T) { t.Fatal("known to fail") }

func %(breaks)s(t *%(alias)s.T) { t.Errorf("known to fail") }
"""


def plan_tests(argv: tuple[str, ...], room: Room, root: Path) -> Plan | None:
    """Plans a run of `go test`; None where the command is another."""
    if argv[0].rpartition("/")[2] != "go" or argv[1:2] != ("test",):
        return None
    if choosing(argv):
        return None
    files: dict[PurePosixPath, bytes] = {}
    fails: set[str] = set()
    passes: set[str] = set()
    for folder, package in _packages(root, argv[2:]):
        names = {key: word("TestX") for key in ("passes", "fails", "breaks")}
        text = CANARY % {**names, "package": package, "alias": word("p")}
        files[folder / f"{word('z')}_test.go"] = text.encode()
        fails |= {names["fails"], names["breaks"]}
        passes.add(names["passes"])
    if not files:
        return None
    return Plan(
        runner="go test",
        argv=into_report((*argv[:2], "-json", *argv[2:]), room),
        files=files,
        read=read,
        must_fail=frozenset(fails),
        must_pass=frozenset(passes),
    )


def choosing(argv: tuple[str, ...]) -> str:
    """Returns the option by which a command of go's can't be watched; empty where there is none."""
    options = (option.partition("=")[0].replace("--", "-") for option in argv[2:])
    return next((option for option in options if option in UNWATCHED), "")


def read(text: str) -> Account:
    """Reads `go test -json`; a canary goes by its own name, which no package shares."""
    notes, printed = _printed(text)
    seen = [
        Seen(name=_short(name), passed=passed, note=notes.get(name, "") if passed is False else "")
        for name, passed in go_json(text).items()
    ]
    return Account(seen=seen, output=printed)


def _short(name: str) -> str:
    test = name.rpartition("::")[2]
    return test if re.fullmatch(r"TestX[0-9a-f]{20}", test) else name


def _printed(text: str) -> tuple[dict[str, str], str]:
    """Returns the ends of what single tests printed, by their whole names, and all of it."""
    pieces: dict[str, list[str]] = {}
    whole: list[str] = []
    for value in objects(text):
        if output := str(value.get("Output", "")):
            name = f"{value.get('Package', '')}::{value.get('Test', '')}"
            pieces.setdefault(name, []).append(output)
            whole.append(output)
    return {name: "".join(told)[-1500:] for name, told in pieces.items()}, "".join(whole)


def _packages(root: Path, arguments: tuple[str, ...]) -> list[tuple[PurePosixPath, str]]:
    """Returns the folders that the arguments name and that hold tests, with their package."""
    named = [one for one in arguments if not one.startswith("-")] or ["."]
    found: dict[PurePosixPath, str] = {}
    for one in named:
        base, dots, _ = one.partition("...")
        if not is_folder(root, PurePosixPath(base)):
            continue
        top = root / base
        for folder in _folders(top) if dots else [top]:
            if package := _package_of(root, folder):
                found[PurePosixPath(folder.relative_to(root))] = package
    return list(found.items())


def _folders(top: Path) -> list[Path]:
    found = []
    for folder, names, _ in os.walk(top):
        here = Path(folder)
        # A folder with a go.mod of its own is another module, which `./...` leaves out.
        names[:] = sorted(
            name
            for name in names
            if name[:1] not in "._"
            and name not in ("testdata", "vendor")
            and not (here / name / "go.mod").exists()
        )
        found.append(here)
    return found


def _package_of(root: Path, folder: Path) -> str:
    for file in sorted(folder.glob("*_test.go")):
        code = _COMMENT.sub("", text(root, PurePosixPath(file.relative_to(root))))
        if match := _PACKAGE.search(code):
            return match[1]
    return ""
