from collections.abc import Callable

import pytest
from attrs import evolve
from fairtrial.api.answerer import Answer, Question
from fairtrial.api.attempt import Ending
from fairtrial.api.energy import Energy
from fairtrial.api.errors import ConfigError
from fairtrial.api.reading import Boundary, Label
from fairtrial.api.record import Exchange, RunRecord, Trial
from fairtrial.figures.arms import arms, matched
from fairtrial.figures.compare import Comparison, compare, compare_runs

Make = Callable[..., Trial]
MakeRun = Callable[..., RunRecord]

ASKED = (Exchange(question=Question(text="?"), answer=Answer(), waited_s=2.0),)


def compared(before: RunRecord, after: RunRecord) -> Comparison:
    (found,) = compare_runs(before, after, resamples=500).solvers
    return found


def kinds(found: Comparison) -> list[tuple[str, str, bool]]:
    return [(flip.kind, flip.subject, flip.worse) for flip in found.flips]


def test_a_pass_that_became_a_fail_is_a_regression(make_trial: Make, make_run: MakeRun) -> None:
    found = compared(make_run(make_trial("t1")), make_run(make_trial("t1", False)))
    assert kinds(found) == [("resolved-lost", "t1", True)]
    assert found.regression


def test_a_gain_and_a_changed_question_count_are_flips_but_no_regression(
    make_trial: Make, make_run: MakeRun
) -> None:
    found = compared(
        make_run(make_trial("t1", False, questions=ASKED)),
        make_run(make_trial("t1", True, questions=())),
    )
    assert kinds(found) == [
        ("resolved-gained", "t1", False),
        ("questions-changed", "t1", False),
    ]
    assert not found.regression


def test_a_bought_score_is_a_regression_although_the_pass_rate_rose(
    make_trial: Make, make_run: MakeRun
) -> None:
    before = [make_trial(f"t{i}", i < 3, clean=True) for i in range(4)]
    after = [make_trial(f"t{i}", True, clean=i < 2) for i in range(4)]
    found = compared(make_run(*before), make_run(*after))
    assert (found.before.honesty.clean_resolved, found.after.honesty.clean_resolved) == (3, 2)
    assert (found.before.honesty.clean_rate, found.after.honesty.clean_rate) == (0.75, 0.5)
    assert (found.before.honesty.gap, found.after.honesty.gap) == (0, 0.5)
    assert ("gap-widened", "x", True) in kinds(found)
    assert ("clean-lost", "t2", True) in kinds(found)


def held(make_trial: Make, make_run: MakeRun, hidden: bool, version: int | None) -> RunRecord:
    heldout = None if version is None else {"version": version}
    trial = make_trial("t1", heldout=None if version is None else hidden)
    return make_run(trial, heldout=heldout)


@pytest.mark.parametrize(
    ("before", "after", "warned", "flipped"),
    [(3, 4, True, False), (3, 3, False, True), (None, 4, False, False)],
)
def test_held_out_gaps_of_two_versions_are_warned_of_and_not_compared(
    make_trial: Make,
    make_run: MakeRun,
    before: int | None,
    after: int | None,
    warned: bool,
    flipped: bool,
) -> None:
    found = compared(
        held(make_trial, make_run, True, before), held(make_trial, make_run, False, after)
    )
    assert any("rotation" in warning for warning in found.warnings) is warned
    assert (("heldout-gap-widened", "t1", True) in kinds(found)) is flipped


def test_rows_follow_the_first_run_s_order_and_then_the_second_s_new_tasks(
    make_trial: Make, make_run: MakeRun
) -> None:
    found = compared(
        make_run(make_trial("b"), make_trial("a")), make_run(make_trial("c"), make_trial("a"))
    )
    assert [row.task for row in found.rows] == ["b", "a", "c"]
    assert [row.comparable for row in found.rows] == [False, True, False]


def test_a_task_that_changed_itself_is_shown_and_not_compared(
    make_trial: Make, make_run: MakeRun
) -> None:
    found = compared(make_run(make_trial("t1")), make_run(make_trial("t1", False, digest="new")))
    assert found.flips == ()
    assert found.chance.tasks == 0
    assert any("t1" in warning for warning in found.warnings)


def test_a_broken_trial_is_no_flip(make_trial: Make, make_run: MakeRun) -> None:
    broken = make_trial("t1", None, ending=Ending.INFRA, verdict=None, note="provider 529")
    found = compared(make_run(make_trial("t1")), make_run(broken))
    assert found.flips == ()
    assert found.rows[0].after is not None
    assert found.rows[0].after.reasons == ("infra: provider 529",)
    assert any("1 of 1 trials" in warning for warning in found.warnings)


def test_mcnemar_counts_lost_and_gained_and_holm_corrects_for_two_solvers(
    make_trial: Make, make_run: MakeRun
) -> None:
    tasks = [f"t{i}" for i in range(8)]
    before = make_run(*(make_trial(task, False, solver=s) for task in tasks for s in "xy"))
    after = make_run(*(make_trial(task, True, solver=s) for task in tasks for s in "xy"))
    found = compare_runs(before, after, resamples=200)
    for comparison in found.solvers:
        assert (comparison.chance.lost, comparison.chance.gained) == (0, 8)
        assert comparison.chance.p == pytest.approx(2 / 2**8)
        assert comparison.chance.p_corrected == pytest.approx(4 / 2**8)


def test_differences_are_paired_over_tasks(make_trial: Make, make_run: MakeRun) -> None:
    before = make_run(
        *(make_trial(f"t{i}", i % 2 == 0, cost_usd=2.0, energy_j=50.0 + i) for i in range(40))
    )
    after = make_run(
        *(make_trial(f"t{i}", i % 2 == 0, cost_usd=1.0, energy_j=25.0 + i / 2) for i in range(40))
    )
    resolution, cost, joules = compared(before, after).differences
    assert (resolution.of, resolution.value) == ("resolution", 0)
    assert cost.value == pytest.approx(0.5)
    assert cost.interval is not None
    assert (cost.interval.low, cost.interval.high) == pytest.approx((0.5, 0.5))
    assert joules.boundary is Boundary.HOST
    assert joules.value == pytest.approx(0.5)


def test_joules_of_another_label_are_not_compared(make_trial: Make, make_run: MakeRun) -> None:
    guess = (Energy(joules=5.0, boundary=Boundary.HOST, label=Label.ESTIMATOR),)
    found = compared(
        make_run(make_trial("t1", energy_j=5.0)), make_run(make_trial("t1", energy=guess))
    )
    joules = found.differences[-1]
    assert joules.value is None
    assert (
        joules.why == "joules are host, measured-hardware-shunt, gross before and host, estimator,"
        " gross after"
    )


def test_unknown_dollars_give_no_ratio_but_a_reason(make_trial: Make, make_run: MakeRun) -> None:
    found = compared(make_run(make_trial("t1", cost_usd=1.0)), make_run(make_trial("t1")))
    assert found.differences[1].value is None
    assert found.differences[1].why == "the dollars of some trials are not known"


def test_a_side_that_resolved_nothing_gives_no_ratio(make_trial: Make, make_run: MakeRun) -> None:
    found = compared(
        make_run(make_trial("t1", True, cost_usd=1.0)),
        make_run(make_trial("t1", False, cost_usd=1.0)),
    )
    assert found.differences[1].value is None


def test_of_several_rollouts_the_majority_decides(make_trial: Make, make_run: MakeRun) -> None:
    def run(*outcomes: bool) -> RunRecord:
        return make_run(*(make_trial("t1", good, rollout=k) for k, good in enumerate(outcomes, 1)))

    assert compared(run(True, True, False), run(True, False, False)).regression
    assert not compared(run(True, True, True), run(True, True, False)).regression


def test_solvers_of_one_name_are_paired_and_the_rest_is_named(
    make_trial: Make, make_run: MakeRun
) -> None:
    before = make_run(make_trial(solver="x"), make_trial(solver="old"), label="A")
    after = make_run(make_trial(solver="x"), make_trial(solver="new"), label="B")
    found = compare_runs(before, after, resamples=200)
    assert [comparison.after.solver for comparison in found.solvers] == ["x"]
    assert found.unmatched == ("old (A)", "new (B)")


def test_two_runs_with_one_solver_each_are_paired_whatever_their_names(
    make_trial: Make, make_run: MakeRun
) -> None:
    before = make_run(make_trial(solver="x"), make_trial(solver="noop"))
    ((left, right),) = matched(before, make_run(make_trial(solver="y")))
    assert (left.solver, right.solver) == ("x", "y")


def test_control_arms_alone_can_be_compared(make_trial: Make, make_run: MakeRun) -> None:
    run = make_run(make_trial(solver="reference"), make_trial("t1", False, solver="noop"))
    assert [left.solver for left, _ in matched(run, run)] == ["reference", "noop"]


def test_runs_without_anything_to_pair_are_refused(make_trial: Make, make_run: MakeRun) -> None:
    before = make_run(make_trial(solver="x"), make_trial(solver="y"), label="A")
    after = make_run(make_trial(solver="z"), label="B")
    with pytest.raises(ConfigError) as caught:
        compare_runs(before, after)
    assert caught.value.problem == "no solver of “A” can be set beside one of “B”"
    assert caught.value.facts == (("A", "x, y"), ("B", "z"))


def test_two_arms_of_one_run_can_be_compared(make_trial: Make, make_run: MakeRun) -> None:
    run = make_run(make_trial(solver="before"), make_trial("t1", False, solver="after"))
    left, right = arms(run)
    found = compare(evolve(left, label="before"), evolve(right, label="after"), resamples=200)
    assert kinds(found) == [("resolved-lost", "t1", True)]


def test_waiting_for_an_answer_is_not_working(make_trial: Make, make_run: MakeRun) -> None:
    run = make_run(make_trial("t1", wall_s=10.0, questions=ASKED))
    side = compared(run, run).rows[0].after
    assert side is not None
    assert (side.worked_s, side.questions) == (8.0, 1)


def test_another_version_of_the_suite_is_warned_of(make_trial: Make, make_run: MakeRun) -> None:
    trial = make_trial("t1")
    found = compared(make_run(trial, suite_version="1"), make_run(trial, suite_version="2"))
    assert found.warnings == (
        "the suite changed (1 → 2): verdicts of different versions are not comparable",
    )


def test_audits_by_different_pattern_sets_are_said_not_to_compare(
    make_trial: Make, make_run: MakeRun
) -> None:
    one = evolve(make_trial("t1", clean=True), audited_by={"trajectory": 1, "patch": 1})
    two = evolve(one, audited_by={"trajectory": 2, "patch": 1})
    found = compared(make_run(one), make_run(two))
    assert (
        "auditor “trajectory” judged by pattern set 1 → 2: what is clean is not comparable",
    ) == found.warnings
    assert () == compared(make_run(one), make_run(one)).warnings
