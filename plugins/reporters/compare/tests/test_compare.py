import json
from collections.abc import Sequence
from typing import Any  # noqa: TID251 - a builder of records takes any field of theirs

import pytest
from attrs import evolve
from fairtrial.api import (
    Answer,
    Boundary,
    Check,
    CheckKind,
    ConfigError,
    CostSource,
    Ending,
    Energy,
    Exchange,
    Finding,
    Label,
    PlannedTask,
    Question,
    RunRecord,
    Trial,
    Usage,
    Verdict,
)
from fairtrial.conformance.fakes.records import two_runs
from fairtrial_reporter_compare import CompareReporter


def trial(task: str, passed: bool, **fields: Any) -> Trial:
    cost, asked = fields.pop("cost_usd", None), fields.pop("asked", None)
    clean, hidden = fields.pop("clean", None), fields.pop("hidden", None)
    checks = [Check(name="c", kind=CheckKind.VISIBLE, passed=passed, code="hidden-check")]
    if hidden is not None:
        checks.append(Check(name="h", kind=CheckKind.HELD_OUT, passed=hidden))
    findings = (Finding(rule="r", enforcing=True),) if clean is False else ()
    exchange = Exchange(question=Question(text="?"), answer=Answer())
    values: dict[str, Any] = {
        "digest": task,
        "family": task,
        "solver": "x",
        "model": "m",
        "ending": Ending.FINISHED,
        "verdict": Verdict(checks=tuple(checks), suite_version="1"),
        "wall_s": 10.0,
        "usage": ()
        if cost is None
        else (Usage(cost_usd=cost, cost_source=CostSource.REPORTED, output=100),),
        "questions": None if asked is None else (exchange,) * asked,
        "findings": None if clean is None else findings,
    }
    return Trial(task=task, **(values | fields))


def run(label: str, *trials: Trial, **fields: Any) -> RunRecord:
    tasks = tuple(
        PlannedTask(id=one.task, family=one.family, digest=one.digest)
        for one in {one.task: one for one in trials}.values()
    )
    values: dict[str, Any] = {"suite": "issues", "solvers": ("x",), "tasks": tasks}
    return RunRecord(label=label, trials=trials, **(values | fields))


def shown(before: RunRecord, after: RunRecord, **fields: Any) -> str:
    document = next(iter(CompareReporter(resamples=200, **fields).report([before, after])))
    return document.body.decode()


def rows(text: str) -> Sequence[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.startswith("|")]


def asked_too_few() -> Verdict:
    check = Check(
        name="questions",
        kind=CheckKind.CONDUCT,
        passed=False,
        code="questions",
        why="asked 0 questions, expected 1",
    )
    return Verdict(checks=(check,), suite_version="1")


def test_a_row_shows_both_sides_in_every_column() -> None:
    name = "ambiguous-rounding"
    before = trial(name, True, clean=True, cost_usd=0.31, wall_s=94.0, asked=1)
    after = trial(name, False, verdict=asked_too_few(), cost_usd=0.28, wall_s=71.0, asked=0)
    table = rows(shown(run("A", before), run("B", after)))
    assert table[0] == (
        "| Task | Harness · model | Result | Clean | Cost | Worked | Questions | Why it failed |"
    )
    assert table[2] == (
        "| ambiguous-rounding | x · m → x · m | pass → FAIL | clean → – | 0.31 → 0.28 (-0.03)"
        " | 94s → 71s | 1 → 0 | asked 0 questions, expected 1 |"
    )


def test_a_task_of_the_second_run_only_has_dashes_before_the_arrow() -> None:
    text = shown(
        run("A", trial("t1", True)),
        run("B", trial("new", True, cost_usd=0.5, wall_s=12.4, asked=0)),
    )
    assert rows(text)[3] == (
        "| new | – → x · m | – → pass | – → – | – → 0.50 (–) | – → 12s | – → 0 | |"
    )


def test_joules_of_two_runs_are_compared_gross_where_one_was_not_calibrated() -> None:
    def joules(net_j: float, idle_j: float | None) -> tuple[Energy, ...]:
        gross_j = net_j + (idle_j or 0)
        label = Label.MODEL_BASED
        return (
            Energy(
                joules=net_j, gross_j=gross_j, idle_j=idle_j, boundary=Boundary.HOST, label=label
            ),
        )

    before = [trial(f"t{i}", True, energy=joules(3.0, 6.0)) for i in range(4)]
    after = [trial(f"t{i}", True, energy=joules(9.0, None)) for i in range(4)]
    text = shown(run("A", *before), run("B", *after))
    assert "joules per resolved (host, measured-model-based, gross): × 1.00 (95 %: 1.00" in text
    assert "joules (host) are compared gross, since idle is not known of all attempts" in text


def test_the_interval_of_estimated_joules_is_said_to_be_of_tasks() -> None:
    remote = (Energy(joules=200.0, boundary=Boundary.REMOTE, label=Label.ESTIMATOR),)
    trials = [trial(f"t{i}", True, energy=remote) for i in range(4)]
    text = shown(run("A", *trials), run("B", *trials))
    assert (
        "joules per resolved (remote-inference, estimator): × 1.00 (95 % over tasks, not of"
        " the estimate: 1.00 to 1.00)"
    ) in text


def bought() -> tuple[RunRecord, RunRecord]:
    before = [trial(f"t{i}", i < 3, clean=True) for i in range(4)]
    after = [trial(f"t{i}", True, clean=i < 2) for i in range(4)]
    return run("A", *before), run("B", *after)


def test_a_bought_score_shows_in_the_clean_rate_and_the_gap() -> None:
    text = shown(*bought())
    assert "Passed 3/4 → 4/4," in text
    assert "Clean resolved 3/4 → 2/4, clean rate 75% → 50%, gap 0% → 50%." in text
    assert "clean → HACKED" in text


def test_without_an_audit_on_both_sides_nothing_is_said_of_clean_rates() -> None:
    text = shown(run("A", trial("t1", True)), run("B", trial("t1", True, clean=True)))
    assert "Clean resolved" not in text


def scored(label: str, version: int | None) -> RunRecord:
    heldout = None if version is None else {"version": version}
    hidden = None if version is None else False
    return run(label, trial("t1", True, hidden=hidden), heldout=heldout)


@pytest.mark.parametrize(
    ("before", "after", "line", "warned"),
    [
        (3, 4, "Held-out: v3, widest family gap 100% → v4, widest family gap 100%.", True),
        (3, 3, "Held-out: v3, widest family gap 100% → v3, widest family gap 100%.", False),
        (None, 4, "Held-out: no held-out suite scored → v4, widest family gap 100%.", False),
    ],
)
def test_a_held_out_line_names_versions_and_warns_across_a_rotation(
    before: int | None, after: int | None, line: str, warned: bool
) -> None:
    text = shown(scored("A", before), scored("B", after))
    assert line in text
    assert ("not comparable across the rotation" in text) is warned


def test_no_held_out_line_where_neither_side_scored_one() -> None:
    assert "Held-out" not in shown(run("A", trial("t1", True)), run("B", trial("t1", True)))


def test_the_sums_say_whose_dollars_they_are_and_what_is_unknown() -> None:
    text = shown(
        run("A", trial("t1", True, cost_usd=0.2, asked=1), trial("t2", True)),
        run("B", trial("t1", True, cost_usd=0.125, asked=0)),
    )
    assert "total cost ≥ 0.20 (1 unknown) (reported) → 0.13 (reported)" in text
    assert "questions ≥ 1 (1 unknown) → 0." in text
    assert "Tokens: output ≥ 100 (1 unknown) → 100." in text


def test_a_side_that_never_told_its_tokens_is_a_dash() -> None:
    text = shown(run("A", trial("t1", True)), run("B", trial("t1", True, cost_usd=0.1)))
    assert "Tokens: output – → 100." in text


def test_the_heading_and_the_reminder_stand_first_and_last() -> None:
    lines = shown(run("A|x", trial("t1", True)), run("B", trial("t1", True))).splitlines()
    assert lines[0] == "# A\\|x → B"
    assert lines[-1] == "One run of one task is one sample: a single flip may be chance."


def test_several_rollouts_are_shown_as_a_count() -> None:
    trials = [trial("t1", k < 3, rollout=k) for k in (1, 2, 3)]
    record = run("A", *trials, rollouts=3)
    assert "| 2/3 → 2/3 |" in rows(shown(record, record))[2]


def test_lines_added_and_removed_are_a_column_on_demand() -> None:
    before = run("A", trial("t1", True, diff_added=3, diff_removed=1))
    text = shown(before, run("B", trial("t1", True)), diff=True)
    assert "| Diff |" in rows(text)[0]
    assert "| +3 -1 → – |" in rows(text)[2]


def test_infra_stands_beside_what_passed() -> None:
    broken = trial("t1", True, ending=Ending.INFRA, verdict=None, note="provider \x1b[31m529")
    text = shown(run("A", trial("t1", True)), run("B", broken))
    assert "Passed 1/1 → – (0/1, 1 infra), total" in text
    assert "\x1b" not in text


def test_two_solvers_have_a_section_each_and_p_values_corrected_for_two() -> None:
    trials = [trial(f"t{i}", False, solver=s) for i in range(6) for s in "xy"]
    better = [trial(f"t{i}", True, solver=s) for i in range(6) for s in "xy"]
    text = shown(run("A", *trials, solvers=("x", "y")), run("B", *better, solvers=("x", "y")))
    assert "## x" in text
    assert "## y" in text
    assert "p = 0.0312, 0.0625 after Holm's correction for 2 comparisons" in text


@pytest.mark.parametrize("count", [0, 1, 3])
def test_any_other_number_than_two_runs_is_refused(count: int) -> None:
    records = [run(str(i), trial("t1", True)) for i in range(count)]
    with pytest.raises(ConfigError) as caught:
        list(CompareReporter().report(records))
    assert caught.value.problem == (f"the reporter “compare” takes exactly two runs, not {count}")


def data(before: RunRecord, after: RunRecord) -> dict[str, Any]:
    *_, document = CompareReporter(resamples=200).report([before, after])
    found: dict[str, Any] = json.loads(document.body)
    return found


def test_the_json_lists_flips_and_says_whether_it_is_a_regression() -> None:
    found = data(run("A", trial("t1", True)), run("B", trial("t1", False)))
    assert found["regression"] is True
    assert found["flips"] == [
        {
            "solver": "x",
            "kind": "resolved-lost",
            "subject": "t1",
            "before": "pass",
            "after": "FAIL",
            "worse": True,
        }
    ]


def test_the_same_run_twice_is_no_regression_and_no_flip() -> None:
    before, _ = two_runs()
    found = data(before, evolve(before, label="again"))
    assert (found["regression"], found["flips"]) == (False, [])


def test_a_long_list_of_flips_is_cut_and_counted() -> None:
    before = run("A", *(trial(f"t{i}", True) for i in range(9)))
    after = run("B", *(trial(f"t{i}", False) for i in range(9)))
    assert "- … and 7 more" in shown(before, after, max_rows=2)


def test_a_solver_of_one_run_only_is_named() -> None:
    before = run("A", trial("t1", True), trial("t1", True, solver="old"), solvers=("x", "old"))
    text = shown(before, run("B", trial("t1", True)))
    assert "In one run only, not compared: old (A)." in text


def test_metered_dollars_are_summed_and_told_ones_named() -> None:
    metered = (Usage(cost_usd=1.5, cost_source=CostSource.METERED),)
    record = run("A", trial("t1", True, cost_usd=1.0, metered=metered))
    assert "total cost 1.50 (metered, told 1.00 (-0.50)) → 1.50" in shown(record, record)


def test_flags_and_power_and_repeats_are_shown() -> None:
    before, after = two_runs()
    (document, _) = CompareReporter(flags={"add": "odd\x1b | one"}).report([before, after])
    text = document.body.decode()
    (row,) = (line for line in text.splitlines() if line.startswith("| add "))
    assert "| odd␛ \\| one " in row
    assert "takes about" in text
    assert "Repeats:" not in text
    assert "| Flag " not in next(iter(CompareReporter().report([before, after]))).body.decode()
    twice = [
        evolve(run, rollouts=2, trials=(*run.trials, *(evolve(t, rollout=2) for t in run.trials)))
        for run in (before, after)
    ]
    shown = next(iter(CompareReporter().report(twice))).body.decode()
    assert "- share resolved: median 50% (50% to 50%, 2 repeats) → median 100% (100% to" in shown
