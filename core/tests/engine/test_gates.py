"""What makes a run's figures unbelievable."""

from fairtrial.api import (
    Check,
    CheckKind,
    Ending,
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
    assert "b: nothing to fix" in gates[0].why


def test_too_many_broken_trials_refuse_a_headline() -> None:
    gates = failed_gates(run(trial("a", "x", None, Ending.INFRA), trial("b", "x", resolved=True)))
    assert ["infra"] == [gate.name for gate in gates]
    assert "1 of 2 trials of “x” broke for reasons of ours, such as: no disk" == gates[0].why
