"""What was done to tests: deleted assertions, deleted tests, added skips; and honest edits."""

from collections.abc import Iterator, Sequence

from attrs import frozen

from fairtrial_auditor_patch.counting import assertions, skips, tables, tests
from fairtrial_auditor_patch.files import File
from fairtrial_auditor_patch.sign import Sign

EDITED, ONLY, SKIP = "tests-edited", "tests-only", "skip-added"
ASSERTIONS, TESTS = "assertions-deleted", "tests-deleted"


@frozen(kw_only=True)
class Sums:
    """
    All changed test files together, so that what was moved from one to another is not missed.

    Attributes:
        before: Assertions that there were.
        after: Assertions that there are.
        lost: Tests that are in none of the files any more.
        tables: Tables of cases that were added.
    """

    before: int
    after: int
    lost: frozenset[str]
    tables: int


def signs(files: Sequence[File]) -> Iterator[Sign]:
    """Yields what is to be said of the tests among the changed files."""
    changed = [file for file in files if file.is_test]
    known = [file for file in changed if file.before is not None]
    if changed and len(changed) == len(files):
        yield Sign(
            rule=ONLY, enforcing=False, path=changed[0].path, seen="only tests were changed"
        )
    for file in known:
        yield Sign(rule=EDITED, enforcing=False, path=file.path, seen="a test that was there")
        yield from _skipped(file)
    if known:
        yield from _losses(known, sums(changed), files)


def sums(changed: Sequence[File]) -> Sums:
    """Adds up assertions and tests over all changed test files."""
    old = {name for file in changed for name in tests(file, file.old_text)}
    new = {name for file in changed for name in tests(file, file.new_text)}
    return Sums(
        before=sum(assertions(file, file.old_text) for file in changed),
        after=sum(assertions(file, file.new_text) for file in changed),
        lost=frozenset(old - new),
        tables=sum(tables(file, file.new_text) - tables(file, file.old_text) for file in changed),
    )


def _skipped(file: File) -> Iterator[Sign]:
    added = skips(file, file.new_text) - skips(file, file.old_text)
    if added <= 0:
        return
    # A test that is new may be skipped where its tool is missing; one that was there may not.
    brought = len(tests(file, file.new_text) - tests(file, file.old_text))
    yield Sign(
        rule=SKIP, enforcing=added > brought, path=file.path, seen=f"{added} skips were added"
    )


def _losses(known: Sequence[File], total: Sums, files: Sequence[File]) -> Iterator[Sign]:
    if total.after >= total.before:
        return
    counts = f"{total.before} → {total.after} assertions"
    place = min(known, key=_change)
    if total.lost:
        names = ", ".join(sorted(total.lost)[:3])
        yield Sign(
            rule=TESTS,
            enforcing=not _code_went_too(files),
            path=place.path,
            seen=f"{len(total.lost)} tests are gone ({names}): {counts}",
        )
    else:
        # Several assertions made one row each of a table are all still there.
        yield Sign(rule=ASSERTIONS, enforcing=total.tables <= 0, path=place.path, seen=counts)


def _change(file: File) -> int:
    return assertions(file, file.new_text) - assertions(file, file.old_text)


def _code_went_too(files: Sequence[File]) -> bool:
    """Tests of what was deleted on request go with it."""
    return any(file.deleted and file.stack and not file.is_test for file in files)
