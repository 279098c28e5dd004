import pytest
from attrs import evolve
from fairtrial.api import (
    Boundary,
    Check,
    CheckKind,
    ConfigError,
    CostSource,
    Energy,
    Finding,
    Label,
    Pick,
    RunRecord,
    Selection,
    Usage,
    Verdict,
)
from fairtrial.conformance.fakes.records import (
    big_run,
    empty_run,
    silent_run,
    three_trial_run,
    two_runs,
)
from fairtrial_reporter_table import TableReporter


def text(*runs: RunRecord, reporter: TableReporter | None = None) -> str:
    (document,) = (reporter or TableReporter(resamples=200)).report(runs)
    return document.body.decode()


def row(shown: str, name: str) -> list[str]:
    line = next(line for line in shown.splitlines() if line.startswith(f"| {name}"))
    return [cell.strip() for cell in line.strip("|").split(" | ")]


def calm(run: RunRecord) -> RunRecord:
    """The same run, with a headline although a third of it broke."""
    return evolve(run, max_infra_share=0.5)


def test_a_solver_s_row_shows_what_it_resolved_and_what_that_took() -> None:
    shown = text(calm(three_trial_run()))
    assert row(shown, "cheap") == [
        "cheap",
        "33% (1/3)",
        "6% to 79%",
        "1 infra",
        "21.0 (10.0 to unbounded)",
        "21.0 (range 10.0 to 80.0)",
        "0.03 (0.01 to unbounded)",
        "0.03",
        "1.50s",
        "J $",
    ]
    assert "joules: host, estimator, gross; dollars: priced" in shown


def test_a_median_wall_too_short_to_be_counted_is_not_nothing() -> None:
    run = calm(three_trial_run())
    short = evolve(run, trials=tuple(evolve(each, wall_s=0.0) for each in run.trials))
    assert "<0.0001s" == row(text(short), "cheap")[-2]


def test_every_table_is_aligned() -> None:
    shown = text(big_run(800))
    blocks = shown.split("\n\n")
    for block in blocks:
        lines = [line for line in block.splitlines() if line.startswith("|")]
        assert len({len(line) for line in lines}) <= 1


def test_a_refused_headline_is_a_dash_with_the_reason_in_words() -> None:
    shown = text(three_trial_run())
    assert row(shown, "cheap")[1:3] == ["– (1/3)", "–"]
    assert "cheap: 1 of 3 trials (33%) broke for reasons that are not the agent's" in shown


def stopped() -> RunRecord:
    """Three rollouts planned, of which the first was worked off when the user stopped the run."""
    run = three_trial_run("my run")
    controls = [evolve(trial, solver="noop") for trial in run.trials[:2]]
    return evolve(run, solvers=("noop", "cheap"), rollouts=3, trials=(*run.trials, *controls))


def test_the_first_lines_of_an_unfinished_run_say_so_and_how_to_go_on() -> None:
    title, _, first, *_ = text(stopped()).splitlines()
    assert "# my run" == title
    assert first.startswith("unfinished: 5 of 18 trials ended, the others were interrupted or")
    assert first.endswith("--label 'my run' --resume")
    assert "unfinished" not in text(calm(three_trial_run())).partition("| Solver")[0]


def test_an_unfinished_run_has_no_share_no_interval_and_no_front() -> None:
    shown = text(stopped())
    assert ["– (1/9)", "–", "1 infra, 6 unfinished"] == row(shown, "cheap")[1:4]
    assert "–" == row(shown, "cheap")[-1]
    assert "cheap: 7 of 9 trials (78%) say nothing of the agent: 1 broke for reasons" in shown
    assert "–" == row(shown.split("## Honesty")[1], "cheap")[5]


def test_best_of_k_holds_the_attempts_that_were_made_and_no_control_arm() -> None:
    curves = text(stopped()).split("## Best of k")[1].split("\n## ")[0]
    assert ["### cheap"] == [line for line in curves.splitlines() if line.startswith("###")]
    assert ["1", "– (1/2)", "–"] == row(curves, "  1")[:3]
    assert "|   2" not in curves
    assert "Tasks attempted: 2 of 3; k goes to 1 of 3" in curves


def test_there_is_no_best_of_k_where_nothing_was_attempted() -> None:
    assert "## Best of k" not in text(evolve(stopped(), trials=()))


def test_what_attempts_used_that_are_in_no_sum_is_said() -> None:
    run = three_trial_run()
    shown = text(evolve(run, again=(evolve(run.trials[2], task="add"),))).split("## Not counted")[
        1
    ]
    assert "Used besides, and in no sum above:" in shown
    used = "- cheap: 12.0 J (range 5.00 to 40.0) (host, gross) and $0.03 of 1 attempt that"
    assert f"{used} was made again" in shown
    assert f"{used} broke for a reason of ours" in shown


def test_invalid_and_quarantined_tasks_are_listed_with_their_reasons() -> None:
    run = three_trial_run()
    tasks = (
        evolve(run.tasks[0], invalid="passes before the fix"),
        evolve(run.tasks[1], quarantine="flaky: 3 of 10"),
        run.tasks[2],
    )
    shown = text(evolve(run, tasks=tasks))
    assert row(shown.split("## Not counted")[1], "add") == [
        "add",
        "invalid",
        "passes before the fix",
    ]
    assert row(shown.split("## Not counted")[1], "length")[1] == "quarantined"
    assert "three three-1: 1 task\n" in shown


def test_a_run_without_figures_shows_dashes_and_never_zero() -> None:
    shown = text(silent_run())
    assert row(shown, "cheap")[4:8] == ["–", "–", "–", "–"]
    assert "`–`: not measured, not known or not defined; never zero." in shown


def test_an_empty_run_says_that_no_solver_was_run() -> None:
    assert "no solver was run" in text(empty_run())


def energies(run: RunRecord, *parts: Energy) -> RunRecord:
    return calm(evolve(run, trials=tuple(evolve(trial, energy=parts) for trial in run.trials)))


def test_joules_below_the_floor_are_marked() -> None:
    joules = Energy(
        joules=5.0, boundary=Boundary.HOST, label=Label.ESTIMATOR, reliable=False, why="too short"
    )
    shown = text(energies(three_trial_run(), joules))
    assert row(shown, "cheap")[4].startswith("~10.0")
    assert (
        "`~`: joules below the meter's floor, in the noise of idle, summed of unlike ones, or flagged; not ranked."
        in shown
    )
    assert "cheap, joules: too short" in shown


def test_what_an_estimate_and_a_front_are_is_said_where_one_is_shown() -> None:
    estimate = "- estimator: joules worked out, not counted: watts times seconds,"
    front = "- Front: the axes on which no other solver is at least as good in both respects"
    counted = energies(three_trial_run(), LOCAL)
    guessed = energies(three_trial_run(), evolve(LOCAL, label=Label.ESTIMATOR))
    unpriced = evolve(guessed, trials=tuple(evolve(trial, usage=()) for trial in guessed.trials))
    unranked = evolve(unpriced, max_infra_share=0.0)

    runs = (counted, guessed, unpriced, unranked)
    assert [(False, True), (True, True), (True, True), (True, False)] == [
        (estimate in text(run), front in text(run)) for run in runs
    ]
    unknown = energies(three_trial_run(), evolve(LOCAL, joules=None, label=Label.ESTIMATOR))
    assert estimate not in text(unknown)


def test_what_is_said_of_the_joules_of_several_solvers_is_told_together() -> None:
    def joules(why: str) -> Energy:
        return Energy(joules=5.0, boundary=Boundary.HOST, label=Label.ESTIMATOR, why=why)

    run = energies(three_trial_run(), joules("no memory"))
    both = (joules("no memory; too short"),)
    others = [evolve(trial, solver="other", energy=both) for trial in run.trials]
    run = evolve(run, trials=(*run.trials, *others), solvers=(*run.solvers, "other"))
    notes = text(calm(run)).partition("## Notes")[2]
    assert "- cheap, other, joules: no memory\n- other, joules: too short\n" in notes


def test_joules_of_different_kinds_get_a_table_each_and_the_reason() -> None:
    local = Energy(joules=5.0, boundary=Boundary.HOST, label=Label.HARDWARE_SHUNT)
    remote = Energy(joules=900.0, boundary=Boundary.REMOTE, label=Label.ESTIMATOR)
    shown = text(energies(three_trial_run(), local, remote))
    assert "### Joules: host, measured-hardware-shunt, gross" in shown
    assert "### Joules: remote-inference, estimator" in shown
    assert "can't be ranked together" in shown
    assert "J/resolved" not in shown.split("###")[0]


def net(run: RunRecord, place: int) -> RunRecord:
    """The same run, with idle known of one trial."""
    trials = list(run.trials)
    (joules,) = trials[place].energy
    known = evolve(joules, joules=4.0, gross_j=10.0, idle_j=6.0)
    trials[place] = evolve(trials[place], energy=(known,))
    return evolve(run, trials=tuple(trials))


def test_joules_are_gross_where_idle_is_known_of_some_only_and_the_notes_say_so() -> None:
    run = net(calm(three_trial_run()), 0)
    shown = text(run)
    assert "21.0 (range 10.0 to 80.0)" == row(shown, "cheap")[5]
    assert "joules: host, estimator, gross" in shown
    assert "- cheap, joules: idle is not known of all attempts, so that it is taken off" in shown
    shown = text(net(run, 1))
    assert "8.00 (range 10.0 to 80.0)" == row(shown, "cheap")[5]
    assert "joules: host, estimator, net" in shown
    assert "idle is not known" not in shown


def test_the_range_of_a_remote_estimate_is_shown_and_told_from_the_interval() -> None:
    remote = Energy(
        joules=200.0, low_j=100.0, high_j=400.0, boundary=Boundary.REMOTE, label=Label.ESTIMATOR
    )
    shown = text(energies(three_trial_run(), remote))
    assert "400 (range 200 to 800)" == row(shown, "cheap")[5]
    assert "- range: from the lowest to the highest method of an estimate" in shown
    assert "range:" not in text(energies(three_trial_run(), evolve(remote, low_j=None)))


def test_net_joules_in_the_noise_of_idle_are_marked_and_on_no_front() -> None:
    joules = Energy(
        joules=0.9,
        gross_j=11.9,
        idle_j=11.0,
        uncertainty_j=0.5,
        significant=False,
        boundary=Boundary.HOST,
        label=Label.MODEL_BASED,
    )
    shown = text(energies(three_trial_run(), joules))
    assert ["~1.80", "$"] == [row(shown, "cheap")[place] for place in (5, -1)]
    assert "cheap, joules: net of idle they are not above twice their uncertainty" in shown


def test_nothing_resolved_shows_the_lower_bound() -> None:
    run = calm(three_trial_run())
    failed = run.trials[1].verdict
    trials = tuple(evolve(trial, verdict=trial.verdict and failed) for trial in run.trials)
    shown = text(evolve(run, trials=trials))
    assert row(shown, "cheap")[4].startswith("– (> ")
    assert "nothing was resolved; the 95 % lower bound" in shown


def test_metered_dollars_stand_before_told_ones() -> None:
    run = calm(three_trial_run())
    metered = (Usage(cost_usd=1.0, cost_source=CostSource.METERED),)
    trials = tuple(evolve(trial, metered=metered) for trial in run.trials)
    shown = text(evolve(run, trials=trials))
    assert row(shown, "cheap")[7] == "2.00"
    assert "dollars: metered 2.00, told 0.03 (-1.97)" in shown
    assert "what the agent told of itself stands beside" in shown


def test_dollars_of_which_some_are_unknown_are_a_lower_bound() -> None:
    run = calm(three_trial_run())
    trials = (run.trials[0], evolve(run.trials[1], usage=()), run.trials[2])
    shown = text(evolve(run, trials=trials))
    assert row(shown, "cheap")[6:8] == ["–", "≥ 0.01 (1 unknown)"]


def test_several_rollouts_get_their_curves_and_a_flat_one_is_named() -> None:
    run = three_trial_run()
    again = tuple(evolve(trial, rollout=2) for trial in run.trials)
    shown = text(calm(evolve(run, rollouts=2, trials=(*run.trials, *again))))
    assert "selection = oracle" in shown
    curve = shown.split("## Best of k")[1]
    assert row(curve, "  2")[1] == "50% (1/2)"
    assert [
        ["0.03", "0.03", "21.0 (range 10.0 to 80.0) host", "21.0 host"],
        ["0.06", "0.05", "42.0 (range 20.0 to 160) host", "32.0 host"],
    ] == [row(curve, f"  {k}")[3:] for k in (1, 2)]
    assert "\njoules: host, estimator, gross\n" in curve
    assert "Tasks attempted: 2 of 3; k goes to 2 of 2, as far as there are attempts" in shown
    assert "Flat: 2 rollouts resolved no more tasks than one (1/2)." in shown


def test_one_rollout_has_no_curve() -> None:
    assert "Best of k" not in text(three_trial_run())


def test_hacked_results_and_held_out_gaps_are_shown() -> None:
    run = calm(three_trial_run())
    first = run.trials[0]
    checks = (
        Check(name="v", kind=CheckKind.VISIBLE, passed=True),
        Check(name="h", kind=CheckKind.HELD_OUT, passed=False),
    )
    hacked = evolve(
        first,
        findings=(Finding(rule="weakened-test", enforcing=True),),
        verdict=Verdict(checks=checks, suite_version="1"),
    )
    shown = text(evolve(run, trials=(hacked, *run.trials[1:])))
    assert row(shown.split("## Honesty")[1], "cheap") == [
        "cheap",
        "1/3",
        "0",
        "1",
        "0",
        "0%",
        "33%",
        "100% (add)",
    ]
    limited = text(evolve(run, trials=(hacked, *run.trials[1:]), gates={"max_heldout_gap": 0.25}))
    gap = ["**cheap**", "**add**", "**100%**", "**0%**", "**100%**"]
    assert gap == row(limited.split("Held-out set")[1], "**cheap**")
    assert "Held-out set, limit 25%, without a gap: 1:" in limited
    allowed = text(evolve(run, trials=(hacked, *run.trials[1:]), gates={"max_heldout_gap": 1.0}))
    assert "**cheap**" not in allowed


def test_a_broken_suite_is_said_at_the_top() -> None:
    run = three_trial_run()
    trials = tuple(evolve(trial, solver="reference") for trial in run.trials)
    shown = text(evolve(run, solvers=("reference",), trials=trials))
    assert "the suite is broken: control arms are not at 100 % and 0 % on length" in shown


def test_whether_an_answer_could_be_fetched_is_said_at_the_top() -> None:
    run = calm(three_trial_run())
    fenced = [evolve(trial, enforced={"network": "model-only"}) for trial in run.trials]
    held = "no answer could be fetched: the network was fenced on 2 of 2 attempts"
    assert held in text(evolve(run, trials=tuple(fenced))).partition("| Solver")[0]
    open_ = evolve(fenced[0], enforced={"network": "open"})
    shown = text(evolve(run, trials=(open_, *fenced[1:])))
    assert "\nanswers could be fetched: the network was fenced on 1 of 2 attempts\n" in shown


def test_sections_can_be_chosen_and_an_unknown_one_is_refused() -> None:
    shown = text(three_trial_run(), reporter=TableReporter(sections=("failures",)))
    assert "Why it failed" in shown
    assert "J/resolved" not in shown
    with pytest.raises(ValueError, match="in"):
        TableReporter(sections=("nonsense",))


def test_several_runs_stand_one_after_the_other() -> None:
    shown = text(*two_runs())
    assert shown.index("# before") < shown.index("# after")


def test_no_run_at_all_is_refused() -> None:
    with pytest.raises(ConfigError, match="was given no run"):
        list(TableReporter().report([]))


def test_trials_of_other_tasks_are_counted_nowhere_and_said() -> None:
    run = three_trial_run()
    stray = evolve(run.trials[0], digest="f" * 64)
    shown = text(evolve(run, trials=(*run.trials, stray)))
    assert "1 trials belong to tasks that the run did not plan" in shown


def test_dollars_of_different_source_are_told_apart_by_a_column() -> None:
    run = calm(three_trial_run())
    told = (Usage(cost_usd=1.0, cost_source=CostSource.REPORTED),)
    others = tuple(evolve(trial, solver="dear", usage=told) for trial in run.trials)
    shown = text(evolve(run, solvers=("cheap", "dear"), trials=(*run.trials, *others)))
    assert row(shown, "Solver")[8] == "$ by"
    assert (row(shown, "cheap")[8], row(shown, "dear")[8]) == ("priced", "reported")


def test_joules_that_some_trials_lack_are_partial() -> None:
    run = calm(three_trial_run())
    trials = (run.trials[0], evolve(run.trials[1], energy=()), run.trials[2])
    shown = text(evolve(run, trials=trials))
    assert row(shown, "cheap")[4:6] == ["10.0 partial", "≥ 10.0 (range 5.00 to 40.0) (1 unknown)"]
    assert "partial: over the trials whose joules are known only." in shown


def test_a_selection_is_shown_at_the_cost_of_all_attempts_and_of_the_picking() -> None:
    run = three_trial_run()
    trials = [trial for trial in run.trials if trial.solver == "cheap"]
    right = next(trial for trial in trials if trial.resolved)
    judged = Usage(model="j", cost_usd=0.02, cost_source=CostSource.REPORTED)
    picks = (Pick(task=right.task, rollout=right.rollout, consulted=1, usage=(judged,)),)
    run = evolve(
        calm(run),
        selections=(
            Selection(selector="judge", solver="cheap", picks=picks),
            Selection(selector="oracle", solver="cheap", upper_bound=True, picks=()),
        ),
    )
    shown = text(run).partition("## One of k, picked")[2]
    named = [line for line in shown.splitlines() if line.startswith("| cheap")]
    judge, oracle = ([part.strip() for part in line.strip("|").split(" | ")] for line in named[:2])
    assert ["judge of 1", "33% (1/3)"] == judge[1:3]
    assert ["0.05", "0.05", "0.02"] == judge[6:9]
    assert ["oracle of 1 (upper bound)", "0% (0/3)"] == oracle[1:3]
    assert ["none", "–"] == oracle[8:]
    assert "no true selector can do better" in shown
    assert "None was picked for 5 tasks" in shown


def picked(run: RunRecord) -> str:
    """What is said of picking, beside two solvers."""
    chosen = tuple(Selection(selector="s", solver=name, picks=()) for name in run.solvers)
    return text(evolve(calm(run), selections=chosen)).partition("## One of k, picked")[2]


def two_solvers(cheap: tuple[Energy, ...], dear: tuple[Energy, ...]) -> RunRecord:
    run = three_trial_run()
    trials = [evolve(trial, energy=cheap) for trial in run.trials]
    trials += [evolve(trial, solver="dear", energy=dear) for trial in run.trials]
    return evolve(run, solvers=("cheap", "dear"), trials=tuple(trials))


LOCAL = Energy(joules=5.9, boundary=Boundary.HOST, label=Label.MODEL_BASED)
REMOTE = Energy(joules=90_000.0, boundary=Boundary.REMOTE, label=Label.ESTIMATOR)


def test_joules_of_a_selection_say_what_they_are() -> None:
    shown = picked(two_solvers((LOCAL,), (LOCAL,)))
    assert ["–", "11.8"] == row(shown, "cheap")[4:6]
    assert "\njoules: host, measured-model-based, gross\n" in shown
    unmetered = picked(two_solvers((), ()))
    assert ["–", "–"] == row(unmetered, "cheap")[4:6]
    assert "joules:" not in unmetered


def test_joules_of_different_kinds_are_in_no_column_of_selections() -> None:
    lost = evolve(LOCAL, joules=None, why="the counter began anew")
    shown, *parts = picked(two_solvers((lost, REMOTE), (LOCAL, REMOTE))).split("### Joules: ")
    assert "J/resolved" not in shown
    assert "$/resolved" in shown
    local, remote = parts
    assert local.startswith("host, measured-model-based, gross\n")
    assert ("| cheap" in local, row(local, "dear")[2:]) == (False, ["0% (0/3)", "–", "11.8"])
    assert remote.startswith("remote-inference, estimator\n")
    assert ["cheap", "s of 1", "0% (0/3)", "–", "180,000"] == row(remote, "cheap")


def test_joules_of_different_labels_are_in_no_column_of_selections() -> None:
    guess = evolve(LOCAL, label=Label.ESTIMATOR)
    shown = picked(two_solvers((LOCAL,), (guess,)))
    assert ["host, measured-model-based, gross", "host, estimator, gross"] == [
        line.removeprefix("### Joules: ")
        for line in shown.partition("\n## ")[0].splitlines()
        if line.startswith("###")
    ]


def test_tokens_stand_beside_metered_and_told_dollars() -> None:
    run = calm(three_trial_run())
    told = Usage(input_uncached=1000, output=20, cost_usd=0.0011, cost_source=CostSource.REPORTED)
    other = evolve(told, model="other", cost_usd=None)
    metered = evolve(
        told, cache_write_5m=3, cache_write_1h=4, cost_usd=0.0012, cost_source=CostSource.METERED
    )
    first, second, broken = run.trials
    trials = (
        evolve(first, usage=(told,), metered=(metered,)),
        evolve(second, usage=(told, other), metered=(metered,)),
        broken,
    )
    shown = text(evolve(run, trials=trials)).partition("## Tokens and dollars")[2]
    cells = ["2,000", "–", "14", "40", "0.0024", "≥ 0.0022 (1 unknown)"]
    assert cells == row(shown, "cheap")[1:]


def test_where_no_token_is_known_there_is_no_table_of_them() -> None:
    run = calm(three_trial_run())
    trials = tuple(evolve(trial, usage=(Usage(cost_usd=1.0),)) for trial in run.trials)
    assert "Tokens and dollars" not in text(evolve(run, trials=trials))
