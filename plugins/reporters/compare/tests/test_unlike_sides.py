"""Sides that did not do the same work, as people and machines read of them."""

import json
from collections.abc import Sequence

import pytest
from attrs import evolve
from fairtrial.api import RunRecord, Trial
from fairtrial.conformance.fakes.records import three_trial_run, two_runs
from fairtrial_reporter_compare import CompareReporter


def run(label: str, tasks: Sequence[str], rollouts: int, wall_s: float = 1.0) -> RunRecord:
    """A run of which all trials resolved their task."""
    model = three_trial_run()
    (first, planned) = (model.trials[0], model.tasks[0])
    return evolve(
        model,
        label=label,
        rollouts=rollouts,
        tasks=tuple(evolve(planned, id=task, digest=task) for task in tasks),
        trials=tuple(
            evolve(first, task=task, digest=task, rollout=k, wall_s=wall_s, questions=())
            for task in tasks
            for k in range(1, rollouts + 1)
        ),
    )


def stopped(record: RunRecord, done: int) -> RunRecord:
    return evolve(record, trials=record.trials[:done])


def text(before: RunRecord, after: RunRecord) -> str:
    return next(iter(CompareReporter(resamples=200).report([before, after]))).body.decode()


def row(shown: str, task: str) -> Sequence[str]:
    (line,) = (line for line in shown.splitlines() if line.startswith(f"| {task} "))
    return [" ".join(each.split()) for each in line.split("|")[1:-1]]


def test_several_attempts_are_shown_by_their_mean_and_said_to_be() -> None:
    shown = text(run("A", ["a", "b"], 3, 1.5), run("B", ["a", "b"], 2, 1.5))
    assert [
        "a", "cheap · – → cheap · –", "3/3 → 2/2", "clean → clean", "0.01 → 0.01 (+0.00)",
        "1.50s → 1.50s", "0 → 0", "",
    ] == row(shown, "a")  # fmt: skip
    assert "Cost, seconds, questions and lines of a task are means per attempt." in shown
    assert (
        "The sums are of 6 attempts → 4 attempts. Per attempt at the 2 tasks that were judged on"
        " both sides: cost 0.01 → 0.01, worked 1.50s → 1.50s, questions 0 → 0."
    ) in shown
    single = text(run("A", ["a"], 1), run("B", ["a"], 1))
    assert ("per attempt" in single.lower(), "The sums are of" in single) == (False, False)


@pytest.mark.parametrize(
    ("wall_s", "said"),
    [(0.06, "0.06s"), (1.02, "1.02s"), (9.5, "9.50s"), (10.5, "11s"), (94.4, "94s")],
)
def test_short_times_keep_their_digits(wall_s: float, said: str) -> None:
    shown = text(run("A", ["a"], 1, wall_s), run("B", ["a"], 2, wall_s))
    assert f"{said} → {said}" == row(shown, "a")[5]


def test_what_was_never_tried_is_a_dash_and_a_row_has_one_form() -> None:
    shown = text(run("A", ["a", "b"], 3), run("B", ["a"], 1))
    assert "3/3 → 1/1" == row(shown, "a")[2]
    assert ["3/3 → –", "1.00s → –"] == [row(shown, "b")[2], row(shown, "b")[5]]


def test_an_unfinished_side_is_told_first_and_has_no_share() -> None:
    lines = text(run("A", ["a", "b"], 2), stopped(run("B", ["a", "b"], 2), 1)).splitlines()
    assert [
        (
            "B: unfinished: 1 of 4 trials ended, the others were interrupted or are still to"
            " come; to go on, give the command that began the run again, with --label B --resume"
        ),
        "",
        "- warning: B: 3 of 4 trials (75%) did not finish; above 10% no headline is given",
        "- warning: 1 of 2 tasks was judged on both sides, and only that one can be compared",
    ] == lines[2:6]
    assert lines[7].startswith("Passed 4/4 → – (1/4, 3 unfinished), ")
    assert "Clean resolved 4/4 → – (1/4), clean rate 100% → –, gap 0% → 0%." in lines


def test_one_task_has_no_interval_and_plurals_fit() -> None:
    before, after = two_runs()
    lost = text(
        evolve(after, tasks=after.tasks[1:2], trials=after.trials[1:2]),
        evolve(before, tasks=before.tasks[1:2], trials=before.trials[1:2]),
    )
    assert "- 1 task lost, 0 gained of 1 judged on both sides:" in lost
    assert (
        "- resolution: -100.0 points (95 %: –, one task says nothing of how much others would"
        " differ)"
    ) in lost
    shown = text(run("A", ["a"], 3), run("B", ["a"], 1))
    assert "× 1.00 (95 %: –, one task says" in shown
    assert "- share resolved: median 100% (100% to 100%, 3 repeats) → 100% (1 repeat)" in shown
    assert "- each repeat is of 1 task judged on both sides" in shown


def seldom(label: str, resolved: str) -> RunRecord:
    """A run of eight tasks of which these were resolved, at the same cost."""
    record = run(label, "abcdefgh", 1)
    failed = two_runs()[0].trials[1].verdict

    def judged(trial: Trial) -> Trial:
        return trial if trial.task in resolved else evolve(trial, verdict=failed)

    return evolve(record, trials=tuple(map(judged, record.trials)))


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("a", "b", "× 1.00 (95 %: –, too few tasks were resolved on both sides to bound it)"),
        ("abcdefgh", "a", "or more)"),
        ("a", "abcdefgh", "or less)"),
        ("abcdefgh", "abcdefgh", "× 1.00 (95 %: 1.00 to 1.00)"),
    ],
)
def test_ends_that_are_unbounded_are_told_in_words(before: str, after: str, said: str) -> None:
    shown = text(seldom("A", before), seldom("B", after))
    (line,) = (line for line in shown.splitlines() if line.startswith("- cost per resolved: "))
    assert line.endswith(said)
    assert "unbounded" not in shown


def test_the_json_carries_the_same() -> None:
    runs = [run("A", ["a", "b"], 2), stopped(run("B", ["a", "b"], 2), 1)]
    *_, document = CompareReporter(resamples=200).report(runs)
    found = json.loads(document.body)
    refusal = "3 of 4 trials (75%) did not finish; above 10% no headline is given"
    assert [f"B: {refusal}"] == found["unproven"]
    assert [{"label": "B", "planned": 4, "trials": 3}] == found["unfinished"]
    (solver,) = found["solvers"]
    assert ["", refusal] == [solver[side]["refusal"] for side in ("before", "after")]
    assert [4, 1] == [solver[side]["attempts"] for side in ("before", "after")]
    assert [2, 1] == [
        solver["rows"][0][side]["per_attempt"]["attempts"] for side in ("before", "after")
    ]
    assert solver["rows"][1]["after"] is None
    assert [None] * 3 == [each["interval"] for each in solver["differences"]]
    assert solver["after"]["honesty"]["pass_rate"] is None
