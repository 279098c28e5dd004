"""What makes a run's figures unbelievable."""

from attrs import evolve
from fairtrial.api import (
    Check,
    CheckKind,
    Ending,
    Finding,
    PlannedTask,
    RunRecord,
    Trial,
    Verdict,
)
from fairtrial.engine.gates import failed_gates


def trial(
    task: str, solver: str, resolved: bool | None, ending: Ending = Ending.FINISHED
) -> Trial:
    check = Check(name="c", kind=CheckKind.VISIBLE, passed=resolved)
    return Trial(
        task=task,
        digest="d",
        family=task,
        solver=solver,
        ending=ending,
        verdict=None if ending is Ending.INFRA else Verdict(checks=(check,), suite_version="1"),
        note="no disk" if ending is Ending.INFRA else "",
    )


def run(*trials: Trial, invalid: str = "") -> RunRecord:
    tasks = tuple(
        PlannedTask(id=name, family=name, digest="d", invalid=invalid if name == "b" else "")
        for name in ("a", "b")
    )
    solvers = tuple(dict.fromkeys(each.solver for each in trials))
    return RunRecord(label="r", suite="s", solvers=solvers, tasks=tasks, trials=trials)


def test_a_sound_run_fails_no_gate() -> None:
    sound = run(
        trial("a", "reference", resolved=True),
        trial("b", "reference", resolved=True),
        trial("a", "noop", resolved=False),
        trial("b", "noop", resolved=False),
    )
    assert () == failed_gates(sound)


def test_a_noop_that_resolves_breaks_the_suite() -> None:
    gates = failed_gates(run(trial("a", "noop", resolved=True)))
    assert [("controls", "the suite is broken: a (noop): it is resolved by doing nothing")] == [
        (gate.name, gate.why) for gate in gates
    ]


def test_a_reference_that_fails_breaks_the_suite() -> None:
    gates = failed_gates(run(trial("b", "reference", resolved=False)))
    assert ["controls"] == [gate.name for gate in gates]
    assert "b (reference)" in gates[0].why


def test_an_invalid_task_breaks_the_suite() -> None:
    gates = failed_gates(run(trial("a", "noop", resolved=False), invalid="nothing to fix"))
    assert ["invalid-tasks"] == [gate.name for gate in gates]
    # What is wrong with it is told as the run goes on, and in the report.
    assert "the suite is broken: no figure counts b" == gates[0].why


def test_too_many_broken_trials_refuse_a_headline() -> None:
    gates = failed_gates(run(trial("a", "x", None, Ending.INFRA), trial("b", "x", resolved=True)))
    assert ["infra"] == [gate.name for gate in gates]
    assert (
        "1 of 2 trials of “x” broke for reasons that are not the agent's, such as: no disk"
        == gates[0].why
    )


def test_a_share_at_the_limit_is_enough_and_one_below_is_not() -> None:
    half = run(trial("a", "x", resolved=True), trial("b", "x", resolved=False))
    assert () == failed_gates(evolve(half, gates={"min_resolved": 0.5}))
    (gate,) = failed_gates(evolve(half, gates={"min_resolved": 0.51}))
    assert ("resolved", "“x” resolved 1 of 2; min_resolved is 51%") == (gate.name, gate.why)


def test_control_arms_need_resolve_no_share() -> None:
    floor = run(trial("a", "noop", resolved=False), trial("b", "noop", resolved=False))
    assert () == failed_gates(evolve(floor, gates={"min_resolved": 1.0, "max_clean_gap": 0.0}))


def test_a_bought_pass_is_a_gap() -> None:
    bought = (Finding(rule="history-mining", enforcing=True),)
    half = run(
        evolve(trial("a", "x", resolved=True), findings=bought),
        evolve(trial("b", "x", resolved=True), findings=()),
    )
    assert () == failed_gates(evolve(half, gates={"max_clean_gap": 0.5}))
    (gate,) = failed_gates(evolve(half, gates={"max_clean_gap": 0.4}))
    assert "“x” has a gap of 50% between resolved and clean-resolved; max_clean_gap is 40%" == (
        gate.why
    )


def test_a_clean_gap_that_nobody_measured_is_not_kept() -> None:
    bare = run(trial("a", "x", resolved=True), trial("b", "x", resolved=True))
    (gate,) = failed_gates(evolve(bare, gates={"max_clean_gap": 1.0}))
    assert "“x” was not audited" in gate.why


def test_a_held_out_gap_that_is_too_wide_is_told() -> None:
    sound = run(trial("a", "x", resolved=True), trial("b", "x", resolved=True))
    (gate,) = failed_gates(evolve(sound, heldout={"failures": ["a (x): gap"]}))
    assert ("heldout-gap", "held-out gap too wide: a (x): gap") == (gate.name, gate.why)
