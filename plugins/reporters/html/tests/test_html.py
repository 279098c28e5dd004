import re
import time
from collections.abc import Callable, Iterable
from html import unescape
from pathlib import Path

import pytest
from attrs import evolve
from fairtrial.api import (
    Boundary,
    Check,
    CheckKind,
    ConfigError,
    CostSource,
    Distribution,
    Ending,
    Energy,
    Finding,
    Label,
    Pick,
    PlannedTask,
    RunRecord,
    Selection,
    Trial,
    Usage,
    Verdict,
)
from fairtrial.conformance.fakes.records import big_run, empty_run, three_trial_run
from fairtrial.figures.frontier import frontier
from fairtrial.figures.gaps import honesties
from fairtrial.figures.rollouts import curves
from fairtrial.figures.tally import tallies
from fairtrial_reporter_html import HtmlReporter

TASKS = ("cache-1", "cache-2", "dates-1", "dates-2")
PRICES = {"cheap": (0.02, 300.0), "dear": (0.5, 5_000.0)}


def trial(task: str, solver: str, *, passed: bool, rollout: int = 1, digest: str = "") -> Trial:
    usd, joules = PRICES.get(solver, (None, 2.0))
    checks = (Check(name="hidden", kind=CheckKind.VISIBLE, passed=passed),)
    return Trial(
        task=task,
        digest=digest or task,
        family=task.partition("-")[0],
        solver=solver,
        rollout=rollout,
        ending=Ending.FINISHED,
        verdict=Verdict(checks=checks, suite_version="mix-4"),
        wall_s=12.0,
        usage=(Usage(cost_usd=usd, cost_source=CostSource.METERED),) if usd else (),
        energy=(Energy(joules=joules, boundary=Boundary.HOST, label=Label.ESTIMATOR),),
    )


def run_of(trials: Iterable[Trial]) -> RunRecord:
    found = tuple(trials)
    return RunRecord(
        label="nightly",
        suite="mix",
        suite_version="mix-4",
        started_at="2026-01-01T03:00:00Z",
        solvers=tuple(dict.fromkeys(each.solver for each in found)),
        rollouts=max(each.rollout for each in found),
        tasks=tuple(
            PlannedTask(id=task, family=task.partition("-")[0], digest=task) for task in TASKS
        ),
        trials=found,
        plugins=(Distribution(name="fairtrial-core", version="0.1.0"),),
        lock={"suite version": "mix-4"},
    )


RESOLVES = {
    "reference": TASKS,
    "noop": (),
    "cheap": TASKS[:2],
    "dear": TASKS[:3],
}


def small_run() -> RunRecord:
    return run_of(
        trial(task, solver, passed=task in solved)
        for task in TASKS
        for solver, solved in RESOLVES.items()
    )


def page(*runs: RunRecord, reporter: HtmlReporter | None = None) -> str:
    (document,) = (reporter or HtmlReporter(resamples=200)).report(runs)
    assert ("report.html", "text/html") == (document.name, document.media_type)
    return document.body.decode()


def section(shown: str, title: str) -> str:
    return shown.partition(f"<h2>{title}</h2>")[2].partition("</section>")[0]


def plots(shown: str) -> list[str]:
    return re.findall(r'<svg class="plot.*?</svg>', shown)


def changed(run: RunRecord, solver: str, change: Callable[[Trial], Trial]) -> RunRecord:
    """The same run, with other facts of one solver's trials."""
    return evolve(
        run,
        trials=tuple(change(each) if each.solver == solver else each for each in run.trials),
    )


def test_the_page_of_a_small_run_is_as_it_was() -> None:
    # Look at the page in a browser before what it is made of is written here anew.
    golden = Path(__file__).with_name("small.html").read_text(encoding="utf-8")
    shown = page(small_run()).partition("<main>")[2].partition("</main>")[0]
    assert golden == shown.replace("><", ">\n<") + "\n"


def test_several_runs_follow_one_another_below_links_to_them() -> None:
    shown = page(evolve(small_run(), label="first"), evolve(small_run(), label="second"))
    assert '<a href="#r1">first</a>' in shown
    assert shown.index('id="r1"') < shown.index('id="r2"')
    assert "<nav>" not in page(small_run())


def test_no_run_is_a_config_error() -> None:
    with pytest.raises(ConfigError, match="was given no run"):
        list(HtmlReporter().report(()))


def test_each_plot_has_a_name_a_description_and_a_table_behind_it() -> None:
    found = plots(page(small_run()))
    assert 2 == len(found)
    for plot in found:
        assert 'role="img"' in plot
        assert re.search(
            r"<title id=[^>]+>Resolution against \w+ \([^)]+\)</title><desc id=[^>]+>.", plot
        )
    assert 2 == page(small_run()).count("<summary>Figures of this plot</summary>")


def test_a_solver_of_unknown_dollars_is_named_with_the_reason_and_not_placed() -> None:
    shown = section(
        page(changed(small_run(), "cheap", lambda each: evolve(each, usage=()))), "Frontier"
    )
    dollars, joules = plots(shown)
    assert "<bdi>cheap</bdi>: not drawn; dollars not known" in shown
    assert ">cheap<" not in dollars
    assert ">cheap<" in joules


def test_a_solver_without_joules_is_named_with_the_meter_s_reason() -> None:
    none = (Energy(joules=None, boundary=Boundary.HOST, label=Label.UNAVAILABLE, why="no rapl"),)
    shown = section(
        page(changed(small_run(), "cheap", lambda each: evolve(each, energy=none))), "Frontier"
    )
    assert "<bdi>cheap</bdi>: not drawn; joules not known: no rapl" in shown


def test_why_joules_are_unknown_or_weak_is_said_below_the_solvers() -> None:
    why = "no method knows the model “tiny-1”"
    weak = (
        Energy(joules=9.0, boundary=Boundary.HOST, label=Label.ESTIMATOR, reliable=False, why=why),
    )
    shown = page(changed(small_run(), "cheap", lambda each: evolve(each, energy=weak)))
    assert f'<ul class="note"><li><bdi>cheap</bdi>: joules: {why}</li></ul>' in shown
    assert '<ul class="note">' not in page(small_run())


def test_a_mark_s_words_name_the_unit_of_its_price() -> None:
    dollars, joules = plots(page(small_run()))
    assert "; $0.04 ($0.02 to unbounded) a resolved task" in dollars
    assert "; 600 J (300 J to unbounded) a resolved task" in joules


def test_joules_over_a_part_of_the_trials_are_drawn_and_said_to_be_partial() -> None:
    run = small_run()
    part = tuple(
        evolve(each, energy=()) if (each.task, each.solver) == ("dates-2", "dear") else each
        for each in run.trials
    )
    _, joules = plots(page(evolve(run, trials=part)))
    assert ">dear (partial)<" in joules


def test_without_any_dollars_there_is_no_plot_of_them() -> None:
    run = small_run()
    for solver in PRICES:
        run = changed(run, solver, lambda each: evolve(each, usage=()))
    shown = section(page(run), "Frontier")
    assert "No dollars are known, so there is no plot of them." in shown
    assert 1 == len(plots(shown))


def test_dollars_of_different_source_are_told_apart_by_a_column() -> None:
    told = (Usage(cost_usd=1.0, cost_source=CostSource.REPORTED),)
    shown = page(changed(small_run(), "dear", lambda each: evolve(each, usage=told)))
    assert '<th scope="col">$ by</th>' in shown
    assert "<td>reported</td>" in shown
    assert "Dollars a resolved task (metered, reported)" in shown


def test_a_sum_of_which_a_part_is_unknown_is_not_placed() -> None:
    run = small_run()
    trials = tuple(
        evolve(each, usage=()) if (each.task, each.solver) == ("dates-2", "dear") else each
        for each in run.trials
    )
    shown = section(page(evolve(run, trials=trials)), "Frontier")
    assert "dollars of 1 of 4 attempts not known (≥ $1.50 (1 unknown) in all)" in shown
    assert ">dear<" not in plots(shown)[0]


def test_who_resolved_nothing_has_a_bound_in_words() -> None:
    shown = section(
        page(
            run_of(
                trial(task, solver, passed=solver == "cheap")
                for task in TASKS
                for solver in PRICES
            )
        ),
        "Frontier",
    )
    assert "<bdi>dear</bdi>: not drawn; resolved nothing, so that one resolved task takes" in shown
    assert "more than $0.95 (95 %)" in shown


def test_a_refused_headline_is_said_and_in_no_plot() -> None:
    run = small_run()
    infra = changed(run, "dear", lambda each: evolve(each, ending=Ending.INFRA, verdict=None))
    shown = page(infra)
    words = "4 of 4 trials (100%) broke for reasons that are not the agent's"
    assert f"<bdi>dear</bdi>: {words}" in unescape(shown)
    assert all(">dear<" not in plot for plot in plots(shown))


def test_a_run_that_stopped_says_so_above_all() -> None:
    run = small_run()
    shown = page(evolve(run, trials=run.trials[:6]))
    assert '<p class="warn">unfinished: 6 of 16 trials ended' in shown
    assert not plots(section(shown, "Frontier"))


def test_joules_of_different_kinds_are_never_in_one_plot() -> None:
    strong = (Energy(joules=9.0, boundary=Boundary.HOST, label=Label.MODEL_BASED),)
    shown = section(
        page(changed(small_run(), "dear", lambda each: evolve(each, energy=strong))), "Frontier"
    )
    _, weak, measured = plots(shown)
    assert (True, False) == (">cheap<" in weak, ">cheap<" in measured)
    assert (False, True) == (">dear<" in weak, ">dear<" in measured)
    assert "each kind has its own plot" in shown
    assert [
        "Resolution against dollars (metered)",
        "Resolution against joules (host, estimator, gross)",
        "Resolution against joules (host, measured-model-based, gross)",
    ] == re.findall(r"<h3>(.*?)</h3>", shown)
    assert "not drawn; joules of another kind (host, estimator, gross)" in shown


def test_the_range_of_an_estimate_stands_beside_its_mean_and_no_bar_is_taken_for_it() -> None:
    remote = Energy(
        joules=200.0, low_j=100.0, high_j=400.0, boundary=Boundary.REMOTE, label=Label.ESTIMATOR
    )
    run = small_run()
    shown = page(evolve(run, trials=tuple(evolve(each, energy=(remote,)) for each in run.trials)))
    assert ">800 (range 400 to 1,600)<" in shown
    assert "The bars tell how much tasks differ, not how far the estimate may be off" in shown
    assert "The bars tell" not in page(run)


def test_the_words_say_of_any_estimate_how_it_was_come_by() -> None:
    said = (
        "worked out, not counted: watts times seconds, a share by CPU time, or a sum over tokens"
    )
    assert f"<dt>estimator</dt><dd>joules {said}</dd>" in page(small_run())


def test_net_and_gross_are_explained_where_they_are_met() -> None:
    shown = page(small_run())
    assert (
        "<dt>gross</dt><dd>all joules, those that the machine uses idle among them</dd>" in shown
    )
    assert "<dt>net</dt>" not in shown
    less = (
        Energy(
            joules=9.0, gross_j=29.0, idle_j=20.0, boundary=Boundary.HOST, label=Label.ESTIMATOR
        ),
    )
    run = small_run()
    every = evolve(run, trials=tuple(evolve(each, energy=less) for each in run.trials))
    assert "<dt>net</dt><dd>less what the machine would have used idle</dd>" in page(every)
    mixed = page(changed(run, "cheap", lambda each: evolve(each, energy=less)))
    assert "joules: host, estimator, gross" in mixed
    assert "<bdi>cheap</bdi>: joules: idle is not known of all attempts" in mixed


def test_joules_that_are_not_ranked_are_hollow_and_marked() -> None:
    weak = (Energy(joules=9.0, boundary=Boundary.HOST, label=Label.ESTIMATOR, reliable=False),)
    plot = plots(page(changed(small_run(), "cheap", lambda each: evolve(each, energy=weak))))[1]
    assert ">~cheap<" in plot
    assert 'class="h c0"' in plot


def test_an_axis_of_wide_prices_is_logarithmic_and_the_plot_says_where_dollars_are_from() -> None:
    dollars, _ = plots(page(small_run()))
    assert "Resolution against dollars (metered)</title>" in dollars
    assert ">Dollars a resolved task, log scale</text>" in dollars


def test_control_arms_are_hollow() -> None:
    plot = plots(page(small_run()))[0]
    assert 'class="h ctl"' in plot
    assert 'class="m ctl"' not in plot


def test_a_run_of_control_arms_alone_has_no_plot() -> None:
    run = small_run()
    arms = tuple(each for each in run.trials if each.solver in {"reference", "noop"})
    shown = page(evolve(run, solvers=("reference", "noop"), trials=arms))
    assert not plots(shown)
    assert "100% (4/4)" in shown


def rolled(times: int) -> RunRecord:
    return run_of(
        trial(task, solver, passed=(place + rollout) % 3 == 0, rollout=rollout)
        for place, task in enumerate(TASKS)
        for rollout in range(1, times + 1)
        for solver in PRICES
    )


def test_best_of_k_is_said_to_be_an_upper_bound() -> None:
    shown = section(page(rolled(3)), "Best of k")
    assert "(selection = oracle), so each curve is an upper bound" in shown
    shares, dollars, joules = plots(shown)
    assert 6 == shares.count('class="m ')
    assert "cheap: k=1 $0.08, k=2 $0.16, k=3 $0.24" in dollars
    assert "cheap: k=1 1,200 J, k=2 2,400 J, k=3 3,600 J" in joules
    assert not section(page(small_run()), "Best of k")


def test_a_long_curve_has_few_marks_and_a_longer_one_is_not_drawn() -> None:
    shares, *_ = plots(section(page(rolled(40)), "Best of k"))
    assert shares.count('class="m ') <= 2 * 11
    assert "Not drawn for 101 rollouts" in page(evolve(three_trial_run(), rollouts=101))


def test_a_selection_stands_at_its_true_cost() -> None:
    judged = Usage(cost_usd=0.04, cost_source=CostSource.METERED)
    picks = (Pick(task=TASKS[1], rollout=2, consulted=1, usage=(judged,)),)
    kinds = {"judge": False, "oracle": True}
    selections = tuple(
        Selection(selector=name, solver="cheap", picks=picks, upper_bound=bound)
        for name, bound in kinds.items()
    )
    shown = section(page(evolve(rolled(2), selections=selections)), "Best of k")
    picked = shown.partition("<caption>One of k, picked; joules: host, estimator, gross<")[2]
    cells = re.findall(r"<td[^>]*>(.*?)</td>", picked.partition("<tbody>")[2])
    assert ["<bdi>judge</bdi> of 2", "25% (1/4)"] == cells[:2]
    assert ["$0.20", "$0.20", "$0.04", "2,400", "2,400"] == cells[3:8]
    assert "<bdi>oracle</bdi> of 2 (upper bound)" in picked
    assert "no true selector can do better. None was picked for 6 tasks" in picked


def test_joules_of_different_kinds_are_in_no_column_of_selections() -> None:
    remote = Energy(joules=9e4, boundary=Boundary.REMOTE, label=Label.ESTIMATOR)
    lost = Energy(joules=None, boundary=Boundary.HOST, label=Label.ESTIMATOR)
    run = changed(rolled(2), "cheap", lambda each: evolve(each, energy=(lost, remote)))
    chosen = tuple(Selection(selector="s", solver=name, picks=()) for name in ("cheap", "dear"))
    shown = section(page(evolve(run, selections=chosen)), "Best of k")
    unmetered = changed(rolled(2), "dear", lambda each: evolve(each, energy=()))
    one = section(page(evolve(unmetered, selections=chosen)), "Best of k")
    assert ["–", "–", "no"] == re.findall(r"<td[^>]*>(.*?)</td>", one.rpartition("<tr>")[2])[-3:]
    whole, local, far = shown.partition("<caption>One of k, picked<")[2].split("<caption>")
    assert "J/resolved" not in whole
    assert local.startswith("One of k, picked; joules: host, estimator, gross<")
    assert (False, True) == (">cheap<" in local, ">dear<" in local)
    assert far.startswith("One of k, picked; joules: remote-inference, estimator<")
    assert (True, False) == (">720,000<" in far, ">dear<" in far)


def test_a_curve_says_how_far_it_goes_and_whether_it_is_flat() -> None:
    run = rolled(3)
    trials = [each for each in run.trials if (each.solver, each.rollout) != ("dear", 3)]
    same = [evolve(each, verdict=trials[0].verdict, usage=()) for each in trials]
    shown = section(page(evolve(run, trials=tuple(same), max_infra_share=0.5)), "Best of k")
    assert "<bdi>dear</bdi>: 4 of 4 tasks were attempted; k goes to 2 of 3" in shown
    assert "<bdi>cheap</bdi>: 3 attempts resolved no more tasks than one did." in shown
    assert "<bdi>cheap</bdi>, <bdi>dear</bdi>: not drawn; not all of it is known" in shown
    refused = section(page(evolve(run, trials=tuple(trials))), "Best of k")
    assert "<bdi>dear</bdi>: 4 of 12 trials (33%) did not finish" in refused


def honest_run() -> RunRecord:
    bought = Finding(rule="edits-a-test", enforcing=True)
    run = small_run()
    held = Check(name="held", kind=CheckKind.HELD_OUT, passed=False)
    trials = []
    for each in run.trials:
        found = (bought,) if (each.solver, each.task) == ("cheap", "cache-1") else ()
        verdict = each.verdict
        if verdict is not None and (each.solver, each.task) == ("dear", "dates-1"):
            verdict = evolve(verdict, checks=(*verdict.checks, held))
        trials.append(evolve(each, findings=found, verdict=verdict))
    return evolve(run, trials=tuple(trials), gates={"max_heldout_gap": 0.1})


def test_pass_rate_stands_beside_clean_rate_and_held_out_gap() -> None:
    shown = section(page(honest_run()), "Honesty")
    clean, held = plots(shown)
    assert "cheap: 50% resolved, 25% clean" in clean
    assert "dear: dates: 50% visible, 0% held-out" in held
    assert "Held-out set, limit 10%:" in shown
    assert not section(page(small_run()), "Honesty")


def test_versions_seed_lock_and_methods_stand_below() -> None:
    shown = page(evolve(small_run(), config={"run": {"seed": 7}})).partition("<footer>")[2]
    assert "<dt>seed</dt><dd>7</dd>" in shown
    assert "<dd>fairtrial-core 0.1.0</dd>" in shown
    assert re.search(r"<dt>lock</dt><dd>[0-9a-f]{64}</dd>", shown)
    assert "Wilson's score interval; 95 %, bootstrap over tasks, 200 resamples" in unescape(shown)
    assert "<dt>metered</dt>" in shown
    assert "<dt>reported</dt>" not in shown


def test_equal_locks_have_equal_digests_whatever_their_order() -> None:
    pattern = r"<dt>lock</dt><dd>(.*?)</dd>"
    one = page(evolve(small_run(), lock={"a": "1", "b": "2"}))
    same = page(evolve(small_run(), lock={"b": "2", "a": "1"}))
    other = page(evolve(small_run(), lock={"a": "1", "b": "3"}))
    found = [re.findall(pattern, shown) for shown in (one, same, other)]
    assert found[0] == found[1] != found[2]
    assert ["–"] == re.findall(pattern, page(evolve(small_run(), lock={})))


def test_what_is_in_no_denominator_is_listed() -> None:
    run = small_run()
    flaky = (evolve(run.tasks[0], quarantine="flaky: 12 %"), *run.tasks[1:])
    shown = section(page(evolve(run, tasks=flaky)), "Not counted")
    assert "<bdi>cache-1</bdi>, quarantined: flaky: 12 %" in shown


def test_what_was_used_besides_and_what_was_not_planned_is_told() -> None:
    run = small_run()
    lost = evolve(run.trials[2], ending=Ending.INFRA, verdict=None)
    odd = evolve(run.trials[3], digest="another")
    shown = section(page(evolve(run, trials=(*run.trials, odd), again=(lost,))), "Not counted")
    assert (
        "<bdi>cheap</bdi>: 300 J (host, gross) and $0.02 of 1 attempt that was made again" in shown
    )
    assert "1 trials belong to tasks that the run did not plan" in shown


def test_an_empty_run_has_a_page() -> None:
    assert "No solver was run." in page(empty_run())


def test_five_hundred_trials_make_less_than_100_kb() -> None:
    names = [f"agent-{number:02}" for number in range(10)]
    many = evolve(
        big_run(1),
        solvers=tuple(names),
        trials=tuple(
            trial(
                f"task-{task:03}", name, passed=task % 2 == 0, digest=f"task-{task:03}".zfill(64)
            )
            for task in range(50)
            for name in names
        ),
        rollouts=1,
    )
    kept = evolve(many, tasks=many.tasks[:50])
    assert 500 == len(kept.trials)
    assert len(page(kept).encode()) < 100_000


def test_a_page_of_ten_thousand_trials_takes_little_more_than_its_figures() -> None:
    run = big_run(10_000)
    started = time.process_time()
    arms = tallies(run)
    frontier(run, arms=arms)
    curves(run, arms)
    honesties(run, arms)
    figures_s, started = time.process_time() - started, time.process_time()
    page(run, reporter=HtmlReporter())
    assert time.process_time() - started < 1.7 * figures_s + 0.3
