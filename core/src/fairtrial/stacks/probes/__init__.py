"""
Probes: hidden checks that code under test can't talk its way out of.

A probe is a small program that calls the code under test. It runs in a child which gets inputs and
gives outputs, and which never sees what ought to come out; the comparison is made here, in the
harness's own process, on plain JSON values. So there is no assertion to patch, no `__eq__` to
bend, no exit status to forge and no report to write: the only way to the right answers is to
compute them.
"""

import functools
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import PurePosixPath

from attrs import frozen

from fairtrial.api import EndedBy, Finished, Workspace
from fairtrial.stacks.probes.answers import faults
from fairtrial.stacks.probes.cases import JSON, NUMBER, Case, same
from fairtrial.stacks.watched.outcome import Outcome
from fairtrial.stacks.watched.room import Room, room_in

__all__ = ["JSON", "NUMBER", "SUFFIXES", "Case", "ask", "same"]

SUFFIXES = (".py", ".mjs", ".go", ".rs")
"""What a probe's file ends with: Python, Node, Go, Rust."""

TOLD = 10
"""Most failing cases that are told."""

_HELPERS = {
    ".py": "fairtrial_probe.py",
    ".mjs": "fairtrial-probe.mjs",
    ".go": "fairtrial_probe.go",
    ".rs": "fairtrial_probe.rs",
}


def ask(
    name: str,
    text: bytes,
    cases: Sequence[Case],
    workspace: Workspace,
    *,
    timeout_s: float,
    env: Mapping[str, str],
) -> Outcome:
    """
    Runs a probe in a workspace and judges what it answered.

    Args:
        name: The probe's file name; its ending says its language.
        text: What the file holds.
        cases: What it is asked.
        workspace: Where the tree under test lies.
        timeout_s: Seconds that each child may take.
        env: Set for each child.

    Raises:
        FileNotFoundError: The language's program isn't there.
        SandboxDied: The sandbox broke.
    """
    failed: dict[int, str] = {}
    printed = []
    for group in _groups(cases):
        told, output = _child(name, text, group, workspace, timeout_s, env)
        if told is None:
            return Outcome(passed=None, code="grader", why="was stopped before it ended")
        failed |= told
        printed.append(output)
    lines = [f"{cases[number].name}: {fault}" for number, fault in sorted(failed.items())]
    more = [f"and {len(lines) - TOLD} more"] if len(lines) > TOLD else []
    output = "\n".join([*lines, f"{len(cases) - len(lines)} of {len(cases)} cases", *printed])
    return Outcome(
        passed=not failed,
        code="failed" if failed else "",
        why="\n".join([*lines[:TOLD], *more, *(printed if failed else ())]).strip(),
        output=output.strip(),
    )


def _groups(cases: Sequence[Case]) -> Iterator[dict[int, Case]]:
    """Yields the cases by the child that they are put to."""
    if together := {n: case for n, case in enumerate(cases) if not case.isolate}:
        yield together
    yield from ({n: case} for n, case in enumerate(cases) if case.isolate)


def _child(
    name: str,
    text: bytes,
    cases: Mapping[int, Case],
    workspace: Workspace,
    timeout_s: float,
    env: Mapping[str, str],
) -> tuple[dict[int, str] | None, str]:
    """Returns what is wrong with each case's answer, and what was printed; None if stopped."""
    nonce = secrets.token_hex(16)
    with room_in(workspace) as room:
        launch = _launch(PurePosixPath(name), text, room)
        try:
            room.lay(launch.files)
        except OSError as error:
            return dict.fromkeys(cases, f"the tree is in the probe's way: {error}"), ""
        asked = [{"n": n, "call": case.call, "args": case.args} for n, case in cases.items()]
        request = {"nonce": nonce, "answers": str(room.report), "cases": asked}
        finished = workspace.run(
            launch.argv, timeout_s=timeout_s, env=env, stdin=json.dumps(request).encode()
        )
        workspace.settle()
        told = faults(cases, nonce, room.told())
    if finished.ended_by in (EndedBy.INTERRUPT, EndedBy.CALLER):
        return None, ""
    if finished.ended_by in (EndedBy.TIMEOUT, EndedBy.IDLE):
        late = f"did not end within {timeout_s:g} s"
        told = {number: late for number, fault in told.items() if fault} or told
    return told, _text(finished)


@frozen
class _Launch:
    argv: tuple[str, ...]
    files: Mapping[PurePosixPath, bytes]


def _launch(name: PurePosixPath, text: bytes, room: Room) -> _Launch:
    helper = _HELPERS[name.suffix]
    extra = _helper(helper).encode()
    word = f"fairtrialprobe{secrets.token_hex(6)}"
    if name.suffix == ".go":
        # Within the module, so that the tree's packages can be imported.
        place = PurePosixPath(word)
        argv: tuple[str, ...] = ("go", "run", f"./{word}")
        return _Launch(argv, {place / "main.go": text, place / helper: extra})
    if name.suffix == ".rs":
        place = PurePosixPath("examples") / word
        argv = ("cargo", "run", "--offline", "--quiet", "--example", word)
        return _Launch(argv, {place / "main.rs": text, place / helper: extra})
    program = "python3" if name.suffix == ".py" else "node"
    argv = (program, str(room.inside / name.name))
    return _Launch(argv, {room.path(name.name): text, room.path(helper): extra})


@functools.cache
def _helper(name: str) -> str:
    return (files("fairtrial.stacks.probes") / "assets" / name).read_text(encoding="utf-8")


def _text(finished: Finished) -> str:
    parts = (finished.stdout, finished.stderr)
    return "\n".join(part.decode("utf-8", "replace").rstrip() for part in parts if part.strip())
