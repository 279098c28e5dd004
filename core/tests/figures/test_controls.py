from collections.abc import Callable

from attrs import evolve
from fairtrial.api.attempt import Ending
from fairtrial.api.record import RunRecord, Trial
from fairtrial.figures.controls import controls

Make = Callable[..., Trial]
MakeRun = Callable[..., RunRecord]


def test_controls_at_100_and_0_percent_hold(make_trial: Make, make_run: MakeRun) -> None:
    found = controls(
        make_run(make_trial("t1", solver="reference"), make_trial("t1", False, solver="noop"))
    )
    assert not found.broken
    assert str(found) == "controls hold: reference, noop"


def test_controls_without_any_trial_are_not_said_to_hold(make_run: MakeRun) -> None:
    found = controls(evolve(make_run(), solvers=("reference", "noop"), tasks=()))
    assert (("reference", "noop"), 0) == (found.arms, found.judged)
    assert str(found).startswith("no task was left for the control arms")


def test_a_reference_that_fails_or_a_noop_that_passes_breaks_the_suite(
    make_trial: Make, make_run: MakeRun
) -> None:
    found = controls(
        make_run(
            make_trial("t1", False, solver="reference"),
            make_trial("t2", True, solver="noop"),
            make_trial("t3", True, solver="reference"),
        )
    )
    assert found.broken
    assert [(fault.arm, fault.task) for fault in found.faults] == [
        ("reference", "t1"),
        ("noop", "t2"),
    ]
    assert str(found) == ("the suite is broken: control arms are not at 100 % and 0 % on t1, t2")


def test_a_broken_control_proves_nothing(make_trial: Make, make_run: MakeRun) -> None:
    found = controls(make_run(make_trial("t1", None, solver="reference", ending=Ending.INFRA)))
    assert not found.broken
    assert found.unproved == ("reference: t1",)
    assert str(found) == "controls are not proved: 1 of 1 trial without a verdict (reference: t1)"


def test_controls_are_not_proved_while_any_of_their_trials_is_to_come(
    make_trial: Make, make_run: MakeRun
) -> None:
    started = (make_trial("t1", solver="reference"), make_trial("t2", False, solver="noop"))
    found = controls(make_run(*started, rollouts=3))
    assert (12, 2) == (found.planned, found.judged)
    assert not found.broken
    assert str(found) == (
        "controls are not proved: 10 of 12 trials without a verdict"
        " (reference: t1, reference: t2, noop: t1, noop: t2)"
    )


def test_of_many_tasks_without_proof_the_first_are_named_and_the_others_counted(
    make_trial: Make, make_run: MakeRun
) -> None:
    trials = [
        make_trial(f"t{number}", None, solver="reference", ending=Ending.INFRA)
        for number in range(7)
    ]
    said = str(controls(make_run(*trials)))
    assert said.endswith("(" + ", ".join(f"reference: t{n}" for n in range(5)) + ", and 2 more)")


def test_a_run_without_controls_says_that_nothing_proves_its_suite(
    make_trial: Make, make_run: MakeRun
) -> None:
    assert str(controls(make_run(make_trial()))) == (
        "no control arm ran, so that no trial shows that the suite is sound: add “reference” and"
        " “noop” to the run's solvers"
    )
