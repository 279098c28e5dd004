"""`fairtrial report RUN --transcript TASK/SOLVER/N`, and what a run says of its attempts."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def done(run: Run, place: Path) -> Run:
    """A run of one task, and what its solver left as its log."""
    assert (
        0
        == run(
            "run", "run.toml", "--solvers", "good", "--only", "first", "--label", "a"
        ).returncode
    )
    log = place / "runs/a/trials/first/good/1/trajectory.jsonl"
    rows = (
        {"type": "user_message", "ts": "2026-10-10T00:00:00Z", "id": "initial", "text": "Do."},
        {
            "type": "assistant_text",
            "ts": "2026-10-10T00:02:00Z",
            "text": "Done\x1b[2J.",
            "message_id": "1",
        },
    )
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return run


def test_one_attempt_is_shown_step_by_step(done: Run) -> None:
    said = done("report", "a", "--transcript", "first/good/1")
    assert (0, "") == (said.returncode, said.stderr)
    assert said.stdout.splitlines() == [
        "    0:00  user says: Do.",
        "          ── nothing for 120 s while working ──",
        "    2:00  says: Done␛[2J.",
    ]
    short = done("report", "a", "--transcript", "first/good", "--origin", "user")
    assert short.stdout.startswith("    0:00  user says: Do.\n")
    assert "says: Done" not in short.stdout


@pytest.mark.parametrize(
    ("name", "more", "code", "problem"),
    [
        ("first", (), 2, "--transcript takes TASK/SOLVER/N, not “first”"),
        ("first/good/x", (), 2, "--transcript takes TASK/SOLVER/N, not “first/good/x”"),
        ("first/good/2", (), 2, "the run has no attempt “first/good/2”"),
        ("../x/1", (), 2, "the run has no attempt “../x/1”"),
        ("first/good/1", ("--origin", "usr"), 2, "--origin takes no “usr”"),
    ],
)
def test_what_cannot_be_shown_is_refused(
    done: Run, name: str, more: tuple[str, ...], code: int, problem: str
) -> None:
    said = done("report", "a", "--transcript", name, *more)
    assert (code, f"error: {problem}") == (said.returncode, said.stderr.splitlines()[0])


def test_an_attempt_without_a_log_says_so(done: Run, place: Path) -> None:
    (place / "runs/a/trials/first/good/1/trajectory.jsonl").unlink()
    said = done("report", "a", "--transcript", "first/good/1")
    assert "attempt “first/good/1” left no log" in said.stderr


def test_auditing_again_counts_the_log_anew(done: Run) -> None:
    assert 0 == done("audit", "a", "--set", "run.auditors=['patch']").returncode
    found = json.loads(
        done("report", "a", "--reporter", "attempts", "--out", "o").stdout or "null"
    )
    assert found is None
    document = json.loads(Path("o/attempts.json").read_text())
    (attempt,) = document["runs"][0]["attempts"]
    assert 120_000 == attempt["insight"]["longest_silence_ms"]
