"""What would hang a run: a program that reads its stdin to the end, whatever its prompt is."""

import sys
import time
from pathlib import Path

from attrs import evolve
from fairtrial.api import Brief, Ending
from fairtrial.conformance.fakes import FakeSession, open_local
from fairtrial_solver_codex import CodexSolver

FAKE = Path(__file__).parent / "fake_codex.py"


def test_a_program_that_reads_its_stdin_to_the_end_is_not_kept_waiting(tmp_path: Path) -> None:
    """openai/codex#20919."""
    program = tmp_path / "codex"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{FAKE}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    with open_local("codex") as workspace:
        session = FakeSession(
            brief=Brief(prompt="Do it.", timeout_s=20),
            workspace=workspace,
            scratch=tmp_path,
            environment={"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"},
        )
        start = time.monotonic()
        attempt = evolve(CodexSolver(program=str(program)), grace_s=60.0).solve(session)
        prompt = (workspace.root / "answer.txt").read_text()
    assert (Ending.FINISHED, "Do it.") == (attempt.ending, prompt)
    assert time.monotonic() - start < 10
