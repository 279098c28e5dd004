"""Watching `cargo test`."""

import re
from pathlib import Path, PurePosixPath

from fairtrial.stacks.counts import cargo_ran
from fairtrial.stacks.results import cargo
from fairtrial.stacks.watched.canaries import word
from fairtrial.stacks.watched.outcome import Account, Plan, Seen
from fairtrial.stacks.watched.redirect import into_report
from fairtrial.stacks.watched.regular import read
from fairtrial.stacks.watched.room import Room

PLAIN = {
    "--offline",
    "--locked",
    "--frozen",
    "--no-fail-fast",
    "--quiet",
    "-q",
    "--release",
    "--tests",
    "--all-features",
    "--no-default-features",
    "--lib",
    "--bins",
}
"""Options that may stand in a run which is watched; under others tests are chosen by name."""

CANARY = """
#[cfg(test)]
#[allow(warnings)]
mod %(module)s {
    use super::*;
    #[test]
    fn %(passes)s() { assert_eq!(1 + 1, 2); assert_ne!(1, 2); assert!(true); }
    #[test]
    fn %(fails_equal)s() { assert_eq!(1 + 1, 3, "known to fail"); }
    #[test]
    fn %(fails_unequal)s() { assert_ne!(2, 1 + 1, "known to fail"); }
    #[test]
    fn %(fails_assert)s() { assert!(1 + 1 == 3, "known to fail"); }
    #[test]
    fn %(fails_panic)s() { panic!("known to fail"); }
}
"""

_WORKS = ("passes", "fails_equal", "fails_unequal", "fails_assert", "fails_panic")
_BEGUN = re.compile(r"^running (\d{1,9}) tests?$", re.MULTILINE)
_IGNORED = re.compile(r"^test result: .*; (\d{1,9}) ignored;", re.MULTILINE)
_NOTE = re.compile(
    r"^---- ([^\n]+) stdout ----\n(.*?)(?=^----|^failures:)", re.MULTILINE | re.DOTALL
)
_CANARY = re.compile(r"(?:^|::)(t[0-9a-f]{20})$")


def plan_tests(argv: tuple[str, ...], room: Room, root: Path) -> Plan | None:
    """Plans a run of `cargo test`; None where the command is another."""
    if argv[0].rpartition("/")[2] != "cargo" or argv[1:2] != ("test",):
        return None
    places = _places(root, argv[2:])
    if not places:
        return None
    files: dict[PurePosixPath, bytes] = {}
    fails: set[str] = set()
    passes: set[str] = set()
    for place, code in places.items():
        names = {work: word() for work in _WORKS}
        text = CANARY % {**names, "module": word("c")}
        # In the file itself, where the tests' own macros and imports are in force.
        files[place] = code + text.encode()
        fails |= {name for work, name in names.items() if work != "passes"}
        passes.add(names["passes"])
    # A canary fails in every target, which must not keep cargo from the next one.
    on = () if "--no-fail-fast" in argv else ("--no-fail-fast",)
    quiet = tuple(word for word in argv[2:] if word not in ("-q", "--quiet"))
    return Plan(
        runner="cargo test",
        argv=into_report((*argv[:2], *on, *quiet), room, both=True),
        env={"CARGO_TERM_QUIET": "false"},
        files=files,
        read=read_report,
        must_fail=frozenset(fails),
        must_pass=frozenset(passes),
        codes=frozenset({101}),
    )


def choosing(argv: tuple[str, ...]) -> str:
    """Returns the word by which a command of cargo's can't be watched; empty where there is none."""
    options, further = _joined(argv[2:])
    odd = (one.partition("=")[0] for one in options)
    return next((one for one in odd if one not in {*PLAIN, "--test"}), " ".join(further))


def read_report(text: str) -> Account:
    """Reads what `cargo test` prints; a canary goes by its own name, which no target shares."""
    notes = _notes(text)
    seen = [
        Seen(
            name=_short(name),
            passed=passed,
            note=notes.get(_bare(name), "") if passed is False else "",
        )
        for name, passed in cargo(text).items()
    ]
    begun = sum(map(int, _BEGUN.findall(text)))
    ignored = sum(map(int, _IGNORED.findall(text)))
    # A target that was left in the middle has begun more tests than it has told of.
    return Account(seen=seen, whole=begun == (cargo_ran(text) or 0) + ignored, output=text)


def _short(name: str) -> str:
    match = _CANARY.search(name)
    return match[1] if match else name


def _notes(text: str) -> dict[str, str]:
    """Returns the ends of what failing tests printed, by the tests' bare names; the first counts."""
    notes: dict[str, str] = {}
    for match in _NOTE.finditer(text):
        notes.setdefault(match[1], match[2].strip()[-1500:])
    return notes


def _bare(name: str) -> str:
    return name.partition("::")[2] or name


def _places(root: Path, arguments: tuple[str, ...]) -> dict[PurePosixPath, bytes]:
    """Returns the files that hold the tests of a command, with what is in them."""
    if choosing(("cargo", "test", *arguments)):
        return {}
    options, _ = _joined(arguments)
    named = [one.partition("=")[2] for one in options if one.startswith("--test=")]
    whole = not named and not {"--lib", "--bins", "--tests"} & set(options)
    found = [PurePosixPath("tests") / f"{name}.rs" for name in named]
    if whole or "--tests" in options:
        found += sorted(PurePosixPath(path.relative_to(root)) for path in root.glob("tests/*.rs"))
    crates = [PurePosixPath("src/lib.rs")] if whole or "--lib" in options else []
    crates += [PurePosixPath("src/main.rs")] if whole or "--bins" in options else []
    held = {place: read(root, place) for place in (*found, *crates)}
    return {place: code for place, code in held.items() if code is not None}


def _joined(arguments: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns options with their values joined by `=`, and what stands behind `--`."""
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    behind = tuple(
        word for word in arguments[len(own) + 1 :] if not word.startswith("--test-threads")
    )
    options: list[str] = []
    for one in own:
        if options and options[-1] == "--test":
            options[-1] = f"--test={one}"
        else:
            options.append(one)
    return tuple(options), behind
