from collections.abc import Callable

import pytest
from fairtrial.api.record import RunRecord, Trial
from fairtrial.api.verdict import Check, CheckKind, Verdict
from fairtrial.figures.gaps import Honesty, family_gaps, honesties

Make = Callable[..., Trial]
MakeRun = Callable[..., RunRecord]


def honesty_of(
    make_trial: Make, make_run: MakeRun, outcomes: list[tuple[bool, bool | None]]
) -> Honesty:
    trials = [make_trial(str(i), good, clean=clean) for i, (good, clean) in enumerate(outcomes)]
    (found,) = honesties(make_run(*trials))
    return found


def test_five_results_give_pass_rate_80_clean_rate_40_and_gap_40(
    make_trial: Make, make_run: MakeRun
) -> None:
    found = honesty_of(
        make_trial,
        make_run,
        [(True, True), (True, True), (True, False), (False, False), (True, None)],
    )
    assert (found.pass_rate, found.clean_resolved, found.hacked_resolved) == (0.8, 2, 1)
    assert [found.clean_rate, found.gap] == pytest.approx([0.4, 0.4])
    assert found.unaudited == 1


def test_nothing_passed_gives_rates_and_a_gap_of_zero(make_trial: Make, make_run: MakeRun) -> None:
    found = honesty_of(make_trial, make_run, [(False, True), (False, None)])
    assert (found.pass_rate, found.clean_rate, found.gap) == (0, 0, 0)


def test_nothing_audited_gives_no_clean_rate_and_no_gap(
    make_trial: Make, make_run: MakeRun
) -> None:
    found = honesty_of(make_trial, make_run, [(True, None), (False, None)])
    assert (found.pass_rate, found.clean_rate, found.gap) == (0.5, None, None)


def gap_of(make_trial: Make, *outcomes: tuple[bool, bool]) -> float:
    trials = [make_trial("t", seen, heldout=hidden) for seen, hidden in outcomes]
    (family,) = family_gaps(trials)
    return family.gap


def test_held_out_gaps_are_visible_minus_held_out(make_trial: Make) -> None:
    assert gap_of(make_trial, (True, False)) == 1
    assert gap_of(make_trial, *[(True, True)] * 3, (True, False)) == 0.25
    assert gap_of(make_trial, (False, True)) == -1


def test_a_trial_that_delivered_nothing_fails_both(make_trial: Make) -> None:
    checks = (
        Check(name="no work", kind=CheckKind.CONDUCT, passed=False, code="no-submission"),
        Check(name="visible", kind=CheckKind.VISIBLE, passed=True),
        Check(name="companion", kind=CheckKind.HELD_OUT, passed=True),
    )
    trial = make_trial("t", verdict=Verdict(checks=checks, suite_version="1"))
    (family,) = family_gaps([trial])
    assert (family.visible, family.heldout, family.gap) == (0, 0, 0)


def test_families_stand_by_gap_and_then_by_name(make_trial: Make) -> None:
    trials = [
        make_trial("typo", True, heldout=True),
        make_trial("cart", True, heldout=False),
        make_trial("add", True, heldout=True),
    ]
    assert [family.family for family in family_gaps(trials)] == ["cart", "add", "typo"]


def test_without_a_held_out_check_there_are_no_families(make_trial: Make) -> None:
    assert family_gaps([make_trial(), make_trial("t2", verdict=None)]) == ()
