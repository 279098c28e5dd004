"""`fairtrial report`: what is shown, and what is written instead."""

import os
import pty
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from fairtrial.api import Document, Unwritable
from fairtrial.cli.documents import Outlet

Run = Callable[..., CompletedProcess[str]]


def on_terminal(argv: list[str], place: Path) -> tuple[str, str]:
    """Runs a program with its stdout on a terminal; returns what that got, and stderr."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(argv, cwd=place, stdout=theirs, stderr=subprocess.PIPE) as child:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:  # the terminal's other end has gone
            pass
        os.close(ours)
        assert child.stderr is not None
        said = child.stderr.read()
    return shown.decode(), said.decode()


def test_a_document_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    outlet = Outlet(folder=tmp_path, everything=True)
    page = tmp_path / "page.html"
    outlet.publish([Document(name=page.name, media_type="text/html", body=b"good")])

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        with pytest.raises(Unwritable, match=r"page\.html” can't be written"):
            outlet.publish([Document(name=page.name, media_type="text/html", body=b"x" * 9999)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert [page] == list(tmp_path.iterdir())
    assert b"good" == page.read_bytes()


def test_a_page_is_never_poured_onto_a_terminal(run: Run, place: Path, program: list[str]) -> None:
    run("run", "run.toml", "--only", "first")
    argv = [*program, "report", "run", "--reporter", "html"]
    shown, said = on_terminal(argv, place)
    assert ("", "wrote runs/run/reports/report.html\n") == (shown, said)
    assert (place / "runs/run/reports/report.html").read_text().startswith("<!DOCTYPE html>")


def test_a_page_goes_into_a_pipe_as_it_is(run: Run, spawn: Run, place: Path) -> None:
    run("run", "run.toml", "--only", "first")
    said = spawn("report", "run", "--reporter", "html")
    assert (0, "") == (said.returncode, said.stderr)
    assert said.stdout.startswith("<!DOCTYPE html>")
    assert not (place / "runs/run/reports").exists()


def test_out_takes_every_document(run: Run, place: Path) -> None:
    run("run", "run.toml", "--only", "first")
    said = run("report", "run", "--reporter", "html", "--reporter", "table", "--out", "site")
    assert ("", 0) == (said.stdout, said.returncode)
    assert "wrote site/report.html\nwrote site/frontier.md\n" == said.stderr
    assert {"report.html", "frontier.md"} == {path.name for path in (place / "site").iterdir()}


def test_beside_a_table_a_page_is_written(run: Run) -> None:
    run("run", "run.toml", "--only", "first")
    said = run("report", "run", "--reporter", "table", "--reporter", "html")
    assert said.stdout.startswith("# run\n")
    assert "wrote runs/run/reports/report.html" in said.stderr
