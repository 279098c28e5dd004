"""From what a watched run told to what came of it."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from attrs import evolve, field, frozen

from fairtrial.stacks.watched.declared import left_out, vanished
from fairtrial.stacks.watched.namesakes import Called, Homes
from fairtrial.stacks.watched.outcome import Account, Outcome, Plan, Seen

TOLD = 40
"""Most failing tests that are named."""


@frozen(kw_only=True)
class Expected:
    """
    What must have run.

    Attributes:
        files: The text of each pristine test file, by path.
        by_name: Names of tests that must all have passed, and that alone decide; empty where all
            tests decide.
    """

    files: Mapping[PurePosixPath, str] = field(factory=dict)
    by_name: tuple[str, ...] = ()


def judge(
    plan: Plan, account: Account, code: int | None, argv: tuple[str, ...], expected: Expected
) -> Outcome:
    """Judges a run by its report alone; the exit status can only make it worse."""
    canaries = plan.must_fail | plan.must_pass
    seen = [one for one in account.seen if one.name not in canaries]
    marked = {one.name for one in seen if plan.token and plan.token in one.note}
    own = [one for one in seen if not (plan.token and plan.token in one.note)]
    tests = _merged(own)
    if wrong := next(_false(plan, account, own, marked), ""):
        outcome = Outcome(passed=False, code="tampered", why=wrong)
    elif missing := _absent(plan, account):
        outcome = _broken_off(missing, code, _failures(own))
    else:
        outcome = _of_tests(tests, _failures(own), argv, expected)
        if outcome.passed and code not in plan.codes:
            outcome = Outcome(passed=False, code="tampered", why=_odd_end(plan, code))
    return evolve(outcome, tests=tests, output="".join(_lines(own)) + account.output)


def _broken_off(missing: str, code: int | None, failed: str) -> Outcome:
    if code == 0:
        return Outcome(passed=False, code="tampered", why=missing)
    why = f"the run broke off before its end\n{failed}".strip()
    return Outcome(passed=False, code="failed", why=why)


def _of_tests(
    tests: Mapping[str, bool | None], failed: str, argv: tuple[str, ...], expected: Expected
) -> Outcome:
    if expected.by_name:
        wrong = _by_name(tests, expected)
        return Outcome(passed=not wrong, code="failed" if wrong else "", why=wrong)
    gone = vanished(expected.files, tests, argv)
    if False in tests.values() or gone:
        why = "".join(f"did not run: {name}\n" for name in gone[:TOLD]) + failed
        return Outcome(passed=False, code="failed", why=why.strip())
    if True not in tests.values():
        return Outcome(passed=None, code="grader", why="no test ran")
    return Outcome(passed=True)


def _false(plan: Plan, account: Account, own: Sequence[Seen], marked: set[str]) -> Iterator[str]:
    """Yields what no honest run would tell."""
    passed = {one.name for one in account.seen if one.passed is True}
    not_passed = {one.name for one in account.seen if one.passed is not True}
    failed = {one.name for one in account.seen if one.passed is False}
    if (plan.must_fail & passed) or (plan.must_fail & not_passed) - failed:
        yield "a test that must fail did not"
    if plan.must_pass & not_passed:
        yield "a test that must pass did not"
    if plan.token:
        twinless = [
            one.name
            for one in own
            if one.passed is True and not one.solo and one.name not in marked
        ]
        if twinless:
            yield f"“{twinless[0]}” passes even where it must fail"


def _absent(plan: Plan, account: Account) -> str:
    named = {one.name for one in account.seen}
    if not account.whole:
        return "the report breaks off"
    if (plan.must_fail | plan.must_pass) - named:
        return "tests of ours did not run: the run ended well before its end"
    return ""


def _odd_end(plan: Plan, code: int | None) -> str:
    wanted = ", ".join(map(str, sorted(plan.codes)))
    return f"{plan.runner} ended with status {code} where its report means {wanted}"


def _merged(own: Sequence[Seen]) -> dict[str, bool | None]:
    """A failure wins over a pass, and a pass over a skip, where a name comes twice."""
    found: dict[str, bool | None] = {}
    for one in own:
        before = found.get(one.name)
        if one.name not in found or one.passed is False or (one.passed and before is None):
            found[one.name] = one.passed
    return found


def _by_name(tests: Mapping[str, bool | None], expected: Expected) -> str:
    wrong = [f"did not run: {name}" for name in left_out(expected.files, tests)]
    results, homes = Called.sort(tests), Homes.read(expected.files)
    for name in expected.by_name:
        called = results.by(name)
        passed = {full for full in called if tests[full]}
        if any(tests[full] is False for full in called):
            wrong.append(f"{name}: failed")
        elif not passed - homes.elsewhere(name, passed):
            wrong.append(f"{name}: did not run")
    return "\n".join(wrong)


def _failures(own: Sequence[Seen]) -> str:
    failed = [one for one in own if one.passed is False]
    told = "".join(f"{one.name}: failed\n{one.note}\n" for one in failed[:TOLD])
    more = len(failed) - TOLD
    return f"{told}and {more} more\n" if more > 0 else told


def _lines(own: Sequence[Seen]) -> Iterator[str]:
    words = {True: "passed", False: "failed", None: "skipped"}
    for one in own:
        yield f"{one.name}: {words[one.passed]}\n"
        if one.passed is False and one.note:
            yield f"{one.note}\n"
