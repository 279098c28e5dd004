"""Looking at runs again: report, compare, grade, audit."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def done(run: Run) -> Run:
    """A run called `one` of the solver `good`, finished."""
    said = run("run", "run.toml", "--label", "one", "--solvers", "good,noop", "--log", "quiet")
    assert 0 == said.returncode, said.stderr
    return run


def test_a_run_is_found_by_label_and_by_directory(done: Run) -> None:
    by_label, by_directory = done("report", "one"), done("report", "runs/one")
    assert by_label.stdout == by_directory.stdout
    assert "| good" in by_label.stdout


def test_an_unknown_run_is_answered_with_the_labels_that_are_there(done: Run) -> None:
    said = done("report", "onee")
    assert 2 == said.returncode
    assert "error: there is no run “onee”" in said.stderr
    assert "runs           one" in said.stderr
    assert "nearest        one" in said.stderr


def test_a_torn_line_of_the_journal_is_named_until_its_trial_is_told_again(
    done: Run, place: Path
) -> None:
    journal = place / "runs/one/trials.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-1]) + lines[-1][:-40])
    said = done("report", "one")
    assert 0 == said.returncode
    assert "1 unfinished" in said.stdout
    assert (
        f"warning: {Path('runs/one/trials.jsonl')}, line {len(lines)}: torn, and passed over;"
        " `fairtrial run` with --resume runs again what it told\n"
    ) == said.stderr
    assert done("compare", "one", "one").stderr.startswith(said.stderr)
    again = ("run", "run.toml", "--label", "one", "--solvers", "good,noop", "--resume")
    assert 0 == done(*again).returncode
    assert "" == done("report", "one").stderr


def test_a_single_document_is_shown_whatever_it_is(done: Run, place: Path) -> None:
    assert done("report", "one", "--reporter", "csv").stdout.startswith("run,suite,task")
    assert not (place / "runs/one/reports").exists()


def test_with_out_every_document_is_written(done: Run, place: Path) -> None:
    said = done("report", "one", "--reporter", "csv", "--reporter", "table", "--out", "docs")
    assert "" == said.stdout
    assert {"frontier.md", "trials.csv"} == {path.name for path in (place / "docs").iterdir()}


def test_a_reporters_table_in_the_config_is_used_again(run: Run, place: Path) -> None:
    text = (place / "run.toml").read_text()
    table = '\n[reporters.mine]\nplugin = "table"\nsections = ["frontier"]\n'
    (place / "run.toml").write_text(
        text.replace("[suites.small]", 'reporters = ["mine"]\n[suites.small]') + table
    )
    first = run("run", "run.toml")
    assert 0 == first.returncode, first.stderr
    assert "## Notes" not in first.stdout
    assert first.stdout == run("report", "run").stdout


def test_several_runs_are_reported_together_as_json(done: Run) -> None:
    done("run", "run.toml", "--label", "two", "--only", "first")
    runs = json.loads(done("report", "one", "two", "--json").stdout)["runs"]
    assert ["one", "two"] == [run["label"] for run in runs]


def test_a_regression_fails_only_when_asked(done: Run, place: Path) -> None:
    config = (place / "run.toml").read_text()
    (place / "worse.toml").write_text(config.replace("'42", "'43"))
    done("run", "worse.toml", "--label", "two", "--solvers", "good,noop")
    assert 0 == done("compare", "one", "two").returncode
    said = done("compare", "one", "two", "--fail-on-regression")
    assert 1 == said.returncode
    assert "regression: first" in said.stderr
    assert "# one → two" in said.stdout
    assert 0 == done("compare", "two", "one", "--fail-on-regression").returncode


def test_a_comparison_that_proves_nothing_fails_where_regressions_do(
    done: Run, place: Path
) -> None:
    done("run", "run.toml", "--label", "two", "--solvers", "good,noop")
    journal = place / "runs/two/trials.jsonl"
    (kept, *_) = (line for line in journal.read_text().splitlines() if '"good"' in line)
    journal.write_text(f"{kept}\n")
    assert 0 == done("compare", "one", "two").returncode
    said = done("compare", "one", "two", "--fail-on-regression")
    assert 1 == said.returncode
    assert "regression:" not in said.stderr
    assert (
        "not proved that nothing got worse: two: 1 of 2 trials (50%) did not finish;"
        " above 10% no headline is given\n"
    ) in said.stderr


def test_a_comparison_as_json_is_one_document(done: Run) -> None:
    found = json.loads(done("compare", "one", "one", "--json").stdout)
    assert (False, []) == (found["regression"], found["flips"])


def test_grade_judges_stored_trees_by_the_suite_as_it_is_now(done: Run, place: Path) -> None:
    before = (place / "runs/one/trials.jsonl").read_text()
    said = done("grade", "one")
    assert 0 == said.returncode, said.stderr
    assert "| good" in said.stdout
    assert "100% (2/2)" in said.stdout
    after = (place / "runs/one/trials.jsonl").read_text()
    assert after.startswith(before)
    assert 2 * len(before.splitlines()) == len(after.splitlines())


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda tree: tree.write_bytes(tree.read_bytes()[:-9]), "can't be understood: "),
        (Path.unlink, "is not there, though the attempt changed files"),
    ],
    ids=["torn", "lost"],
)
@pytest.mark.parametrize("stage", ["grade", "audit"])
def test_a_torn_artifact_leaves_its_own_trial_as_it_was_and_no_other(
    done: Run, place: Path, stage: str, damage: Callable[[Path], object], why: str
) -> None:
    journal = place / "runs/one/trials.jsonl"
    before = journal.read_text()
    damage(place / "runs/one/trials/first/good/1/tree.json")
    auditors = ("--set", "run.auditors=['patch']") if stage == "audit" else ()
    said = done(stage, "one", *auditors)
    assert 0 == said.returncode, said.stderr
    assert "100% (2/2)" in said.stdout
    left = said.stderr.partition("warning: trial left as it was: ")[2].splitlines()[0]
    assert f"tree.json” {why}" in left
    assert left.endswith("; restore it from a copy  task=first solver=good rollout=1")
    added = [json.loads(line) for line in journal.read_text()[len(before) :].splitlines()]
    told = {(trial["task"], trial["solver"]) for trial in added}
    assert {("first", "noop"), ("second", "good"), ("second", "noop")} == told


def test_where_nothing_can_be_taken_up_again_that_is_an_error(done: Run, place: Path) -> None:
    for task in ("first", "second"):
        for name in ("good", "noop"):
            kept = place / "runs/one/trials" / task / name / "1"
            kept.mkdir(parents=True, exist_ok=True)
            (kept / "tree.json").write_text("{")
    said = done("grade", "one")
    assert 2 == said.returncode
    assert "error: none of the run's attempts can be taken up again" in said.stderr


def test_audit_runs_no_agent(done: Run, place: Path) -> None:
    config = (place / "run.toml").read_text()
    (place / "run.toml").write_text(config.replace("open('answer.txt', 'w')", "open('no/no')"))
    said = done("audit", "one", "--set", "run.auditors=['patch']")
    assert 0 == said.returncode, said.stderr
    assert "100% (2/2)" in said.stdout


def test_a_run_is_audited_by_the_auditors_that_a_setting_names(done: Run, place: Path) -> None:
    said = done("audit", "one", "--set", "run.auditors=['patch']")
    assert 0 == said.returncode, said.stderr
    lines = (place / "runs/one/trials.jsonl").read_text().splitlines()
    trials = [json.loads(line) for line in lines]
    audited = [each.get("audited_by") for each in trials if each["solver"] == "good"]
    assert [None, None, {"patch": 1}, {"patch": 1}] == audited
    assert said.stderr.startswith(
        "auditing 4 trials of a run that is over; no agent is run\n[1/4]"
    )
    assert "first · good  clean\n" in said.stderr
    assert "first · noop  not audited: a control arm\n" in said.stderr


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        ("nonsense.key=1", "a run config has no table [nonsense]"),
        ("run.auditrs=['patch']", "[run] auditrs: there is no such key"),
    ],
)
@pytest.mark.parametrize("more", [(), ("-c", "run.toml")])
def test_a_setting_that_cannot_be_is_refused_by_an_audit(
    done: Run, setting: str, problem: str, more: tuple[str, ...]
) -> None:
    said = done("audit", "one", "--set", setting, *more)
    assert (2, f"error: {problem}") == (said.returncode, said.stderr.splitlines()[0])


@pytest.mark.parametrize(
    ("more", "config"),
    [((), "as the run began, in runs/one/run.json"), (("-c", "run.toml"), "run.toml")],
)
def test_an_audit_without_auditors_is_refused_and_changes_nothing(
    done: Run, place: Path, more: tuple[str, ...], config: str
) -> None:
    done("audit", "one", "--set", "run.auditors=['patch']")
    journal = (place / "runs/one/trials.jsonl").read_bytes()
    said = done("audit", "one", *more)
    assert (2, "") == (said.returncode, said.stdout)
    assert said.stderr == (
        "error: the config names no auditors, so that nothing would be judged\n\n"
        f"  run            one\n  config         {config}\n\n"
        "  name them, as by --set \"run.auditors=['patch', 'trajectory']\"\n"
    )
    assert journal == (place / "runs/one/trials.jsonl").read_bytes()


def test_a_scorecard_takes_no_settings(done: Run) -> None:
    said = done("audit", "one", "--scorecard", "--set", "run.auditors=['patch']")
    assert (2, True) == (
        said.returncode,
        "error: --scorecard shows an audit that was made; --set can't change it" in said.stderr,
    )


def test_a_suite_that_has_moved_is_given_by_the_config_as_it_is_now(
    done: Run, place: Path
) -> None:
    (place / "small").rename(place / "moved")
    config = (place / "run.toml").read_text()
    (place / "run.toml").write_text(config.replace('path = "small"', 'path = "moved"'))
    said = done("grade", "one")
    assert 2 == said.returncode
    assert "  config         as the run began, in runs/one/run.json\n" in said.stderr
    assert said.stderr.endswith(
        "  mend `path` of the suite's table; "
        "if the config has changed since the run began, give it by -c\n"
    )
    assert 0 == done("grade", "one", "-c", "run.toml").returncode


def test_progress_of_a_grading_is_not_that_of_a_run(done: Run) -> None:
    lines = done("grade", "one").stderr.splitlines()
    assert "grading 4 trials of a run that is over; no agent is run" == lines[0]
    assert "[1/4]  first · good  resolved" == lines[1]


def test_grade_takes_the_config_that_it_is_given(done: Run) -> None:
    said = done("grade", "one", "-c", "nosuch.toml")
    assert (2, True) == (said.returncode, "there is no file “nosuch.toml”" in said.stderr)


def test_grade_as_json_prints_the_document_alone(done: Run) -> None:
    said = done("grade", "one", "--json", "--log", "quiet")
    assert "one" == json.loads(said.stdout)["runs"][0]["label"]
    assert "" == said.stderr


def test_a_run_without_a_config_is_reported_by_reporters_as_they_are(
    done: Run, place: Path
) -> None:
    path = place / "runs/one/run.json"
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, "config": {}}))
    assert "| good" in done("report", "one").stdout
    said = done("grade", "one")
    assert (2, True) == (
        said.returncode,
        "give the config that it was run with, by -c" in said.stderr,
    )
    assert 0 == done("grade", "one", "-c", "run.toml").returncode


def test_a_document_that_cannot_be_written_is_one_clear_error(done: Run, place: Path) -> None:
    (place / "runs/one/reports").write_text("a file where the directory should be")
    said = done("report", "one", "--reporter", "csv", "--reporter", "json")
    assert 3 == said.returncode
    assert "“runs/one/reports/trials.csv” can't be written" in said.stderr
