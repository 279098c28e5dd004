import time
from pathlib import PurePosixPath

import pytest
from attrs import evolve
from fairtrial.stacks.watched.judge import Expected, judge
from fairtrial.stacks.watched.lines import account
from fairtrial.stacks.watched.outcome import Account, Plan, Seen

PLAN = Plan(
    runner="unittest",
    argv=("python3",),
    read=account,
    must_fail=frozenset({"f"}),
    must_pass=frozenset({"p"}),
    token="token",
)
CANARIES = (Seen(name="f", passed=False), Seen(name="p", passed=True))
REAL = Seen(name="m.T.a", passed=True, solo=False)
MANY = 50_000
SOON_S = 5.0
"""Seconds; where each name is compared with each result, minutes would go by."""
FILES = {
    PurePosixPath(f"tests/test_{file}.py"): "".join(
        f"def test_{file}_{number}(): ...\n" for number in range(40)
    )
    for file in range(30)
}
NAMES = {
    f"test_{file}_{number}": f"tests/test_{file}.py::test_{file}_{number}"
    for file in range(30)
    for number in range(40)
}
TWIN = Seen(name="m.T.a", passed=False, note="AssertionError: token", solo=False)


def judged(*seen, code=1, whole=True, canaries=CANARIES, expected=None, plan=PLAN):
    told = Account(seen=(*canaries, *seen), whole=whole)
    outcome = judge(plan, told, code, ("python3", "-m", "unittest"), expected or Expected())
    return outcome.passed, outcome.code


def test_a_pass_beside_its_failing_twin_is_a_pass():
    assert (True, "") == judged(REAL, TWIN)
    assert (True, "") == judged(TWIN, REAL)


def test_a_failure_beside_its_twin_is_a_failure():
    assert (False, "failed") == judged(evolve(REAL, passed=False), TWIN)


@pytest.mark.parametrize(
    ("seen", "canaries"),
    [
        ((REAL,), CANARIES),
        ((REAL, evolve(TWIN, passed=True, note="")), CANARIES),
        ((REAL, evolve(TWIN, note="")), CANARIES),
        ((REAL, TWIN), (evolve(CANARIES[0], passed=True), CANARIES[1])),
        ((REAL, TWIN), (evolve(CANARIES[0], passed=None), CANARIES[1])),
        ((REAL, TWIN), (*CANARIES, evolve(CANARIES[0], passed=True))),
        ((REAL, TWIN), (CANARIES[0], evolve(CANARIES[1], passed=False))),
        ((REAL, TWIN), (CANARIES[0], evolve(CANARIES[1], passed=None))),
    ],
)
def test_what_no_honest_run_would_tell_is_never_a_pass(seen, canaries):
    passed, code = judged(*seen, canaries=canaries)
    assert (False, True) == (passed, code in ("tampered", "failed"))


@pytest.mark.parametrize(("code", "word"), [(0, "tampered"), (1, "failed"), (None, "failed")])
def test_a_run_without_its_canaries_is_no_pass(code, word):
    assert (False, word) == judged(REAL, TWIN, canaries=CANARIES[:1], code=code)
    assert (False, word) == judged(REAL, TWIN, whole=False, code=code)


@pytest.mark.parametrize("code", [0, 2, None])
def test_a_pass_with_another_exit_status_was_tampered_with(code):
    assert (False, "tampered") == judged(REAL, TWIN, code=code)


def test_no_test_is_no_verdict():
    assert (None, "grader") == judged()
    assert (None, "grader") == judged(evolve(REAL, passed=None))


def test_named_tests_decide_alone():
    wrong = Seen(name="m.T.b", passed=False)
    assert (True, "") == judged(REAL, TWIN, wrong, expected=Expected(by_name=("T.a",)))
    assert (False, "failed") == judged(REAL, TWIN, wrong, expected=Expected(by_name=("a", "b")))
    assert (False, "failed") == judged(REAL, TWIN, expected=Expected(by_name=("m.T.gone",)))
    assert (False, "tampered") == judged(REAL, TWIN, code=0, expected=Expected(by_name=("a",)))


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ('{"name": "a", "passed": true}\n{"end": 1}\n', True),
        ('{"name": "a", "passed": true}\n', False),
        ('{"name": "a", "passed": true}\n{"end": 2}\n', False),
        ('{"name": "a", "passed": true}\n{"end": 1}\n{"end": 1}\n', False),
        ('rubbish\n{"name": "a", "passed": true}\n{"end": 1}\n', False),
        ("", False),
    ],
)
def test_a_report_is_whole_only_where_its_last_line_counts_right(text, whole):
    assert whole is account(text).whole


def test_a_named_test_counts_only_where_the_pristine_files_have_it():
    text = "class T(TestCase):\n    def test_a(self): ...\n"
    expected = Expected(
        files={PurePosixPath("tests/test_m.py"): text}, by_name=("tests.test_m.T.test_a",)
    )
    real, twin = (evolve(one, name="tests.test_m.T.test_a") for one in (REAL, TWIN))
    assert (True, "") == judged(real, twin, expected=expected)
    other = (evolve(one, name="shop.tests.test_m.T.test_a") for one in (REAL, TWIN))
    assert (False, "failed") == judged(*other, expected=expected)
    gone = Seen(name="unittest.loader.ModuleSkipped.tests.test_m", passed=None)
    assert (False, "failed") == judged(real, twin, gone, expected=expected)


def solo(names, *, passed=True):
    return [Seen(name=name, passed=passed, solo=True) for name in names]


FLOODS = {
    "as many names as results": (NAMES.values(), (), True),
    "namesakes": ([f"x{at}::test_0_0" for at in range(MANY)], (), False),
    "namesakes beside what ran": (
        [*NAMES.values(), *(f"x{at}::test_0_0" for at in range(MANY))],
        (),
        True,
    ),
    "skipped": (NAMES.values(), [f"x.y{at}" for at in range(MANY)], True),
}


@pytest.mark.parametrize("kind", FLOODS)
def test_named_tests_are_found_at_once_among_results_without_end(kind):
    passing, skipped, passed = FLOODS[kind]
    seen = (*solo(passing), *solo(skipped, passed=None))
    start = time.process_time()
    verdict, _ = judged(*seen, expected=Expected(files=FILES, by_name=tuple(NAMES)))
    assert (passed, True) == (verdict, time.process_time() - start < SOON_S)


@pytest.mark.parametrize(
    ("full", "name", "passed"),
    [
        ("m.T.a", "a", True),
        ("m::a", "a", True),
        ("m > a", "a", True),
        ("m/a", "a", True),
        ("m:::a", ":a", True),
        ("a", "a", True),
        ("ma", "a", False),
        ("m:a", "a", False),
        ("m.a.b", "a", False),
    ],
)
def test_a_test_goes_by_what_its_whole_name_ends_with(full, name, passed):
    assert passed is judged(*solo([full]), expected=Expected(by_name=(name,)))[0]
