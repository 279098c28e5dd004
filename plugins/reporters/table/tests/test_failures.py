"""Why trials failed or broke, in words that forge nothing."""

import pytest
from attrs import evolve
from fairtrial.api import Check, CheckKind, Ending, RunRecord, Verdict
from fairtrial.conformance.fakes.records import big_run, three_trial_run
from fairtrial_reporter_table import TableReporter

CRASHED = Verdict(
    checks=(
        Check(
            name="submission",
            kind=CheckKind.CONDUCT,
            passed=False,
            code="no-submission",
            why="no submission (crashed)",
        ),
    ),
    suite_version="1",
)


def text(run: RunRecord, reporter: TableReporter | None = None) -> str:
    (document,) = (reporter or TableReporter(resamples=200)).report([run])
    return document.body.decode()


def row(shown: str, name: str) -> list[str]:
    line = next(line for line in shown.splitlines() if line.startswith(f"| {name}"))
    return [cell.strip() for cell in line.strip("|").split(" | ")]


def crashed(note: str) -> str:
    """What is said of why one attempt crashed."""
    run = three_trial_run()
    trial = evolve(run.trials[0], ending=Ending.CRASHED, verdict=CRASHED, note=note)
    shown = text(evolve(run, trials=(trial,)))
    return shown.partition("## Why it failed")[2]


def test_what_broke_stands_apart_from_what_failed() -> None:
    shown = text(three_trial_run())
    failed, broken = shown.split("## Not counted")
    assert row(failed.split("## Why it failed")[1], "length")[3] == "hidden check failed"
    assert row(broken, "upper")[3] == "infra: the provider was away"


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (CheckKind.VISIBLE, "visible tests failed"),
        (CheckKind.REGRESSION, "existing tests broken"),
    ],
)
def test_tests_that_failed_from_the_start_are_not_called_broken(
    kind: CheckKind, said: str
) -> None:
    run = three_trial_run()
    check = Check(name="tests", kind=kind, passed=False, code="tests")
    verdict = Verdict(checks=(check,), suite_version="1")
    shown = text(evolve(run, trials=(evolve(run.trials[0], verdict=verdict),)))
    assert row(shown.split("## Why it failed")[1], run.trials[0].task)[3] == said


def test_what_a_failed_attempt_said_of_itself_is_told() -> None:
    shown = crashed("exit status 2: sed: can't read x: No such file or directory\nand more")
    assert row(shown, "add")[3] == (
        "no submission (crashed); `exit status 2: sed: can't read x: No such file or directory`"
    )
    assert "no submission (crashed) |" in crashed("")
    assert "no submission (crashed) |" in crashed("crashed")


def test_what_an_attempt_said_is_cut_and_forges_nothing() -> None:
    said = row(crashed("a | b **c** <b>`d`</b> [e](f) \x1b[31m" + "x" * 300), "add")[3]
    assert said.startswith(r"no submission (crashed); ``a \| b **c** <b>`d`</b> [e](f) ␛[31mxxx")
    plain = said.replace("\\", "")
    assert len("no submission (crashed); ````") + 80 == len(plain)
    assert plain.endswith("x…``")


def test_nothing_of_an_agent_s_text_reaches_the_terminal_as_a_command() -> None:
    run = three_trial_run()
    trials = (evolve(run.trials[2], note="\x1b]0;owned\x07 | forged | row |\n| next"),)
    shown = text(evolve(run, trials=trials))
    assert "\x1b" not in shown
    assert "␛]0;owned␇ \\| forged \\| row \\|" in shown


def test_a_long_list_is_cut_and_counted() -> None:
    shown = text(big_run(200), reporter=TableReporter(max_rows=3, resamples=200))
    assert "… and 64 more trials" in shown
