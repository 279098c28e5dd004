"""A run with two arms, from its config to what is said of them."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]

ARMS = """
[arms.before]
[arms.after]
solvers.good.argv = ["python3", "-c", "open('answer.txt', 'w').write('43\\\\n')"]
"""


@pytest.fixture
def done(run: Run, place: Path) -> Run:
    with (place / "run.toml").open("a") as file:
        file.write(ARMS)
    said = run("run", "run.toml", "--solvers", "good", "--label", "a")
    assert 0 == said.returncode
    assert "arms before → after: solvers.good.argv: " in said.stderr
    return run


def test_two_arms_of_a_run_are_set_side_by_side(done: Run, place: Path) -> None:
    record = json.loads((place / "runs/a/run.json").read_text())
    assert ["good@before", "good@after"] == record["solvers"]
    lines = (place / "runs/a/trials.jsonl").read_text().splitlines()
    order = [json.loads(line)["solver"] for line in lines]
    assert ["good@before", "good@after", "good@after", "good@before"] == order
    assert (place / "runs/a/trials/first/good@after/1").is_dir()
    (place / "flags.csv").write_text("task,flag\nfirst,odd | one\nfirst,again\n")
    said = done("compare", "a", "--diff", "--flags", "flags.csv")
    assert (0, "") == (said.returncode, said.stderr)
    head = '# before → after\n\n- arms before → after: solvers.good.argv: `["python3", "-c", '
    assert said.stdout.startswith(head)
    assert "\\[" not in said.stdout
    (row,) = (line for line in said.stdout.splitlines() if line.startswith("| first "))
    assert "| pass → FAIL " in row
    assert "| +1 -1 → +1 -1 " in row
    assert "| odd \\| one; again " in row
    assert "takes about" in said.stdout
    assert 1 == done("compare", "a", "--fail-on-regression").returncode
    document = json.loads(done("compare", "a", "--json").stdout)
    assert (True, "before") == (document["regression"], document["before"])
    assert {"tasks": 2, "needed": 4, "more": 2} == {
        name: document["solvers"][0]["power"][name] for name in ("tasks", "needed", "more")
    }


def test_the_run_can_be_resumed_and_graded_again(done: Run) -> None:
    resumed = done("run", "run.toml", "--solvers", "good", "--label", "a", "--resume")
    assert 0 == resumed.returncode
    assert 0 == done("grade", "a").returncode
    audited = done("audit", "a", "--set", "run.auditors=['patch']")
    assert (0, 4) == (audited.returncode, audited.stderr.count("  clean\n")), audited.stderr
    other = done(
        "run", "run.toml", "--solvers", "good", "--label", "a", "--resume",
        "--set", 'arms.after.solvers.good.argv=["true"]',
    )  # fmt: skip
    assert 2 == other.returncode
    assert "made with other settings" in other.stderr


def test_a_run_without_arms_needs_another_beside_it(run: Run) -> None:
    assert 0 == run("run", "run.toml", "--solvers", "good", "--label", "a").returncode
    said = run("compare", "a")
    assert 2 == said.returncode
    assert said.stderr == (
        "error: run “a” has no arms to set side by side\n\n"
        "  name the run before and the run after; or write [arms.before] and [arms.after] in a"
        " config, and run that\n"
    )


def test_several_differences_must_be_allowed(run: Run, place: Path) -> None:
    with (place / "run.toml").open("a") as file:
        file.write(ARMS + "run.timeout_s = 30\n")
    argv = ("run", "run.toml", "--solvers", "good", "--label", "a")
    assert "differ in 2 things" in run(*argv).stderr
    assert not (place / "runs").exists()
    plan = run(*argv, "--allow-several-differences", "--plan")
    assert 0 == plan.returncode
    assert "arms before → after: run.timeout_s: not set → 30\n" in plan.stderr
    assert "good@before" in plan.stdout


@pytest.mark.parametrize(
    ("name", "text", "because"),
    [
        ("f.csv", "a,b,c\n", "line 1 holds 3 parts, not a task and a flag"),
        ("f.toml", "a = 3\n", "the flag of “a” is no text"),
        ("f.toml", "a =\n", "line 1"),
        ("gone.csv", None, "No such file"),
    ],
)
def test_flags_of_another_form_are_refused(
    run: Run, place: Path, name: str, text: str | None, because: str
) -> None:
    if text is not None:
        (place / name).write_text(text)
    said = run("compare", "a", "b", "--flags", name)
    assert (2, f"error: “{name}” holds no flags") == (
        said.returncode,
        said.stderr.splitlines()[0],
    )
    assert because in said.stderr


def test_flags_of_a_task_that_is_not_compared_are_named(run: Run, place: Path) -> None:
    for label in ("a", "b"):
        argv = ("run", "run.toml", "--solvers", "noop", "--only", "first", "--label", label)
        assert 0 == run(*argv).returncode
    (place / "flags.csv").write_text("first,odd\nfrist,typo\n")
    said = run("compare", "a", "b", "--flags", "flags.csv")
    assert 0 == said.returncode
    warning = "warning: --flags names the task “frist”, which is not compared; nearest: first\n"
    assert warning == said.stderr
