"""What an agent is given before it starts: a home, variables, and a version that is known."""

import os
import re
import shutil
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from fairtrial.agents.launch import Place, Tool
from fairtrial.agents.presence import comes_with_the_task
from fairtrial.agents.secrecy import Secrets, around_proxies, passed
from fairtrial.api import MachineError, Outlook, ProgramMissing, SandboxDied, Session, Workspace

if TYPE_CHECKING:
    from fairtrial.agents.command import AgentCommand

HELD = "held-by-the-gateway"
"""Stands in a key's variable where a gateway holds the key itself."""
VERSION_S = 30.0
"""Seconds that a program may take to say its version."""
_VERSION = re.compile(r"\d+\.\d+\.\d+[\w.-]*")
_SAME_FILES = ("local", "bubblewrap")
_KNOWN: dict[tuple[object, ...], str] = {}
_LOCK = threading.Lock()


@frozen(kw_only=True)
class Outfit:
    """
    All of it.

    Attributes:
        program: What is started.
        place: Where it finds its things.
        native: Where its own files are kept.
        secrets: What must be in nothing that is kept.
        version: The program's version; None where it doesn't tell.
    """

    program: str
    place: Place
    native: Path
    secrets: Secrets
    version: str | None


def outfit(session: Session, agent: "AgentCommand") -> Outfit:
    """
    Fits an agent out for one attempt.

    Raises:
        MachineError: It isn't installed, is another version, or has no key.
    """
    tool, program = agent.tool, agent.program or agent.tool.program
    keys = _keys(agent, session.environment)
    home = session.scratch / "home"
    home.mkdir(mode=0o700, exist_ok=True)
    native = session.scratch / "native"
    native.mkdir(exist_ok=True)
    env = {"HOME": str(home), **session.environment, **keys, **agent.env}
    env |= around_proxies(env)
    limit_s = max(0.01, min(VERSION_S, session.remaining_s()))
    version = _version(session.workspace, program, env, tool, limit_s)
    _check(agent, program, version)
    return Outfit(
        program=program,
        place=Place(home=home, inside=session.workspace.inside, env=env),
        native=native,
        secrets=Secrets.of(keys.values()),
        version=version,
    )


def lacking(agent: "AgentCommand", outlook: Outlook) -> MachineError | None:
    """
    Says what an attempt would not be fitted out for; None where nothing is known to be missing.

    Raises:
        SandboxDied: The sandbox broke.
    """
    tool, program = agent.tool, agent.program or agent.tool.program
    try:
        _refuse_without_the_gateways_key(agent, outlook.keyless)
        given = outlook.environment
        env = {**given, **_keys(agent, given), **agent.env}
        if not comes_with_the_task(program, env):
            _check(agent, program, _version(outlook.workspace, program, env, tool, VERSION_S))
    except SandboxDied:
        raise
    except MachineError as error:
        return error
    return None


def _refuse_without_the_gateways_key(agent: "AgentCommand", keyless: Mapping[str, str]) -> None:
    for name in agent.tool.addresses:
        if name in keyless and name not in agent.env:
            raise MachineError(
                problem=f"the gateway has no key for the solver “{agent.tool.name}”",
                facts=(("looked for", keyless[name]),),
                way_on="set this variable where fairtrial is started, or name another in the "
                "gateway's own table",
            )


def not_installed(program: str, tool: Tool) -> ProgramMissing:
    """Returns the error for a program that isn't there."""
    return ProgramMissing(
        program=program,
        problem=f"the program “{program}” is not installed",
        facts=(("asked for by", f"a solver “{tool.name}”"),),
        way_on=f"install {tool.package}, or write the program's whole path as `program`",
    )


def _keys(agent: "AgentCommand", given: Mapping[str, str]) -> dict[str, str]:
    """Returns variables of the user's own; no real key where a gateway stands between."""
    tool = agent.tool
    own = passed(agent.pass_env, f"`pass_env` of a solver “{tool.name}”")
    if not tool.keys or any(name in given or name in own for name in tool.keys):
        return own
    if any(name in given for name in tool.addresses):
        return {**own, tool.keys[0]: HELD}
    usual = {name: os.environ[name] for name in tool.keys if os.environ.get(name)}
    if not usual and not own and not any(name in agent.env for name in tool.keys):
        raise MachineError(
            problem=f"no key for the solver “{tool.name}”",
            facts=(("looked for", ", ".join(tool.keys)),),
            way_on="set one of these variables where fairtrial is started, or name another in "
            "`pass_env`; a login in your own home is not used",
        )
    return {**usual, **own}


def _version(
    workspace: Workspace, program: str, env: Mapping[str, str], tool: Tool, limit_s: float
) -> str | None:
    """Asks a program its version; once for each file that it can be, since some take a second."""
    name = _file(program) if workspace.enforced.get("sandbox") in _SAME_FILES else None
    with _LOCK:
        if name is not None and name in _KNOWN:
            return _KNOWN[name]
    try:
        asked = workspace.run([program, "--version"], timeout_s=limit_s, env=env)
    except FileNotFoundError as error:
        raise not_installed(program, tool) from error
    except OSError as error:
        raise ProgramMissing(
            program=program,
            problem=f"the program “{program}” can't be started",
            facts=(("because", error.strerror or str(error)),),
            way_on="check its permissions and its first line",
        ) from error
    found = _VERSION.search((asked.stdout + b"\n" + asked.stderr).decode(errors="replace"))
    version = None if found is None or asked.code != 0 else found[0]
    if name is not None and version is not None:
        with _LOCK:
            _KNOWN[name] = version
    return version


def _file(program: str) -> tuple[object, ...] | None:
    """Returns what identifies the file that a program is; None where it isn't found here."""
    path = shutil.which(program)
    if path is None:
        return None
    status = os.stat(path)  # noqa: PTH116 - its numbers are wanted, not its path
    real = os.path.realpath(path)
    return real, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _check(agent: "AgentCommand", program: str, version: str | None) -> None:
    if agent.version and version is not None and not _begins(version, agent.version):
        raise ProgramMissing(
            program=program,
            problem=f"“{program}” is version {version}, and {agent.version} is asked for",
            facts=(("asked for in", f"`version` of a solver “{agent.tool.name}”"),),
            way_on=f"install {agent.tool.package} {agent.version}, or change `version`",
        )
    numbers = () if version is None else tuple(map(int, re.findall(r"\d+", version)[:3]))
    if numbers and numbers < agent.tool.oldest:
        oldest = ".".join(map(str, agent.tool.oldest))
        raise ProgramMissing(
            program=program,
            problem=f"“{program}” is version {version}, which is too old to be read",
            facts=(("oldest", oldest),),
            way_on=f"install {agent.tool.package} {oldest} or a later one",
        )


def _begins(version: str, asked: str) -> bool:
    return version == asked or version.startswith((f"{asked}.", f"{asked}-"))
