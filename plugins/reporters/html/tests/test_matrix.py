import re
from html import unescape

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
from fairtrial.conformance.fakes.records import big_run, empty_run, three_trial_run
from fairtrial.figures.tally import tallies
from fairtrial_reporter_html.matrix import matrix
from fairtrial_reporter_html.states import State, state_of


def shown(run: RunRecord, most: int = 100) -> str:
    return matrix(run, tallies(run), most)


def squares(text: str, task: str) -> list[str]:
    row = text.partition(f"<bdi>{task}</bdi>")[2].partition("</tr>")[0]
    return re.findall(r"<i [^>]*>(.*?)</i>", row)


def rows(text: str) -> list[str]:
    return re.findall(r'<th scope="row"[^>]*><bdi>(.*?)</bdi>', text)


def test_each_trial_is_a_square_with_a_letter_and_the_legend_says_what_it_means() -> None:
    text = shown(three_trial_run())
    assert [["✓"], ["×"], ["i"]] == [squares(text, task) for task in ("add", "length", "upper")]
    assert "broke for a reason that is not the agent&#x27;s" in text
    assert "timed out" not in text


def test_a_trial_s_ending_tells_how_it_failed() -> None:
    resolved, failed, _ = three_trial_run().trials
    endings = {
        Ending.FINISHED: State.FAILED,
        Ending.TIMED_OUT: State.TIMED_OUT,
        Ending.OVER_BUDGET: State.OVER_BUDGET,
        Ending.CRASHED: State.CRASHED,
    }
    assert list(endings.values()) == [
        state_of(evolve(failed, ending=ending), outcome=False) for ending in endings
    ]
    silent = {
        Ending.INFRA: State.INFRA,
        Ending.SKIPPED: State.SKIPPED,
        Ending.INTERRUPTED: State.UNFINISHED,
    }
    assert list(silent.values()) == [
        state_of(evolve(failed, ending=ending), outcome=None) for ending in silent
    ]
    assert State.UNJUDGED is state_of(failed, outcome=None)
    bought = evolve(resolved, findings=(Finding(rule="r", enforcing=True),))
    assert (State.RESOLVED, State.BOUGHT) == (
        state_of(resolved, outcome=True),
        state_of(bought, outcome=True),
    )


def titles(run: RunRecord) -> list[str]:
    return [unescape(title) for title in re.findall(r'title="(.*?)"', shown(run))]


def test_a_square_s_title_says_why_the_trial_is_not_resolved() -> None:
    assert [
        "resolved",
        "failed (hidden check failed)",
        "broke for a reason that is not the agent's (infra: the provider was away)",
    ] == titles(three_trial_run())


def test_a_reason_that_says_no_more_than_the_state_is_left_out() -> None:
    run = three_trial_run()
    late = evolve(
        run.trials[1],
        ending=Ending.TIMED_OUT,
        verdict=Verdict(
            checks=(
                Check(name="time", kind=CheckKind.VISIBLE, passed=False, code="timeout", why=""),
            ),
            suite_version="three-1",
        ),
    )
    assert "timed out" in titles(evolve(run, trials=(late,)))


def test_a_long_or_hostile_reason_is_cut_and_escaped() -> None:
    run = three_trial_run()
    note = '"><script>' + "x" * 500
    broken = evolve(run.trials[2], note=note)
    text = shown(evolve(run, trials=(broken,)))
    assert "<script" not in text
    said = f"infra: {note}"[:399] + "…"
    assert f"broke for a reason that is not the agent's ({said})" in titles(
        evolve(run, trials=(broken,))
    )


def test_what_a_failed_attempt_said_of_itself_stands_whole_in_the_title() -> None:
    run = three_trial_run()
    note = "exit status 2: sed: can't read <b>x</b>\x1b[31m" + "y" * 250
    text = shown(evolve(run, trials=(evolve(run.trials[1], note=note),)))
    assert "&lt;b&gt;x&lt;/b&gt;␛[31m" in text
    assert "<b>" not in text
    assert f"failed (hidden check failed; {note.replace(chr(27), '␛')})" in unescape(text)


def test_states_are_told_apart_without_their_colours() -> None:
    letters = [state.value.letter for state in State]
    assert len(letters) == len(set(letters))


def test_a_trial_that_is_still_to_come_is_not_a_failure() -> None:
    run = three_trial_run()
    text = shown(evolve(run, trials=run.trials[:1]))
    assert ["·"] == squares(text, "upper")


def test_rollouts_stand_in_their_order_and_are_counted_where_there_are_many() -> None:
    run = three_trial_run()
    again: list[Trial] = [evolve(run.trials[1], rollout=2), evolve(run.trials[0], rollout=3)]
    first = evolve(again[1], task="length", digest=run.trials[1].digest, rollout=3)
    text = shown(evolve(run, rollouts=3, trials=(first, *again[:1], *run.trials)))
    assert ["×", "×", "✓"] == squares(text, "length")
    assert 'title="1 resolved, 2 failed (hidden check failed)"' in text
    counted = shown(big_run(10_000))
    assert 2 * 2 == len(squares(counted, "task-000"))
    assert all(re.fullmatch(r"\d+[✓×]", square) for square in squares(counted, "task-000"))


def test_families_stand_together_those_solved_most_first() -> None:
    run = three_trial_run()
    planned = [("b-1", "b"), ("a-1", "a"), ("b-2", "b"), ("a-2", "a")]
    tasks = tuple(PlannedTask(id=task, family=family, digest=task) for task, family in planned)
    trials = tuple(
        evolve(
            run.trials[0 if task == "b-2" else 1], task=task, digest=task, family=family, rollout=1
        )
        for task, family in planned
    )
    text = shown(evolve(run, tasks=tasks, trials=trials))
    assert ["b-2", "b-1", "a-1", "a-2"] == rows(text)
    assert text.index('scope="rowgroup" colspan="2"><bdi>b<') < text.index("<bdi>b-2<")


def test_more_rows_than_fit_are_counted_and_those_that_tell_agents_apart_stay() -> None:
    run = big_run(200)
    told = {
        task.id
        for task in run.tasks
        if len({trial.resolved for trial in run.trials if trial.task == task.id}) == 2
    }
    text = shown(run, most=5)
    assert 5 == len(rows(text))
    assert set(rows(text)) <= told
    assert "… and 95 more tasks: " in text
    assert re.search(r"\d+ on which they differ", text)


def test_control_arms_stand_last() -> None:
    run = three_trial_run()
    trials = (*(evolve(each, solver="noop") for each in run.trials), *run.trials)
    text = shown(evolve(run, solvers=("noop", "cheap"), trials=trials))
    assert text.index("<bdi>cheap</bdi>") < text.index("<bdi>noop</bdi>")


def test_nothing_planned_makes_no_matrix() -> None:
    assert not shown(empty_run())
