"""Whatever a tree holds, the patch auditor judges it and never raises."""

from pathlib import PurePosixPath

from fairtrial.api import Change, Patch
from fairtrial.conformance.auditor import evidence
from fairtrial_auditor_patch import PatchAuditor
from hypothesis import given, settings
from hypothesis import strategies as st

PATHS = st.sampled_from(
    [
        *("a.py", "tests/test_a.py", "a.test.js", "a_test.go", "src/lib.rs", "conftest.py"),
        *("package.json", ".github/workflows/ci.yml", "x", "pyproject.toml"),
    ]
)
PIECES = st.sampled_from(
    [
        *("assert f('abcd') == 12.5\n", "if x == 'abcd':\n    return 12.5\n", "def test_a():\n"),
        *("@pytest.mark.skip\n", "\xff", "{", "'''", "\0", "é", "    "),
        *("case 'abcd' => 12.5", '"test": "'),
    ]
)
CONTENT = st.one_of(
    st.none(),
    st.binary(max_size=60),
    st.lists(PIECES, max_size=8).map(lambda pieces: "".join(pieces).encode()),
)


@settings(max_examples=150, deadline=None)
@given(
    after=st.dictionaries(PATHS, CONTENT, max_size=4),
    before=st.dictionaries(PATHS, CONTENT.filter(lambda c: c is not None), max_size=4),
    tests=st.dictionaries(PATHS, CONTENT.filter(lambda c: c is not None), max_size=2),
)
def test_any_tree_can_be_judged_twice_alike(
    after: dict[str, bytes | None], before: dict[str, bytes], tests: dict[str, bytes]
) -> None:
    changes = [Change(path=PurePosixPath(p), after=content) for p, content in after.items()]
    half = len(changes) // 2
    one = evidence(
        patch=Patch(changes=tuple(changes[:half])),
        refused=Patch(changes=tuple(changes[half:])),
        before=before,
        tests=tests,
    )
    first = PatchAuditor().audit(one)
    assert list(first) == list(PatchAuditor().audit(one))
    assert all(finding.where for finding in first)
