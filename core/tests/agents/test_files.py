"""The place of a program's logs, whatever the program did to it."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fairtrial.agents.files import log_folder, logs_apart
from fairtrial.agents.sessions import keep_sessions
from fairtrial.api import LogMessage, TurnEnd
from fairtrial.conformance.fakes import FakeSession
from fairtrial.processes.removal import remove_tree

Begin = Callable[..., FakeSession]
NOBODY = 65534
GLOBS = ["sessions/*.jsonl"]


@contextmanager
def as_an_ordinary_user() -> Iterator[None]:
    """Is nobody for a while, since a lock holds nothing back from the superuser."""
    ourselves = os.geteuid()
    if ourselves == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(ourselves)


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A private directory of the ordinary user's."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    yield folder
    assert remove_tree(folder)


def said(session: FakeSession) -> list[str]:
    return [event.message for event in session.events if isinstance(event, LogMessage)]


@pytest.mark.parametrize("mode", [0o000, 0o500])
def test_logs_are_kept_where_a_program_locked_their_place(
    begin: Begin, scratch: Path, mode: int
) -> None:
    session = begin()
    session.scratch = scratch
    with as_an_ordinary_user(), logs_apart(session) as logs:
        (logs / "stdout").write_text("said")
        (scratch / "native").chmod(mode)
    assert ("said", []) == ((scratch / "native/stdout").read_text(), said(session))


def test_logs_that_cannot_be_kept_are_told(begin: Begin, scratch: Path) -> None:
    session = begin()
    session.scratch = scratch
    with as_an_ordinary_user(), logs_apart(session) as logs:
        (logs / "stdout").write_text("said")
        (scratch / "native").rmdir()
        scratch.chmod(0o500)
    assert ["not all logs of the program are kept: Permission denied"] == said(session)


def test_folders_nested_without_end_in_a_logs_place_are_no_obstacle(
    begin: Begin, scratch: Path
) -> None:
    session = begin()
    session.scratch = scratch
    with logs_apart(session) as logs:
        (logs / "stdout").write_text("said")
        nest(scratch / "native" / "stdout")
    assert ("said", []) == ((scratch / "native/stdout").read_text(), said(session))


def nest(place: Path) -> None:
    here = os.open(place.parent, os.O_RDONLY)
    for name in (place.name, *["d"] * 1500):
        os.mkdir(name, dir_fd=here)
        inner = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    (home / "sessions").mkdir(parents=True)
    (home / "sessions/one.jsonl").write_text("{}\n")
    return home


@pytest.mark.parametrize("place", ["native", "native/sessions", "native/sessions/sessions"])
def test_sessions_are_not_kept_where_a_link_leads(home: Path, tmp_path: Path, place: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / place).symlink_to(elsewhere)
    keep_sessions(home, tmp_path / "native", GLOBS)
    assert [] == list(elsewhere.iterdir())


def test_a_session_is_not_written_through_a_link(home: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    kept = tmp_path / "native/sessions/sessions/one.jsonl"
    kept.parent.mkdir(parents=True)
    kept.symlink_to(tmp_path / "mine")
    assert "" == keep_sessions(home, tmp_path / "native", GLOBS)
    assert ("mine", "{}\n") == ((tmp_path / "mine").read_text(), kept.read_text())


def test_why_sessions_are_lost_is_told(home: Path, tmp_path: Path) -> None:
    (tmp_path / "native").mkdir()
    (tmp_path / "native/sessions").touch()
    assert "Not a directory" == keep_sessions(home, tmp_path / "native", GLOBS)


def test_sessions_are_kept_where_a_program_locked_their_place(scratch: Path) -> None:
    with as_an_ordinary_user():
        (scratch / "sessions").mkdir()
        (scratch / "sessions/one.jsonl").write_text("{}\n")
        (scratch / "native").mkdir(mode=0)
        assert "" == keep_sessions(scratch, scratch / "native", GLOBS)
    assert "{}\n" == (scratch / "native/sessions/sessions/one.jsonl").read_text()


def test_sessions_that_cannot_be_kept_leave_an_attempt_as_it_is(
    begin: Begin, script: Callable[..., object]
) -> None:
    session = begin()
    agent = script(
        "mkdir $HOME/sessions && echo '{}' >$HOME/sessions/one.jsonl",
        "touch $HOME/../native/sessions",
        """echo '{"type":"end","output":5}'""",
    )
    assert "finished" == agent.solve(session).ending  # type: ignore[attr-defined]  # the fixture's
    assert ["not all session files are kept: Not a directory"] == said(session)
    assert isinstance(session.events[-2], TurnEnd)


def test_what_a_start_left_in_the_place_of_logs_reaches_no_later_one(tmp_path: Path) -> None:
    native = tmp_path / "native"
    native.mkdir()
    os.mkfifo(native / "stdout")
    (native / "stderr").mkdir()
    assert native == log_folder(native)
    assert [] == [path.name for path in native.iterdir() if path.name in {"stdout", "stderr"}]
    other = tmp_path / "other"
    other.symlink_to(native)
    assert (other, False) == (log_folder(other), other.is_symlink())


def test_a_place_of_logs_that_cannot_be_had_is_none(scratch: Path) -> None:
    with as_an_ordinary_user():
        (scratch / "native").touch()
        scratch.chmod(0o500)
        assert log_folder(scratch / "native") is None
