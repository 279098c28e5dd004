"""Watching `node --test`, and checks that are scripts of node."""

import json
import os
import secrets
from pathlib import Path, PurePosixPath

from fairtrial.stacks.watched.canaries import asset, brood, must_fail, must_pass
from fairtrial.stacks.watched.lines import account, objects
from fairtrial.stacks.watched.outcome import Account, Plan, Seen
from fairtrial.stacks.watched.redirect import into_report
from fairtrial.stacks.watched.regular import is_file, is_folder, text
from fairtrial.stacks.watched.room import Room

VALUED = {
    "--import",
    "--require",
    "-r",
    "--loader",
    "--experimental-loader",
    "--conditions",
    "-C",
    "--test-concurrency",
    "--test-timeout",
}
"""Options whose next word is their value."""

UNWATCHED = (
    "--test-name-pattern",
    "--test-skip-pattern",
    "--test-only",
    "--test-shard",
    "--watch",
)
REPORTING = ("--test-reporter", "--test-reporter-destination")
"""Options that choose tests by name, or that start something else than one plain run."""

DEEPEST = 100
"""Tests within tests whose names are told; what a graded file tells of itself may be anything."""

SUFFIXES = {".js", ".mjs", ".cjs"}


def plan_tests(argv: tuple[str, ...], room: Room, root: Path) -> Plan | None:
    """Plans a run of `node --test`; None where the command is another."""
    if argv[0].rpartition("/")[2] != "node" or "--test" not in argv:
        return None
    if choosing(argv):
        return None
    options, named = _divided(argv[1:])
    files = _files(root, named)
    if not files:
        return None
    wrappers = {}
    broods = []
    plain = {}
    for number, file in enumerate(files):
        early, late = brood("wrapper.mjs"), brood("wrapper.mjs")
        name = f"{number}-{secrets.token_hex(4)}.mjs"
        path = str(room.inside.parent / file)
        if "node:test" in text(root, file):
            broods += [early, late]
            order = {"file": path, "early": early.names, "late": late.names}
            wrappers[name] = asset("wrapper.mjs").replace("{}", json.dumps(order), 1)
        else:
            mark = secrets.token_hex(16)
            plain[str(room.inside / name)] = (str(file), mark)
            wrappers[name] = _plain(path, mark)
    secret = secrets.token_hex(16)
    reader = _Reader(secret, room, plain)
    return Plan(
        runner="node --test",
        argv=into_report(
            (
                argv[0],
                *options,
                f"--test-reporter={room.inside / 'reporter.mjs'}",
                "--test-reporter-destination=stdout",
                *(str(room.inside / name) for name in wrappers),
            ),
            room,
        ),
        stdin=secret.encode(),
        files={
            room.path("reporter.mjs"): asset("reporter.mjs").encode(),
            **{room.path(name): text.encode() for name, text in wrappers.items()},
        },
        read=reader.read,
        must_fail=must_fail(broods),
        must_pass=must_pass(broods),
        codes=frozenset({1}) if broods else frozenset({0, 1}),
    )


def choosing(argv: tuple[str, ...]) -> str:
    """Returns the option by which a command of node's can't be watched; empty where there is none."""
    options = (option.partition("=")[0] for option in _divided(argv[1:])[0])
    return next((option for option in options if option in (*UNWATCHED, *REPORTING)), "")


def plan_script(argv: tuple[str, ...], script: str, room: Room) -> Plan:
    """Plans a run of `node SCRIPT`, whose path is relative to the root."""
    at = argv.index(script)
    order = {"script": str(room.inside.parent / script), "report": str(room.report)}
    return Plan(
        runner="node",
        argv=(*argv[:at], str(room.inside / "script.mjs"), *argv[at + 1 :]),
        stdin=json.dumps(order).encode(),
        files={room.path("script.mjs"): asset("script.mjs").encode()},
        read=account,
        codes=frozenset({0}),
    )


def _plain(path: str, mark: str) -> str:
    # A file without a test of its own is one test, which has passed if it came to its end.
    return (
        "import { pathToFileURL } from 'node:url'\n"
        f"const [file, mark] = {json.dumps([path, mark])}\n"
        "const write = process.stdout.write.bind(process.stdout)\n"
        "process.argv[1] = file\n"
        "process.once('beforeExit', () => { write(mark + '\\n') })\n"
        "await import(pathToFileURL(file))\n"
    )


class _Reader:
    """Reads what `reporter.mjs` prints."""

    def __init__(self, secret: str, room: Room, plain: dict[str, tuple[str, str]]) -> None:
        self._secret = secret + " "
        self._root = f"{room.inside.parent}/"
        self._room = f"{room.inside}/"
        self._plain = plain

    def read(self, text: str) -> Account:
        """Returns what was told behind the secret; other lines are nobody's word."""
        own = "\n".join(
            line.removeprefix(self._secret)
            for line in text.split("\n")
            if line.startswith(self._secret)
        )
        told = list(objects(own))
        printed = "".join(str(v.get("note", "")) for v in told if v.get("type") in _PRINTED)
        paths: dict[str, list[str]] = {}
        each = [self._one(value, paths, printed) for value in told]
        seen = [one for one in each if one is not None]
        ends = [value for value in told if value.get("type") == "end"]
        return Account(seen=seen, whole=len(ends) == 1, output=printed)

    def _one(
        self, value: dict[str, object], paths: dict[str, list[str]], printed: str
    ) -> Seen | None:
        kind, name, file = (str(value.get(key, "")) for key in ("type", "name", "file"))
        if kind not in ("test:start", "test:pass", "test:fail"):
            return None
        nesting = value.get("nesting")
        path = paths.setdefault(file, [])
        del path[min(nesting, DEEPEST) if isinstance(nesting, int) else 0 :]
        path.append(name)
        if kind == "test:start":
            return None
        passed = None if value.get("skipped") is True else kind == "test:pass"
        if name.startswith(self._room):
            return self._whole_file(name, passed, printed)
        if value.get("suite") is True and passed is not False:
            return None
        where = file.removeprefix("file://").removeprefix(self._root)
        shown = name if file.removeprefix("file://").startswith(self._room) else None
        full = shown or f"{where}::{' > '.join(path)}"
        return Seen(name=full, passed=passed, note=str(value.get("note", "")))

    def _whole_file(self, name: str, passed: bool | None, printed: str) -> Seen | None:
        # A file with canaries always fails as a whole; only its single tests say something.
        if name not in self._plain:
            return None
        file, mark = self._plain[name]
        if passed and mark not in printed:
            return Seen(name=file, passed=False, note="it was left before its end")
        return Seen(name=file, passed=passed)


_PRINTED = ("test:stdout", "test:stderr")


def _divided(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    options, files = [], []
    rest = iter(words)
    for word in rest:
        if word in VALUED:
            options += [word, next(rest, "")]
        elif word.startswith("-"):
            options.append(word)
        else:
            files.append(word)
    return tuple(options), tuple(files)


def _files(root: Path, named: tuple[str, ...]) -> list[PurePosixPath]:
    found: dict[PurePosixPath, None] = {}
    for word in named or (".",):
        path = PurePosixPath(word)
        if is_file(root, path):
            found[path] = None
        elif is_folder(root, path):
            found |= dict.fromkeys(_below(root, root / path))
        else:
            below = (PurePosixPath(place.relative_to(root)) for place in root.glob(word))
            found |= dict.fromkeys(path for path in below if is_file(root, path))
    return list(found)


def _below(root: Path, place: Path) -> list[PurePosixPath]:
    """Finds test files as node's own runner does, by its documented patterns."""
    found = []
    for folder, names, files in os.walk(place):
        names[:] = sorted(name for name in names if name != "node_modules" and name[:1] != ".")
        inside_test = "test" in Path(folder).relative_to(root).parts
        found += [
            PurePosixPath((Path(folder) / name).relative_to(root))
            for name in sorted(files)
            if _is_test(Path(name), inside_test=inside_test)
        ]
    return [path for path in found if is_file(root, path)]


def _is_test(name: Path, *, inside_test: bool) -> bool:
    stem = name.stem
    named = (
        stem == "test" or stem.startswith("test-") or stem.endswith((".test", "-test", "_test"))
    )
    return name.suffix in SUFFIXES and (named or inside_test)
