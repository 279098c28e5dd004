"""Watching `python -m unittest`, `python -m pytest` and checks that are Python scripts."""

import json
from collections.abc import Mapping
from pathlib import PurePosixPath

from fairtrial.stacks.watched.canaries import asset, brood, must_fail, must_pass, word
from fairtrial.stacks.watched.lines import account
from fairtrial.stacks.watched.outcome import Plan
from fairtrial.stacks.watched.room import Room

CANARIES = {"unittest": "unittest_canaries.py", "pytest": "pytest_canaries.py"}
UNWATCHED = ("-n", "--numprocesses", "--collect-only", "--co", "--junitxml", "--forked")
"""Options of pytest under which tests run elsewhere, or not at all."""


def split(argv: tuple[str, ...]) -> tuple[tuple[str, ...], str, tuple[str, ...], bool] | None:
    """
    Returns the interpreter with its options, the mode, the arguments, and whether `-m` was used.

    None where the command is neither `python … -m unittest|pytest …` nor `pytest …`.
    """
    name = argv[0].rpartition("/")[2]
    if name in ("pytest", "py.test"):
        return ("python3",), "pytest", argv[1:], False
    if not name.startswith("python") or "-m" not in argv:
        return None
    at = argv.index("-m")
    options, module = argv[1:at], argv[at + 1 : at + 2]
    if not all(option.startswith("-") for option in options) or not module:
        return None
    if module[0] not in CANARIES:
        return None
    return argv[:at], module[0], argv[at + 2 :], True


def plan_tests(argv: tuple[str, ...], room: Room, env: Mapping[str, str]) -> Plan | None:
    """Plans a run of unittest or pytest; None where the command is another."""
    parts = split(argv)
    if parts is None:
        return None
    interpreter, mode, arguments, as_module = parts
    if choosing(argv):
        return None
    broods = [brood(CANARIES[mode]) for _ in ("early", "late")]
    file = f"{word('c')}.py"
    token = word()
    order = {
        "mode": mode,
        "args": arguments,
        "token": token,
        "plugin": str(room.inside / "plugin.py"),
        "canary_file": str(room.inside / file),
        "canaries": [each.names for each in broods],
        "path": [str(room.inside.parent)] if as_module else [],
    }
    files = {
        room.path("plugin.py"): asset("plugin.py").encode(),
        room.path(file): asset(CANARIES[mode]).encode(),
    }
    return Plan(
        runner=mode,
        argv=(*interpreter, str(room.inside / "runner.py")),
        env={"PYTHONPATH": ""},
        stdin=_order(order, room, env),
        files=files | _runner(room),
        read=account,
        must_fail=must_fail(broods),
        must_pass=must_pass(broods),
        token=token,
    )


def choosing(argv: tuple[str, ...]) -> str:
    """Returns the option by which a command of Python's can't be watched; empty where there is none."""
    parts = split(argv)
    options = (part.partition("=")[0] for part in (parts[2] if parts else ()))
    return next((option for option in options if option in UNWATCHED), "")


def plan_script(argv: tuple[str, ...], script: str, room: Room, env: Mapping[str, str]) -> Plan:
    """Plans a run of `python … SCRIPT`, whose path is relative to the root."""
    at = argv.index(script)
    path = room.inside.parent / script
    order = {"mode": "script", "script": str(path), "path": [str(path.parent)]}
    return Plan(
        runner="python",
        argv=(*argv[:at], str(room.inside / "runner.py"), *argv[at + 1 :]),
        env={"PYTHONPATH": ""},
        stdin=_order(order, room, env),
        files=_runner(room),
        read=account,
        codes=frozenset({0}),
    )


def _runner(room: Room) -> dict[PurePosixPath, bytes]:
    return {room.path("runner.py"): asset("runner.py").encode()}


def _order(order: Mapping[str, object], room: Room, env: Mapping[str, str]) -> bytes:
    # Given here rather than in the environment, where it would lead Python's own start to the tree.
    whole = {**order, "report": str(room.report), "pythonpath": env.get("PYTHONPATH", "")}
    return json.dumps(whole).encode()
