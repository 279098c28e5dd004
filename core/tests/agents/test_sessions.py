"""Session files of a program that may have locked what it left."""

from pathlib import Path

from fairtrial.agents.sessions import forget_sessions, session_files


def test_sessions_in_a_folder_that_was_locked_are_forgotten(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    (folder / "one.jsonl").write_text("{}\n")
    folder.chmod(0o555)
    forget_sessions(tmp_path, ["sessions/*.jsonl"])
    assert [] == session_files(tmp_path, ["sessions/*.jsonl"])
