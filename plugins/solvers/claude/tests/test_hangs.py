"""What would hang a run: a program that waits for the end of its stdin, or one that stays."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve
from fairtrial.api import Brief, Ending
from fairtrial.conformance.fakes import FakeSession, open_local
from fairtrial_solver_claude import ClaudeSolver

FAKE = Path(__file__).parent / "fake_claude.py"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[FakeSession]:
    with open_local("claude") as workspace:
        brief = Brief(prompt="Do it.", timeout_s=20)
        environment = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
        yield FakeSession(
            brief=brief, workspace=workspace, scratch=tmp_path, environment=environment
        )


@pytest.fixture
def solver(tmp_path: Path) -> ClaudeSolver:
    program = tmp_path / "claude"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{FAKE}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return ClaudeSolver(program=str(program), grace_s=0.1, retries=0)


@pytest.mark.parametrize("questions", [True, False])
def test_a_program_that_stays_after_its_result_has_succeeded(
    session: FakeSession, solver: ClaudeSolver, questions: bool
) -> None:
    """claude-code#25629."""
    start = time.monotonic()
    attempt = evolve(solver, questions=questions, args=("--lingers",)).solve(session)
    assert (Ending.FINISHED, "") == (attempt.ending, attempt.note)
    assert [7] == [used.output for used in attempt.usage]
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("questions", [True, False])
def test_a_program_that_reads_its_stdin_to_the_end_is_not_kept_waiting(
    session: FakeSession, solver: ClaudeSolver, questions: bool
) -> None:
    """multica#592, ruflo#1111, ralph#170."""
    start = time.monotonic()
    patient = evolve(solver, questions=questions, grace_s=60.0)
    assert Ending.FINISHED == patient.solve(session).ending
    # It reads on after its result where its stdin is a dialogue, and before it where it is none.
    assert time.monotonic() - start < 10
