"""What `bwrap` reports of a program, where the program can't reach it."""

import json
from pathlib import Path

from attrs import evolve
from fairtrial.api import EndedBy, Finished, SandboxDied
from fairtrial.processes.codes import as_shells_tell

_OWN = frozenset({EndedBy.EXIT, EndedBy.SIGNAL})


def told(done: Finished, report: Path, *, starved: bool) -> Finished:
    """
    Returns how the program ended, from how `bwrap` did and what it reported.

    `bwrap` tells a signal as shells do, by a code above 128, and so a program that exits with
    such a code is taken for one that a signal ended.

    Args:
        done: How `bwrap` ended.
        report: What it wrote (its option `--json-status-fd`).
        starved: Whether the kernel killed something here for want of memory.

    Raises:
        SandboxDied: It ended before its program did, or could not start it.
    """
    if done.ended_by not in _OWN:
        return done
    said = _read(report)
    code = said.get("exit-code")
    if code is None and starved:
        return evolve(done, code=None, ended_by=EndedBy.SIGNAL, signal=9)
    if code is None:
        killed = done.ended_by is EndedBy.SIGNAL
        raise SandboxDied(
            problem="the sandbox “bubblewrap” "
            + ("died under its program" if killed else "can't be set up"),
            facts=(("it said", _last_line(done.stderr) or "nothing"),),
            way_on="`fairtrial doctor` says what this machine lacks for it",
        )
    return as_shells_tell(done, code)


def _read(report: Path) -> dict[str, int]:
    """Returns all that was reported; `bwrap` writes one object a line."""
    said: dict[str, int] = {}
    if report.exists():
        for line in report.read_text(encoding="ascii").splitlines():
            said |= json.loads(line)
    return said


def _last_line(text: bytes) -> str:
    lines = text.decode(errors="replace").splitlines()
    return lines[-1][:300] if lines else ""
