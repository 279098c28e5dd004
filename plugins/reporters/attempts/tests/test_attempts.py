import json
from typing import cast

from attrs import evolve
from fairtrial.api import (
    AssistantText,
    Insight,
    Repeat,
    RunRecord,
    ToolCount,
    Trial,
    TurnEnd,
    UserMessage,
)
from fairtrial.conformance.fakes.records import empty_run, silent_run, three_trial_run
from fairtrial.figures.insight import insight_of
from fairtrial_reporter_attempts import AttemptsReporter

TOKENS = {
    "read": 0,
    "search": 0,
    "command_output": 60,
    "edit": 120,
    "reasoning": 10,
    "replay": 10,
}
BUSY = Insight(
    wall_ms=400_000,
    working_ms=70_000,
    waiting_ms=20_000,
    turns=3,
    tools={"Bash": ToolCount(calls=8, errors=2), "Edit": ToolCount(calls=2)},
    questions=1,
    longest_silence_ms=300_000,
    repeated_reads=(Repeat(what="a.py", times=3),),
    tokens=TOKENS,
    tokens_by_model={"m": TOKENS},
)


def logged(*insights: Insight | None) -> RunRecord:
    run = three_trial_run()
    trials = (
        evolve(trial, insight=insight)
        for trial, insight in zip(run.trials, insights, strict=False)
    )
    return evolve(run, trials=tuple(trials))


def text(record: RunRecord, reporter: AttemptsReporter | None = None) -> str:
    return next(iter((reporter or AttemptsReporter()).report([record]))).body.decode()


def document(record: RunRecord) -> dict[str, object]:
    _, second = AttemptsReporter().report([record])
    (run,) = json.loads(second.body)["runs"]
    found: dict[str, object] = run
    return found


def row(shown: str, first: str) -> list[str]:
    (line,) = (line for line in shown.splitlines() if line.startswith(f"| {first} "))
    return [part.strip() for part in line.strip("|").split("|")]


def test_the_figures_of_the_attempts_are_shown() -> None:
    shown = text(logged(BUSY, Insight(turns=1), None))
    assert "2 attempts left a log, 1 did not." in shown
    assert ["turns", "3", "3", "2"] == row(shown, "turns")
    assert ["Bash", "8", "2", "25%"] == row(shown, "Bash")
    assert ["edit", "120", "60%"] == row(shown, "edit")
    assert ["m", "0", "0", "60", "120", "10", "10", "200"] == row(shown, "m")
    assert "1 of 2 logs tell no usage" in shown
    assert row(shown, "add")[5:13] == ["3", "10", "2", "70.0s", "20.0s", "300s", "1", "200"]
    assert row(shown, "upper")[5:13] == ["–"] * 8


def test_it_is_said_why_a_median_is_not_the_frontier_s() -> None:
    run = three_trial_run()
    both = tuple(
        evolve(trial, insight=Insight(wall_ms=wall_ms))
        for trial, wall_ms in zip(run.trials, (1_100, 1_300), strict=False)
    )
    shown = text(evolve(run, trials=both)).partition("## Medians")[2].partition("## Tools")[0]
    assert ["wall", "1.30s", "1.30s", "2"] == row(shown, "wall")
    assert "of an even number, the median is the upper of the middle two" in shown
    assert "`wall` is the log's, from its first event to its last" in shown


def test_what_is_worth_reading_is_said_with_its_reasons_most_of_them_first() -> None:
    shown = text(logged(Insight(questions=3), BUSY))
    lines = shown.partition("## Worth reading\n\n")[2].splitlines()
    assert lines == [
        "- length/cheap/1: silent for 5.0 min; 2 of 10 tool calls failed; among the dearest: $0.02",
        "- add/cheap/1: asked 3 questions",
    ]
    less = text(logged(Insight(questions=3), BUSY), AttemptsReporter(worth_reading=1))
    assert less.endswith("$0.02\n- … and 1 more\n")


def test_machines_get_the_categories_of_each_attempt_and_of_all() -> None:
    found = document(logged(BUSY, BUSY))
    assert {name: 2 * count for name, count in TOKENS.items()} == found["tokenCategories"]
    assert found["tokenCategoriesByModel"] == {"m": found["tokenCategories"]}
    attempts = found["attempts"]
    assert isinstance(attempts, list)
    assert [TOKENS, TOKENS] == [one["tokenCategories"] for one in attempts]
    assert [{"m": TOKENS}] * 2 == [one["tokenCategoriesByModel"] for one in attempts]
    assert [{"what": "a.py", "times": 3}] == attempts[0]["insight"]["repeated_reads"]


def test_only_the_most_used_tools_are_listed() -> None:
    tools = {f"tool-{number:02}": ToolCount(calls=100 - number) for number in range(20)}
    shown = text(logged(Insight(tools=tools)))
    assert "tool-14" in shown
    assert "tool-15" not in shown
    assert "… and 5 more tools." in shown


def test_without_logs_nothing_is_zero() -> None:
    shown = text(silent_run())
    assert "Tokens: – (no log tells its usage)." in shown
    assert ["working", "–", "–", "0"] == row(shown, "working")
    assert document(silent_run())["tokenCategories"] is None
    sums = document(silent_run())["sums"]
    assert isinstance(sums, dict)
    assert {None} == set(sums.values())
    assert "0 attempts left a log, 0 did not." in text(empty_run())


def test_what_a_program_s_output_can_not_tell_is_not_shown_as_nothing() -> None:
    events = (UserMessage(id="initial", text="do"), TurnEnd(duration_ms=9.0))
    shown = text(logged(insight_of(events)))
    assert "Tools: – (no log tells of tools)." in shown
    assert "No tool was called" not in shown
    assert "- rate limits: –\n- subagents: –\n- questions: 0" in shown
    assert "- turns: 1, of which 0 failed" in shown
    for name in ("wall", "longest silence", "tool calls", "tool errors", "subagents"):
        assert ["–", "–", "0"] == row(shown, name)[1:]
    assert row(shown, "add")[5:13] == ["1", "–", "–", "0.009s", "0s", "–", "0", "–"]
    assert document(logged(insight_of(events)))["tools"] is None


def test_what_tokens_went_on_is_not_known_where_tools_are_not_told() -> None:
    program = Insight(tokens={**TOKENS, "edit": 0}, tokens_by_model={"p": TOKENS})
    shown = text(logged(program))
    assert "1 of 1 logs tell 80 tokens, and can't tell what they went on.\n\n##" in shown
    assert "Spent on" not in shown
    assert "80" == row(shown, "add")[12]
    found = document(logged(program))
    assert (None, {}, 80) == tuple(
        found[name] for name in ("tokenCategories", "tokenCategoriesByModel", "unsortedTokens")
    )
    (one,) = [one for one in cast("list[dict[str, object]]", found["attempts"]) if one["tokens"]]
    assert (None, None) == (one["tokenCategories"], one["tokenCategoriesByModel"])
    both = text(logged(program, BUSY, Insight()))
    assert ["edit", "120", "60%"] == row(both, "edit")
    assert "\n1 of 3 logs tell 80 tokens, and can't tell what they went on.\n" in both
    assert "\n1 of 3 logs tell no usage, and are not in it.\n" in both
    assert "| p " not in both


def test_only_of_waiting_there_may_be_none_at_all() -> None:
    short = Insight(wall_ms=0, working_ms=0, longest_silence_ms=0)
    shown = text(logged(short))
    assert ["<0.001s", "0s", "<0.001s"] == row(shown, "add")[8:11]
    assert ["<0.001s", "<0.001s", "1"] == row(shown, "wall")[1:]
    assert ["0s", "0s", "1"] == row(shown, "waiting")[1:]


def test_of_logs_of_which_some_tell_of_tools_it_is_said_how_many_do() -> None:
    program = insight_of([UserMessage(id="initial", text="do")])
    lazy = insight_of([AssistantText(text="No.", message_id="1"), TurnEnd()])
    shown = text(logged(program, lazy))
    assert "No tool was called.\n\n1 of 2 logs can't tell of tools, and are not in it." in shown
    assert "- subagents: ≥ 0 (1 unknown), which made 0 calls" in shown
    assert "- turns: ≥ 1 (1 unknown), of which 0 failed" in shown
    assert "No tool was called.\n\n##" in text(logged(lazy))
    known = document(logged(program, lazy))["known"]
    assert isinstance(known, dict)
    assert (1, 1) == (known["tools"], known["turns"])


def test_control_arms_count_only_if_asked_for() -> None:
    run = logged(BUSY)
    trials: tuple[Trial, ...] = (*run.trials, evolve(run.trials[0], solver="reference"))
    both = evolve(run, trials=trials)
    assert "1 attempts left a log" in text(both)
    assert "2 attempts left a log" in text(both, AttemptsReporter(controls=True))


def test_no_name_of_a_tool_breaks_out_of_its_cell() -> None:
    shown = text(logged(Insight(tools={"a|b\x1b[2J\n| c": ToolCount(calls=1)})))
    assert "\x1b" not in shown
    assert "a\\|b␛\\[2J \\| c" in shown
