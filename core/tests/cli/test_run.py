"""`fairtrial run`, from its arguments to its exit code."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]


@pytest.mark.parametrize(
    ("argv", "problem"),
    [
        (["--timeout", "soon"], "--timeout takes a number of seconds above 0, not “soon”"),
        (["--timeout", "0"], "--timeout takes a number of seconds above 0, not “0”"),
        (["--timeout", "inf"], "--timeout takes a number of seconds above 0, not “inf”"),
        (["--timeout"], "option “--timeout” requires an argument"),
        (["--rollouts", "0"], "--rollouts takes a whole number from 1 on, not “0”"),
        (["--jobs", "two"], "--jobs takes a whole number from 1 on, not “two”"),
        (["--max-infra-share", "2"], "--max-infra-share takes a share from 0 to 1, not “2”"),
        (["--only", "third"], "suite “small” has no task “third”"),
        (["--solvers", "god"], "no solver plugin called “god” is installed"),
        (["--suite", "smalle"], "no suite plugin called “smalle” is installed"),
        (["--label", "../up"], "[run] label: must be a name"),
        (["--label", "../up"], "written in     --label\n\n  correct it there\n"),
        (["--label", "x" * 300], "[run] label: must have 100 characters at most, not 300"),
        (["--label", ""], "--label takes a name, not “”"),
        (["--label", "a", "--set", "run.jobs=0"], "written in     --set\n"),
        (["--label", "a", "--set", "run.jobbs=0"], "written in     --set\n"),
        (["--only", "third"], "asked for in   --only\n"),
        (["--only", ""], "--only names nothing: “”"),
        (["--solvers", " , "], "--solvers names nothing: “ , ”"),
        (["--set", "run.only=['third']"], "asked for in   --set, [run] only\n"),
        (["--solvers", "god"], "asked for in   --solvers\n"),
        (["--set", "jobs"], "the setting “jobs” is not of the form key=value"),
        (["--set", "run.jobbs=2"], "jobbs"),
        (["--tiemout", "3"], "no such option: --tiemout"),
        (["--log", "loud"], "“loud” is not one of “text”, “json”, “quiet”"),
        (["--json", "--reporter", "csv"], "--json prints the JSON document alone"),
        (["--reporter", "tablex"], "no reporter plugin called “tablex” is installed"),
    ],
)
def test_a_wrong_argument_is_refused_before_anything_starts(
    run: Run, place: Path, argv: list[str], problem: str
) -> None:
    said = run("run", "run.toml", *argv)
    assert 2 == said.returncode
    assert said.stderr.startswith("error: ")
    assert problem in said.stderr
    assert "" == said.stdout
    assert not (place / "runs").exists()


def test_a_power_that_is_none_stops_a_run_that_needs_it_before_it_begins(
    run: Run, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    argv = ("run", "run.toml", "--set", "run.meters=['auto']")
    usual = run(*argv, "--label", "one").stderr
    monkeypatch.setenv("FAIRTRIAL_ACTIVE_WATTS", "many")
    refused = run(*argv, "--label", "two")
    # A machine with a counter needs no estimate.
    needed = "joules of the host are estimated" in usual
    assert needed is (2 == refused.returncode)
    assert needed is ("error: FAIRTRIAL_ACTIVE_WATTS is “many”" in refused.stderr)
    assert needed is not (place / "runs/two").exists()
    probed = run("energy", "probe")
    assert (0, needed) == (probed.returncode, "- auto: no run can begin: FAIR" in probed.stdout)


def test_no_config_is_refused(run: Run) -> None:
    said = run("run")
    assert (2, True) == (said.returncode, "error: no run config is named" in said.stderr)


def test_a_run_prints_its_table_and_keeps_its_directory(run: Run, place: Path) -> None:
    said = run("run", "run.toml")
    assert 0 == said.returncode, said.stderr
    assert "| reference (control) | 100% (2/2) |" in said.stdout
    assert "controls hold: reference, noop" in said.stdout
    assert "[4/4]" in said.stderr
    assert "kept in runs/run" in said.stderr
    assert 4 == len((place / "runs/run/trials.jsonl").read_text().splitlines())


def test_flags_win_over_files_and_later_files_over_earlier_ones(run: Run, place: Path) -> None:
    (place / "more.toml").write_text('[run]\nlabel = "more"\nrollouts = 3\njobs = 2\n')
    said = run("run", "run.toml", "-c", "more.toml", "--rollouts", "2", "--print-config")
    assert 'label = "more"  # more.toml' in said.stdout
    assert "rollouts = 2  # --rollouts" in said.stdout
    assert "jobs = 2  # more.toml" in said.stdout
    assert not (place / "runs").exists()


SPENDS = ["--set", "solvers.good.spends=true"]


def test_the_plan_is_printed_and_nothing_runs(run: Run, place: Path) -> None:
    said = run("run", "run.toml", "--solvers", "good,noop", "--rollouts", "2", "--plan")
    assert 0 == said.returncode
    cost = "cost nothing: no solver spends"
    assert f"8 trials, 1 at once; {cost}; attempts take 4 min" in said.stdout
    assert not (place / "runs").exists()


def test_the_plan_of_a_resumed_run_is_what_is_left_of_it(run: Run, place: Path) -> None:
    argv = ("run", "run.toml", "--label", "run", "--resume")
    run("run", "run.toml", "--label", "run")
    assert "nothing is left to run: all is kept in runs/run\n" == run(*argv, "--plan").stdout
    journal = place / "runs/run/trials.jsonl"
    before = "".join(journal.read_text().splitlines(keepends=True)[:-1])
    journal.write_text(before)
    said = run(*argv, "--plan").stdout
    assert "| second | noop    |        1 |" in said
    assert "first" not in said
    assert before == journal.read_text()
    other = run(*argv, "--plan", "--rollouts", "2")
    assert (2, "") == (other.returncode, other.stdout)


def test_the_plan_says_who_can_spend_without_a_limit(run: Run) -> None:
    said = run("run", "run.toml", "--solvers", "good,noop", *SPENDS, "--plan")
    assert "cost –: good can spend, and no budget is set;" in said.stdout
    assert (
        "can't begin yet: [run] sets no budget_usd_per_task and no budget_usd_total, and its "
        'solvers can spend (run.toml); set both keys, or write budget = "unlimited"\n'
    ) == said.stderr
    assert 2 == said.returncode
    waived = ("--set", "run.budget=unlimited")
    said = run("run", "run.toml", "--solvers", "good,noop", *SPENDS, *waived, "--plan")
    assert 'cost –: good can spend, and budget = "unlimited";' in said.stdout
    assert (0, "") == (said.returncode, said.stderr)


def test_the_plan_says_where_the_run_would_be_kept(run: Run) -> None:
    controls = ("run", "run.toml", "--only", "first")
    assert 0 == run(*controls).returncode
    said = run(*controls, "--plan")
    expected = (
        "2 trials, 1 at once; cost nothing: no solver spends; "
        "control arms alone, whose trials take no longer than the checks\n"
        "to be kept in runs/run-2\n"
    )
    assert said.stdout.endswith(expected)
    assert "run-2" == json.loads(run(*controls, "--plan", "--json").stdout)["label"]
    said = run(*controls, "--solvers", "good", "--timeout", "5", "--plan")
    assert "attempts take 5 s at most" in said.stdout


@pytest.mark.parametrize(("rollouts", "jobs", "most_s"), [(1, 1, 120), (1, 2, 60), (2, 2, 150)])
def test_the_plan_says_the_longest_that_it_can_take(run: Run, rollouts, jobs, most_s) -> None:
    asked = ("--solvers", "good,noop", "--rollouts", str(rollouts), "--jobs", str(jobs))
    said = run("run", "run.toml", *asked, "--plan", "--json")
    assert most_s == json.loads(said.stdout)["most_s"]


def test_the_plan_says_that_solvers_do_not_meet(run: Run) -> None:
    said = run("run", "run.toml", "--jobs", "2", "--set", "run.order=solvers", "--plan")
    assert "2 at once, never of two solvers; cost" in said.stdout


def test_the_plan_says_the_most_that_it_can_cost(run: Run) -> None:
    budget = ["--set", "run.budget_usd_per_task=0.5", "--set", "run.budget_usd_total=0.75"]
    flags = ["--solvers", "good,noop", *SPENDS, *budget, "--plan"]
    cost = "cost at most $0.75 (2 attempts × $0.50; $0.75 in all);"
    assert cost in run("run", "run.toml", *flags).stdout
    assert 0.75 == json.loads(run("run", "run.toml", *flags, "--json").stdout)["most_usd"]


def test_the_plan_of_a_resumed_run_counts_what_was_spent(run: Run, place: Path) -> None:
    budget = ["--set", "run.budget_usd_per_task=0.5", "--set", "run.budget_usd_total=1.25"]
    flags = ["--solvers", "good", *SPENDS, *budget, "--label", "run"]
    assert 0 == run("run", "run.toml", *flags).returncode
    journal = place / "runs/run/trials.jsonl"
    first, second = map(json.loads, journal.read_text().splitlines())
    # Cut off after it had spent: it is made again, and was paid for.
    second |= {"ending": "interrupted", "wall_s": 1.0}
    journal.write_text(f"{json.dumps(first)}\n{json.dumps(second)}\n")
    said = run("run", "run.toml", *flags, "--resume", "--plan").stdout
    assert "1 trial, 1 at once; cost at most $0.25 (1 attempt × $0.50; $1.25 in all, $1.00" in said


def test_the_plan_of_a_resumed_run_names_what_is_to_be_graded(run: Run, place: Path) -> None:
    argv = ("run", "run.toml", "--label", "run")
    run(*argv)
    journal = place / "runs/run/trials.jsonl"
    *others, last = map(json.loads, journal.read_text().splitlines())
    del last["verdict"]
    journal.write_text("".join(f"{json.dumps(trial)}\n" for trial in (*others, last)))

    said = run(*argv, "--resume", "--plan").stdout
    plan = json.loads(run(*argv, "--resume", "--plan", "--json").stdout)

    assert "to be graded, since that was stopped: 1 attempt\nnothing is left to run" in said
    assert (1, []) == (plan["ungraded"], plan["trials"])


def test_a_run_that_can_spend_without_a_limit_is_refused_before_it_writes(
    run: Run, place: Path
) -> None:
    said = run("run", "run.toml", "--solvers", "good", *SPENDS)
    assert 2 == said.returncode
    assert "error: [run] sets no budget_usd_per_task and no budget_usd_total" in said.stderr
    assert not (place / "runs").exists()


def test_with_json_stdout_holds_the_json_document_alone(run: Run) -> None:
    said = run("run", "run.toml", "--json", "--log", "quiet", "--solvers", "good")
    assert "run" == json.loads(said.stdout)["runs"][0]["label"]
    assert "" == said.stderr


def test_with_json_logs_every_line_of_stderr_is_an_object(run: Run) -> None:
    said = run("run", "run.toml", "--log", "json", "--only", "first", "--reporter", "csv")
    events = [json.loads(line) for line in said.stderr.splitlines()]
    assert ("run kept", "runs/run") == (events[-1]["event"], events[-1]["path"])
    assert "document written" == events[-2]["event"]
    assert ["timestamp", "level", "event"] == list(events[0])[:3]
    assert "run planned" in {event["event"] for event in events}
    ended = [event for event in events if event["event"] == "trial ended"]
    assert [("reference", True), ("noop", False)] == [(e["solver"], e["resolved"]) for e in ended]


def test_with_json_logs_gates_and_errors_are_objects_too(run: Run, place: Path) -> None:
    (place / "small/second/reference/answer.txt").write_text("43\n")
    said = run("run", "run.toml", "--log", "json")
    gate = json.loads(said.stderr.splitlines()[-1])
    assert (1, "gate failed", "error") == (said.returncode, gate["event"], gate["level"])
    assert "second" in gate["why"]
    assert gate["way_on"]
    for line in (["--only", "third"], ["--rollouts", "none"]):
        said = run("run", "run.toml", "--log=json", *line)
        told = json.loads(said.stderr)
        assert ("command failed", 2) == (told["event"], told["exit_code"])
        assert told["problem"]
        assert told["way_on"]


def test_documents_that_are_not_prose_are_written_into_the_run_directory(
    run: Run, place: Path
) -> None:
    said = run("run", "run.toml", "--reporter", "table", "--reporter", "csv")
    assert "wrote runs/run/reports/trials.csv" in said.stderr
    assert "run,suite,task" not in said.stdout
    assert (place / "runs/run/reports/trials.csv").read_text().startswith("run,suite,task")


def test_a_reporter_that_can_not_report_costs_neither_the_others_nor_the_run(run: Run) -> None:
    said = run("run", "run.toml", "--reporter", "compare", "--reporter", "table")
    assert 2 == said.returncode
    assert "error: the reporter “compare” takes exactly two runs, not 1" in said.stderr
    assert "| reference (control) |" in said.stdout
    assert "kept in runs/run" in said.stderr


def test_a_second_run_into_the_same_directory_is_refused_until_resumed(run: Run) -> None:
    run("run", "run.toml", "--label", "run")
    said = run("run", "run.toml", "--label", "run")
    assert 2 == said.returncode
    assert "“runs/run” already holds a run" in said.stderr
    again = run("run", "run.toml", "--resume")
    assert 0 == again.returncode
    assert "4 trials planned, 4 of them done before" in again.stderr


def test_a_resumed_run_reports_what_was_done_before_it_too(run: Run, place: Path) -> None:
    """OpenHands/benchmarks#737."""
    whole = run("run", "run.toml", "--solvers", "good,noop", "--label", "run")
    journal = place / "runs/run/trials.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    for kept in (lines, lines[:1]):
        journal.write_text("".join(kept))
        again = run("run", "run.toml", "--solvers", "good,noop", "--label", "run", "--resume")
        assert (0, "| good") == (
            again.returncode,
            again.stdout[again.stdout.index("| good") :][:6],
        )
        assert "100% (2/2)" in again.stdout
        assert 4 == len(journal.read_text().splitlines())
    assert "100% (2/2)" in whole.stdout


def test_a_run_that_is_not_there_is_not_begun_by_resuming_it(run: Run, place: Path) -> None:
    assert 0 == run("run", "run.toml", "--only", "first", "--resume").returncode
    said = run("run", "run.toml", "--only", "first", "--label", "rum", "--resume")
    assert 2 == said.returncode
    assert (
        "error: there is no run “rum”\n\n"
        "  looked for     runs/rum/run.json\n"
        "  runs           run\n"
        "  nearest        run\n\n"
        "  give the label of one of these, or begin this one without --resume\n"
    ) == said.stderr
    assert ["run"] == [path.name for path in (place / "runs").iterdir()]


def test_with_json_stderr_says_where_the_run_is_kept(run: Run) -> None:
    run("run", "run.toml", "--only", "first")
    said = run("run", "run.toml", "--only", "first", "--json")
    assert "run-2" == json.loads(said.stdout)["runs"][0]["label"]
    assert said.stderr.endswith("kept in runs/run-2\n")


def test_the_same_command_again_is_a_run_of_its_own(run: Run, place: Path) -> None:
    for _ in range(3):
        assert 0 == run("run", "run.toml", "--only", "first").returncode
    assert ["run", "run-2", "run-3"] == sorted(path.name for path in (place / "runs").iterdir())
    said = run("run", "run.toml", "--only", "first", "--resume")
    assert "kept in runs/run-3" in said.stderr


def test_out_is_the_parent_of_the_run_directory(run: Run, place: Path) -> None:
    run("run", "run.toml", "--out", "elsewhere", "--label", "mine", "--only", "first")
    assert (place / "elsewhere/mine/run.json").is_file()


def test_a_broken_suite_fails_the_gate(run: Run, place: Path) -> None:
    (place / "small/first/reference/answer.txt").write_text("43\n")
    said = run("run", "run.toml")
    assert 1 == said.returncode
    assert "gate failed: the suite is broken: no figure counts first\n" in said.stderr
    # What is wrong is said twice: when it is found, and in the report.
    assert 1 == said.stderr.count("the reference does not")
    assert 1 == said.stdout.count("the reference does not")


def interrupted(
    program: list[str], place: Path, *argv: str, by: int = signal.SIGINT
) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [*program, "run", "run.toml", *argv],
        cwd=place,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    journal = place / "runs/run/trials.jsonl"
    deadline = time.monotonic() + 30
    while not (journal.exists() and journal.read_text().endswith("\n")):
        assert time.monotonic() < deadline, "the first trial never ended"
        time.sleep(0.05)
    process.send_signal(by)
    return process


def test_an_interrupt_says_what_is_kept_and_how_to_go_on(
    program: list[str], place: Path, run: Run
) -> None:
    process = interrupted(program, place, "--solvers", "noop,slow", "--timeout", "2")
    out, err = process.communicate(timeout=60)
    assert 130 == process.returncode, err
    assert "" == out
    assert "press Ctrl-C again to leave at once" in err
    assert "of 4 trials finished, kept in runs/run" in err
    assert "fairtrial run run.toml --solvers noop,slow --timeout 2 --label run --resume" in err
    again = run("run", "run.toml", "--solvers", "noop,slow", "--timeout", "2", "--resume")
    assert 0 == again.returncode, again.stderr
    assert 4 == len((place / "runs/run/trials.jsonl").read_text().splitlines())


def test_a_run_that_was_killed_loses_the_trial_under_way_and_nothing_else(
    program: list[str], place: Path, run: Run
) -> None:
    """valbaudo/dawn#15, marin#7835."""
    argv = ("--solvers", "noop,slow", "--timeout", "2")
    process = interrupted(program, place, *argv, by=signal.SIGKILL)
    process.communicate(timeout=60)
    assert -signal.SIGKILL == process.returncode
    journal = place / "runs/run/trials.jsonl"
    kept = journal.read_text()
    assert 1 <= len(kept.splitlines()) < 4
    again = run("run", "run.toml", *argv, "--resume")
    assert 0 == again.returncode, again.stderr
    assert journal.read_text().startswith(kept)
    assert 4 == len(journal.read_text().splitlines())


ASCII = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}


@pytest.mark.parametrize("env", [ASCII, {"PYTHONIOENCODING": "latin-1"}, {"TERM": "dumb"}])
def test_any_terminal_can_show_a_run(spawn: Run, env: Mapping[str, str]) -> None:
    said = spawn("run", "run.toml", "--solvers", "good,noop", env=env)
    assert 0 == said.returncode, said.stderr
    assert "| good" in said.stdout
    assert "Traceback" not in said.stderr
    if env is ASCII:
        assert (said.stdout + said.stderr).isascii()


def test_a_reader_that_leaves_is_no_error(program: list[str], place: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*program, "run", "run.toml"], cwd=place, stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)
    assert (0, False) == (done.returncode, b"BrokenPipe" in done.stderr)


def test_a_suite_that_is_not_there_is_told_with_the_table_that_names_it(
    run: Run, place: Path
) -> None:
    config = place / "run.toml"
    config.write_text(config.read_text().replace('path = "small"', 'path = "smal"'))
    said = run("run", "run.toml")
    assert (2, False) == (said.returncode, (place / "runs").exists())
    assert (
        f"""\
error: there is no suite at “{place}/smal”

  asked for in   run.toml, table [suites.small]

  mend `path` of the suite's table
"""
        == said.stderr
    )
    (place / "small/first/task.toml").write_text("prompt = 1\n")
    said = run("run", "run.toml", "--set", "suites.small.path='small'")
    assert (2, True) == (said.returncode, f"{place}/small/first/task.toml" in said.stderr)
    assert "asked for in" not in said.stderr


def test_a_read_only_run_directory_is_one_clear_error(run: Run, place: Path) -> None:
    (place / "runs").write_text("a file where the directory should be")
    said = run("run", "run.toml")
    assert 3 == said.returncode
    assert "the run directory “runs/run” can't be written" in said.stderr
    assert "choose another place with --out" in said.stderr


def test_the_last_line_of_progress_counts_every_trial(run: Run, place: Path) -> None:
    (place / "small/second/reference/answer.txt").write_text("43\n")
    said = run("run", "run.toml")
    last = [line for line in said.stderr.splitlines() if line.startswith("[")][-1]
    assert "[4/4]  2 of them not made, since their tasks are invalid" == last
    said = run("run", "run.toml", "--log", "json", "--label", "again")
    events = [json.loads(line) for line in said.stderr.splitlines() if line.startswith("{")]
    left = [event for event in events if event["event"] == "trial left out"]
    assert [("second", "reference"), ("second", "noop")] == [
        (e["task"], e["solver"]) for e in left
    ]
