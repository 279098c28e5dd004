"""Going on with a run: what may have been mended since, and what may not."""

import json
from pathlib import Path

import pytest
from fairtrial.cli.app import main

TASK = """
name = "small"
prompt = "Write `done`."
test_cmd = ["sh", "-c", "test -f done && echo Ran 1 test"]
"""
CONFIG = """
[run]
suite = "folder"
solvers = ["mine", "other"]
meters = []
sandbox = "local"
validate = false
[suites.folder]
path = "tasks"
[solvers.mine]
plugin = "command"
argv = ["{mine}"]
[solvers.other]
plugin = "command"
argv = ["{other}"]
"""
RESUMED = ("run", "run.toml", "--resume", "--log", "quiet")


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    task = tmp_path / "tasks/small"
    (task / "before").mkdir(parents=True)
    (task / "before/a.txt").touch()
    (task / "task.toml").write_text(TASK)


def write(mine: str, other: str = "true") -> None:
    # A program of the workspace may come with a task, so that only a trial shows it missing.
    Path("run.toml").write_text(CONFIG.replace("{mine}", mine).replace("{other}", other))


def trials() -> list[tuple[str, str]]:
    lines = Path("runs/run/trials.jsonl").read_text().splitlines()
    return [(each["solver"], each["ending"]) for each in map(json.loads, lines)]


def test_a_solver_that_never_worked_may_be_mended(capsys: pytest.CaptureFixture[str]) -> None:
    write("./nosuch")
    assert 1 == main(["run", "run.toml", "--log", "quiet"])
    assert "“mine” broke for reasons that are not the agent's" in capsys.readouterr().err
    assert [("mine", "infra"), ("other", "finished")] == trials()
    write("true")
    assert 0 == main(RESUMED)
    assert [*trials()[:2], ("mine", "finished")] == trials()
    record = json.loads(Path("runs/run/run.json").read_text())
    assert ["true"] == record["config"]["solvers"]["mine"]["fields"]["argv"]
    # From now on it has a trial that is kept, and is held to what it was.
    write("false")
    assert 2 == main(RESUMED)
    assert 3 == len(trials())


def test_a_solver_that_has_worked_may_not_be_changed(capsys: pytest.CaptureFixture[str]) -> None:
    write("./nosuch")
    main(["run", "run.toml", "--log", "quiet"])
    write("true", "false")
    capsys.readouterr()
    assert 2 == main(RESUMED)
    said = capsys.readouterr().err
    assert "[solvers.other] argv" in said
    assert "[solvers.mine]" not in said


def test_a_solver_that_is_new_is_another_run(capsys: pytest.CaptureFixture[str]) -> None:
    write("true")
    assert 0 == main(["run", "run.toml", "--solvers", "mine", "--log", "quiet"])
    assert 2 == main(RESUMED)
    assert "[solvers.other]" in capsys.readouterr().err


def test_a_run_of_other_tasks_is_named_with_the_flag_that_chose_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    task = Path("tasks/second")
    (task / "before").mkdir(parents=True)
    (task / "before/a.txt").touch()
    (task / "task.toml").write_text(TASK.replace('"small"', '"second"'))
    write("true")
    for _ in range(2):
        assert 0 == main(["run", "run.toml", "--only", "small", "--log", "quiet"])
    capsys.readouterr()
    assert 2 == main(RESUMED)
    assert (
        "error: the run to resume was made with other settings\n\n"
        "  run            runs/run-2\n"
        "  [run] only     small → –\n"
        "  task second    not part of it → part of this one\n\n"
        "  undo the change, name another run by --label, or begin one without --resume\n"
    ) == capsys.readouterr().err


def test_what_is_made_again_was_paid_for_out_of_the_same_budget(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("true")
    budget = ("--set", "run.budget_usd_per_task=0.2", "--set", "run.budget_usd_total=0.5")
    assert 0 == main(["run", "run.toml", "--log", "quiet", "--solvers", "mine", *budget])
    journal = Path("runs/run/trials.jsonl")
    done = json.loads(journal.read_text())
    # As a run leaves it that was stopped twice; each of its attempts has cost something.
    for second in (1, 2):
        again = {"ending": "interrupted", "started_at": f"2026-01-01T00:00:0{second}.000Z"}
        cost = {"usage": [{"model": "m", "cost_usd": 0.2}], "verdict": None}
        with journal.open("a") as file:
            file.write(json.dumps({**done, **again, **cost}) + "\n")
    assert 0 == main([*RESUMED, "--solvers", "mine", *budget])
    assert "spent        $0.40 of $0.50" in capsys.readouterr().err
    assert ("mine", "skipped-budget") == trials()[-1]


def test_a_run_in_several_threads_spends_what_the_caps_of_trials_under_way_left(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("true")
    Path("tell.sh").write_text("""echo '{"cost": 0.01}'\n""")
    told = ("--set", f"solvers.mine.argv=['sh', '{Path.cwd()}/tell.sh']")
    budget = ("--set", "run.budget_usd_per_task=0.4", "--set", "run.budget_usd_total=0.5")
    pointers = (
        "--set",
        "solvers.mine.result='stdout'",
        "--set",
        "solvers.mine.pointers.cost='/cost'",
    )
    many = ("--solvers", "mine", "--set", "run.jobs=4", "--set", "run.rollouts=4")
    assert 0 == main(["run", "run.toml", "--log", "quiet", *told, *pointers, *budget, *many])
    assert [("mine", "finished")] * 4 == trials()
    assert "spent        $0.04 of $0.50" in capsys.readouterr().err
