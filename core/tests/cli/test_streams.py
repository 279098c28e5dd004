"""Streams, logs, and Markdown on a terminal."""

import io
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from fairtrial.api import Document
from fairtrial.cli.documents import show
from fairtrial.cli.log import configure
from fairtrial.cli.options import LogForm
from fairtrial.cli.places import resume_command
from fairtrial.cli.render import rendered
from fairtrial.cli.settings import settings_of
from fairtrial.cli.streams import PLAIN, emit, is_terminal, results_alone, settle_streams
from fairtrial.cli.voice import VOICE
from fairtrial.config import Setting
from fairtrial.figures.markdown import table


class Terminal(io.TextIOWrapper):
    def __init__(self, encoding: str) -> None:
        self.bytes = io.BytesIO()
        super().__init__(self.bytes, encoding=encoding, write_through=True)

    def isatty(self) -> bool:
        return True


@pytest.fixture
def said() -> Iterator[list[str]]:
    lines: list[str] = []
    with VOICE.through(lines.append):
        yield lines
    structlog.reset_defaults()


def test_what_a_terminal_cannot_show_is_shown_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal("ascii")
    monkeypatch.setattr(sys, "stdout", terminal)
    settle_streams()
    emit("a – b → “c” … ж\n")
    assert b'a - b -> "c" ... ?\n' == terminal.bytes.getvalue()


def test_what_plugins_print_is_no_result(capsys: pytest.CaptureFixture[str]) -> None:
    with results_alone():
        sys.stdout.write("a plugin's own words\n")
        emit("a result\n")
        with results_alone():
            emit("another\n")
    sys.stdout.write("after it\n")
    assert ("a result\nanother\nafter it\n", "a plugin's own words\n") == capsys.readouterr()


def test_what_a_terminal_can_show_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal("latin-1")
    monkeypatch.setattr(sys, "stdout", terminal)
    settle_streams()
    emit("3 × ü – ß\n")
    assert "3 × ü - ß\n".encode("latin-1") == terminal.bytes.getvalue()


@pytest.mark.parametrize("wide", [True, False])
def test_a_table_that_is_put_plainly_stays_aligned(
    monkeypatch: pytest.MonkeyPatch, wide: bool
) -> None:
    text = table(("Task", "Before → after"), [("a\\|b", "– → 3"), ("c", "12 → 4")], right="lr")
    monkeypatch.setenv("TERM", "xterm" if wide else "dumb")
    monkeypatch.setenv("COLUMNS", "80")
    terminal = Terminal("ascii")
    monkeypatch.setattr(sys, "stdout", terminal)
    settle_streams()
    show(Document(name="x", media_type="text/markdown", body=text.encode()))
    said = re.sub("\x1b\\[[0-9;]*m", "", terminal.bytes.getvalue().decode())
    lines = [line for line in said.splitlines() if line]
    assert (4, 3) == (len(lines), said.count("->"))
    assert 1 == len({len(line) for line in lines})


def test_every_stand_in_is_ascii() -> None:
    assert all(stand_in.isascii() for stand_in in PLAIN.values())


def test_a_dumb_terminal_is_none_to_draw_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert is_terminal(Terminal("utf-8"))
    monkeypatch.setenv("TERM", "dumb")
    assert not is_terminal(Terminal("utf-8"))


def test_a_text_log_is_one_short_line(said: list[str]) -> None:
    configure(LogForm.TEXT)
    log = structlog.get_logger()
    log.info("stage of a trial")
    log.warning("reading unreliable", meter="rapl", why="too short a window", j=None)
    log.warning("trial left", task="a", because="“x” is torn\nhere", way_on="restore it", at="1 2")
    log.warning("nothing to select from", way_on="set rollouts above 1")
    assert [
        "warning: reading unreliable: too short a window  meter=rapl j=None",
        'warning: trial left: “x” is torn here; restore it  task=a at="1 2"',
        "warning: nothing to select from: set rollouts above 1",
    ] == said


def test_verbose_shows_stages_too(said: list[str]) -> None:
    configure(LogForm.TEXT, verbose=True)
    structlog.get_logger().info("attempt ended", task="first")
    assert ["info: attempt ended  task=first"] == said


def test_a_json_log_is_one_object_with_sorted_facts(said: list[str]) -> None:
    configure(LogForm.JSON)
    structlog.get_logger().warning("task is invalid", why="x", task="first")
    found = json.loads(said[0])
    assert ["timestamp", "level", "event", "task", "why"] == list(found)


def test_a_quiet_log_tells_errors_only(said: list[str]) -> None:
    configure(LogForm.QUIET, verbose=True)
    structlog.get_logger().warning("weaker than asked")
    structlog.get_logger().error("given up")
    assert ["error: given up"] == said


def test_a_log_cannot_move_the_cursor(said: list[str]) -> None:
    configure(LogForm.TEXT)
    for fact in ("text", "because"):
        structlog.get_logger().warning("agent said", **{fact: "\x1b[2Jgone\nerror: forged"})
    assert [True, True] == [line.isprintable() for line in said]


WIDE = "| Solver | Resolved | Joules |\n| --- | ---: | --- |\n| a-long-name | 100% | 1 to 2 |\n"


def test_a_table_is_shown_with_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    lines = rendered(WIDE, width=80).splitlines()
    assert any("a-long-name" in line and "1 to 2" in line for line in lines)
    assert all("|" not in line for line in lines)


def test_a_wide_table_is_turned_on_its_side_and_loses_nothing() -> None:
    text = rendered(WIDE, width=26)
    assert "…" not in text
    lines = [line for line in text.splitlines() if "Joules" in line]
    assert ["1 to 2"] == [part for line in lines for part in ("1 to 2",) if part in line]


FRONTIER = (
    "| Solver | Resolved | 95 % | Not judged | J/resolved | $/resolved | Front |\n"
    "| --- | ---: | ---: | --- | ---: | ---: | --- |\n"
    "| reference (control) | 100% (4/4) | 51% to 100% | none | 5.98 (5.63 to 6.35) | – | – |\n"
    "| mine | 25% (1/4) | 5% to 70% | 1 infra | 21.0 (10.0 to unbounded) | 0.03 | J $ |\n"
    "| theirs | 50% (2/4) | 15% to 85% | none | 12.0 (9.1 to 20.0) | 0.02 | no |\n"
)


@pytest.mark.parametrize("width", [50, 60, 70, 79])
def test_no_word_is_broken_on_a_narrow_terminal(width: int) -> None:
    shown = rendered(FRONTIER, width=width)
    lines = shown.splitlines()
    assert max(len(re.sub(r"\x1b\[[\d;]*m", "", line)) for line in lines) <= width
    for word in (*FRONTIER.split("|"), "unbounded)"):
        if word.strip("-: \n"):
            assert word.strip() in shown, word


def test_words_of_a_few_long_rows_are_kept_whole_though_their_cells_go_on() -> None:
    text = rendered(
        f"| Task | Rollout | Why |\n| --- | --- | --- |\n| add-helper | 1 | {'existing ' * 20}|\n",
        width=40,
    )
    assert 20 == text.count("existing")
    assert "add-helper" in text
    assert "Rollout" in text


def test_many_rows_keep_their_headings_whole_and_break_only_what_cannot_fit() -> None:
    rows = "".join(f"| {'x' * 60} | {number} |\n" for number in range(12))
    text = rendered(f"| Solver | Resolved |\n| --- | --- |\n{rows}", width=40)
    assert "Solver" in text
    assert "Resolved" in text


def test_a_cell_that_is_too_long_goes_on_in_the_next_line() -> None:
    rows = "".join(f"| row {number} | {'word ' * 20}|\n" for number in range(12))
    text = rendered(f"| A | Why |\n| --- | --- |\n{rows}", width=40)
    assert 12 * 20 == text.count("word")


def test_a_long_word_is_broken_rather_than_cut() -> None:
    rows = "".join(f"| {'x' * 60} | {number} |\n" for number in range(12))
    assert 12 * 60 == rendered(f"| A | B |\n| --- | --- |\n{rows}", width=40).count("x")


def test_flags_are_settings_and_set_comes_after_them() -> None:
    flags = {"solvers": ("a", "b"), "jobs": 2, "only": (), "label": None, "suite": "ü"}
    assert (
        Setting(text='run.solvers=["a", "b"]', flag="--solvers"),
        Setting(text="run.jobs=2", flag="--jobs"),
        Setting(text='run.suite="ü"', flag="--suite"),
        "run.jobs=4",
    ) == settings_of(flags, ["run.jobs=4"])


def test_the_resume_command_can_be_pasted() -> None:
    argv = ["run", "my run.toml", "--set", "a.b=['c']"]
    pasted = """fairtrial run 'my run.toml' --set 'a.b=['"'"'c'"'"']' --label r-2 --resume"""
    assert pasted == resume_command(argv, "r-2")
    named = ["run", "x", "--resume", "--label", "r"]
    assert "fairtrial run x --resume --label r" == resume_command(named, "r")


def test_help_that_a_full_disk_does_not_take_is_told_without_a_traceback() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "fairtrial", "run", "--help"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert 0 != done.returncode
    assert done.stderr.startswith("error: ")
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&- <&-"])
@pytest.mark.parametrize(
    ("command", "code"), [("--version", 0), ("plugins list", 0), ("run x", 2)]
)
def test_a_closed_stream_is_nobody_listening(closed: str, command: str, code: int) -> None:
    line = f"{shlex.quote(sys.executable)} -m fairtrial {command} {closed}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert (code, False) == (done.returncode, "Traceback" in done.stderr)


@pytest.mark.parametrize("command", [["--version"], ["--help"], ["plugins", "list"]])
def test_results_that_a_full_disk_does_not_take_are_one_clear_error(command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "fairtrial", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert 3 == done.returncode
    assert (
        """\
error: the results can't be written to stdout

  because        No space left on device

  make room, or send them elsewhere; what is kept of a run can be shown again
"""
        == done.stderr
    )
