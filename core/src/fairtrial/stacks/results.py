"""
What test runners say of single tests: JUnit XML, `go test -json`, `cargo test`.

A result is keyed by the test's own name, so that a test which vanished can be told from one that
passed. The graded code may have had a hand in any of it, and there is no time limit here: whatever
it says, and however much, each of these takes time in proportion to its length.
"""

import bisect
import json
import re
from collections.abc import Mapping
from xml.etree import ElementTree as ET

Results = Mapping[str, bool | None]
"""Names of tests to whether they passed; None for one that was skipped."""

_CARGO = re.compile(r"^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)\b", re.MULTILINE)
_CARGO_TARGET = re.compile(
    r"^[ \t]*(?:Running (?:unittests )?(\S+)|Doc-tests (\S+))", re.MULTILINE
)


def junit(text: str) -> Results:
    """
    Reads JUnit XML, as `pytest --junitxml` and `node --test-reporter=junit` write it.

    A name is `classname::name`, or the bare name where there is no class. Where one name comes
    twice, a failure wins.

    Raises:
        ValueError: It is no well-formed report, or holds a document type (entities can grow
            without bound).
    """
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        msg = "a test report must not define a document type"
        raise ValueError(msg)
    try:
        root = ET.fromstring(text)  # noqa: S314 - no document type, so no entity can grow
    except ET.ParseError as error:
        msg = f"not a JUnit report: {error}"
        raise ValueError(msg) from error
    found: dict[str, bool | None] = {}
    for case in root.iter("testcase"):
        group, name = case.get("classname", ""), case.get("name", "")
        marks = {child.tag for child in case}
        outcome = False if marks & {"failure", "error"} else None if "skipped" in marks else True
        _keep(found, f"{group}::{name}" if group and group != "test" else name, outcome)
    return found


def go_json(text: str) -> Results:
    """
    Reads `go test -json`: one event a line; names are `package::Test/Sub`.

    The package comes from the event itself, since names of subtests may hold dots. A package that
    fails without a failing test (it doesn't build) is a failed result of the package's name.
    """
    found: dict[str, bool | None] = {}
    failing: set[str] = set()
    for line in text.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if not isinstance(event, dict):
            continue
        action, package, test = (str(event.get(key, "")) for key in ("Action", "Package", "Test"))
        if action in ("pass", "fail", "skip") and test:
            _keep(found, f"{package}::{test}", _go_outcome(action))
            failing |= {package} if action == "fail" else set()
        elif action == "fail" and package not in failing:
            _keep(found, package, outcome=False)
    return found


def _go_outcome(action: str) -> bool | None:
    return {"pass": True, "fail": False}.get(action)


def cargo(text: str) -> Results:
    """Reads what `cargo test` prints; names are `target::test`, or bare before the first target."""
    marks = [(match.start(), match[1] or match[2]) for match in _CARGO_TARGET.finditer(text)]
    starts = [at for at, _ in marks]
    found: dict[str, bool | None] = {}
    for match in _CARGO.finditer(text):
        before = bisect.bisect_left(starts, match.start())
        target = marks[before - 1][1] if before else ""
        outcome = {"ok": True, "FAILED": False}.get(match[2])
        _keep(found, f"{target}::{match[1]}" if target else match[1], outcome)
    return found


def unittest_verbose(text: str) -> Results:
    """Reads what `python -m unittest -v` prints; names are `test (module.Class.test)`."""
    found: dict[str, bool | None] = {}
    pattern = r"^(\S+ \([\w.]+\))(?:\n.*)? \.\.\. (ok|FAIL|ERROR|skipped|expected failure)"
    for name, word in re.findall(pattern, text, re.MULTILINE):
        outcome = {"ok": True, "expected failure": True, "FAIL": False, "ERROR": False}.get(word)
        _keep(found, name, outcome)
    return found


def _keep(found: dict[str, bool | None], name: str, outcome: bool | None) -> None:
    """A failure wins over a pass, and a pass over a skip, where a name comes twice."""
    if name not in found or outcome is False or (outcome and found[name] is None):
        found[name] = outcome
