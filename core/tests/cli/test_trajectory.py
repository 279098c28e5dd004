import json
import subprocess
import sys
from pathlib import Path

import pytest
from atif import Trajectory

ROOT = Path(__file__).parents[3]
CONFIG = """
[run]
suite = "smoke"
solvers = ["talker"]
only = ["page-count"]
validate = false
sandbox = "local"
meters = []
reporters = ["json"]
[suites.smoke]
plugin = "folder"
path = "{suite}"
[solvers.talker]
plugin = "command"
argv = ["sh", "-c", "fairtrial-ask 'Which way?' up down; echo done"]
"""


def fairtrial(*argv: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "fairtrial", *argv],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    config = CONFIG.format(suite=ROOT / "tasks/smoke")
    (folder / "talk.toml").write_text(config, encoding="utf-8")
    done = fairtrial("run", "talk.toml", cwd=folder)
    assert (
        "done" in (folder / "runs/talk/trials/page-count/talker/1/trajectory.jsonl").read_text()
    ), done.stderr
    return folder


def test_an_attempt_is_shown_event_by_event(place: Path) -> None:
    done = fairtrial("trajectory", "talk", "page-count", "talker", cwd=place)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert ["user_message", "question", "question_answered", "assistant_text", "turn_end"] == [
        row["type"] for row in rows
    ]
    assert {"Which way?": "up"} == rows[2]["answers"]


def test_an_attempt_is_written_in_the_interchange_format_and_read_back(place: Path) -> None:
    done = fairtrial("trajectory", "talk", "page-count", "talker", "--form", "atif", cwd=place)
    document = json.loads(done.stdout)
    Trajectory.model_validate(document)
    assert "talk/page-count/talker/1" == document["session_id"]
    path = place / "atif.json"
    path.write_text(done.stdout, encoding="utf-8")
    assert (0, "") == (
        (checked := fairtrial("trajectory", "--check", "atif.json", cwd=place)).returncode,
        checked.stdout,
    )
    back = fairtrial("trajectory", "--read", "atif.json", cwd=place)
    assert "user_message" == json.loads(back.stdout.splitlines()[0])["type"]
    document["steps"][0]["step_id"] = 7
    path.write_text(json.dumps(document), encoding="utf-8")
    faulty = fairtrial("trajectory", "--check", "atif.json", cwd=place)
    assert (1, "steps[1].step_id: is 7, and should be 1\n") == (faulty.returncode, faulty.stdout)


def test_what_is_not_there_is_told_with_what_is(place: Path) -> None:
    done = fairtrial("trajectory", "talk", "page-count", "nobody", cwd=place)
    expected = """error: the run has no attempt 1 of “nobody” on “page-count”

  attempts       page-count talker 1
  nearest        page-count talker 1

  name one of its attempts by task, solver and --rollout
"""
    assert (2, expected) == (done.returncode, done.stderr)
    done = fairtrial("trajectory", "talk", "page-cuont", "talker", cwd=place)
    assert "\n  nearest        page-count talker 1\n" in done.stderr
    done = fairtrial("trajectory", "--read", "talk.toml", cwd=place)
    assert (2, "error: “talk.toml” is no JSON document") == (
        done.returncode, done.stderr.splitlines()[0]
    )  # fmt: skip
    done = fairtrial("trajectory", "talk", cwd=place)
    assert (
        "error: an attempt is named by its run, its task and its solver"
        == (done.stderr.splitlines()[0])
    )
