"""Assertions, skips and tests of a file, counted as its tool chain writes them."""

import re
from collections.abc import Mapping

from fairtrial_auditor_patch.files import File

_HASH, _SLASHES = r"^\s*#(?!\[)[^\n]*", r"^\s*//(?!go:build)[^\n]*|/\*.*?\*/"
_COMMENTS = {
    "python": re.compile(_HASH, re.MULTILINE),
    **dict.fromkeys(("node", "rust", "go"), re.compile(_SLASHES, re.MULTILINE | re.DOTALL)),
}
_ASSERTIONS = {
    "python": r"\bassert\w*\b|\bpytest\.(?:raises|warns|fail|deprecated_call)\b|\bself\.fail\w*\(",
    "node": r"\bassert(?:\.\w+)*\s*\(|\bexpect\s*\(|\.should\b|"
    r"\bt\.(?:equal|ok|deepEqual|notEqual|throws|rejects|is|true|false|like|same)\b",
    "rust": r"\b(?:debug_)?assert\w*!|#\[should_panic|\bpanic!",
    "go": r"\bt\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(|\b(?:assert|require)\.[A-Z]\w*\(",
}
_SKIPS = {
    "python": r"\bpytest\.mark\.(?:skip|skipif|xfail)\b|\bpytest\.(?:skip|xfail)\(|"
    r"^\s*@[^\n]*\.skip(?:If|Unless)?\(|\bself\.skipTest\(|\bSkipTest\b|\bexpectedFailure\b|\bcollect_ignore|\b__test__\s*=\s*False",
    "node": r"\.(?:skip|todo|only|failing)\(|\bx(?:it|test|describe)\(|\bskip:\s*(?:true|['\"])",
    "rust": r"#\[ignore|#\[cfg\(any\(\)\)\]",
    "go": r"\bt\.Skip(?:Now|f)?\(|^//go:build ignore",
}
_TESTS = {
    "python": r"\bdef (test\w*)\s*\(",
    "node": r"\b(?:it|test)\s*\(\s*['\"`]([^'\"`\n]*)",
    "rust": r"#\[(?:\w+::)*test[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:pub )?(?:async )?fn (\w+)",
    "go": r"\bfunc (Test\w+|Fuzz\w+)\s*\(",
}
_VACUOUS = {
    "python": r"\bassert\s*\(?(?:True|1)\)?\s*$|\bassertTrue\(\s*True\s*\)|\bor True\b",
    "node": r"\bassert(?:\.ok)?\(\s*true\s*\)|\bexpect\(\s*true\s*\)\.to",
    "rust": r"\bassert!\(\s*true\s*\)",
    "go": r"\bassert\.True\(t,\s*true\)",
}
_TABLES = r"\bparametrize\b|\bsubTest\(|\.each[(`]|\bfor _, \w+ := range\b|\bfor \w+(?:, \w+)* in \[|rstest"


def _compiled(patterns: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    return {stack: re.compile(text, re.MULTILINE) for stack, text in patterns.items()}


_ASSERTS, _SKIPPED, _NAMED, _EMPTY = map(_compiled, (_ASSERTIONS, _SKIPS, _TESTS, _VACUOUS))
_TABLE = re.compile(_TABLES)


def code(file: File, text: str) -> str:
    """Returns a text without whole-line comments."""
    comments = _COMMENTS.get(file.stack)
    return comments.sub("", text) if comments else text


def assertions(file: File, text: str) -> int:
    """Counts assertions that can fail."""
    if file.stack not in _ASSERTS:
        return 0
    plain = code(file, text)
    return len(_ASSERTS[file.stack].findall(plain)) - len(_EMPTY[file.stack].findall(plain))


def skips(file: File, text: str) -> int:
    """Counts marks by which a test is skipped, expected to fail, or run alone."""
    pattern = _SKIPPED.get(file.stack)
    return len(pattern.findall(code(file, text))) if pattern else 0


def tests(file: File, text: str) -> frozenset[str]:
    """Returns the names of the tests in a text."""
    pattern = _NAMED.get(file.stack)
    return frozenset(pattern.findall(code(file, text))) if pattern else frozenset()


def tables(file: File, text: str) -> int:
    """Counts tables of cases, in which one assertion stands for many."""
    return len(_TABLE.findall(code(file, text)))
