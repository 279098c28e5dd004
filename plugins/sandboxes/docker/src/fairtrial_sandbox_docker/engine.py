"""The container engine, spoken to by its own command line, every call with a limit of time."""

import json
import os
import shutil
import threading
from functools import cache
from pathlib import Path
from typing import cast

from attrs import frozen
from fairtrial.api import Finished, MachineError, SandboxDied
from fairtrial.processes import Job, run

CALL_S = 60.0
"""Seconds that the engine has for an answer."""
_PULL_S = 1800.0
LABEL = "fairtrial"
"""What marks our containers; its value tells the harness that made them."""


@frozen(kw_only=True)
class Engine:
    """
    One engine.

    Attributes:
        program: Its command line, `docker` or `podman`.
        socket: Where it listens; None for the program's own default.
    """

    program: str
    socket: Path | None

    @property
    def podman(self) -> bool:
        """Whether it is podman, which is called a little differently."""
        return Path(self.program).name.startswith("podman")

    def command(self, *words: str) -> list[str]:
        """Returns a command line of the engine."""
        if self.socket is None:
            return [self.program, *words]
        where = f"unix://{self.socket}"
        return [self.program, *(("--url", where) if self.podman else ("-H", where)), *words]

    def call(self, *words: str, env: dict[str, str] | None = None) -> Finished:
        """Calls the engine and waits for its answer, at most `CALL_S`."""
        limit_s = _PULL_S if words[:1] == ("pull",) else CALL_S
        job = Job(
            argv=tuple(self.command(*words)),
            env={**surroundings(), **(env or {})},
            cwd=Path("/"),
            label="container engine",
        )
        return run(job, timeout_s=limit_s)

    def must(self, *words: str, env: dict[str, str] | None = None) -> str:
        """
        Calls the engine and returns what it printed.

        Raises:
            SandboxDied: It refuses, or does not answer in time.
        """
        done = self.call(*words, env=env)
        if done.code != 0:
            raise SandboxDied(
                problem=f"the container engine refuses `{words[0]}`",
                facts=(("it said", complaint(done)),),
                way_on=f"look at the engine by `{Path(self.program).name} info`",
            )
        return done.stdout.decode(errors="replace").strip()

    def image(self, name: str) -> dict[str, object]:
        """Returns what the engine knows of an image; empty where it has none of that name."""
        done = self.call("image", "inspect", name)
        return cast("dict[str, object]", json.loads(done.stdout)[0]) if done.code == 0 else {}

    def state(self, container: str) -> dict[str, object]:
        """Returns the state of a container; empty where there is none."""
        done = self.call("container", "inspect", "--format", "{{json .State}}", container)
        return cast("dict[str, object]", json.loads(done.stdout)) if done.code == 0 else {}

    def remove(self, container: str) -> None:
        """
        Kills a container and removes it; one that isn't there is fine.

        The engine answers once the kernel has emptied the container's namespace, so that nothing
        of it runs any more.

        Raises:
            SandboxDied: It is still there.
        """
        done = self.call("rm", "--force", "--volumes", container)
        if done.code != 0 and self.state(container):
            raise SandboxDied(
                problem="a container can't be ended",
                facts=(("container", container), ("it said", complaint(done))),
                way_on="look at the engine's own log",
            )


def found(program: str, socket: Path | None) -> Engine:
    """
    Returns the engine, once it has answered.

    Args:
        program: Its command line; empty for the first of docker and podman that is installed.
        socket: Where it listens; None for the program's own default.

    Raises:
        MachineError: There is none, or it doesn't answer.
    """
    names = (program,) if program else ("docker", "podman")
    path = next((path for name in names if (path := shutil.which(name))), None)
    if path is None:
        raise MachineError(
            problem=f"the sandbox “docker” needs {' or '.join(names)}, which isn't here",
            way_on="install it, such as by `apt-get install docker.io`",
        )
    engine = Engine(program=path, socket=socket)
    _answering(engine)
    _sweep_once(engine)
    return engine


def complaint(done: Finished) -> str:
    """Returns the last line that an engine printed in place of an answer."""
    lines = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
    return lines[-1][:300] if lines else f"nothing ({done.ended_by})"


def owner() -> str:
    """Returns what tells this harness: its machine's boot, its process and when that began."""
    return f"{_boot()}/{os.getpid()}/{_began(os.getpid())}"


def surroundings() -> dict[str, str]:
    """Returns what of the user's environment an engine's command line needs."""
    names = ("HOME", "PATH", "XDG_RUNTIME_DIR", "DOCKER_HOST", "DOCKER_CONFIG", "CONTAINER_HOST")
    return {name: os.environ[name] for name in names if name in os.environ}


@cache
def _answering(engine: Engine) -> str:
    done = engine.call("version", "--format", "{{.Server.Version}}")
    if done.code != 0 or not done.stdout.strip():
        where = "its default socket" if engine.socket is None else str(engine.socket)
        raise MachineError(
            problem="the container engine doesn't answer",
            facts=(
                ("program", engine.program),
                ("socket", where),
                ("it said", complaint(done)),
            ),
            way_on="start it (`systemctl start docker`), or name its socket, and let this user"
            " use it (`usermod -aG docker USER`)",
        )
    return done.stdout.decode(errors="replace").strip()


_SWEPT: set[Engine] = set()
_LOCK = threading.Lock()


def _sweep_once(engine: Engine) -> None:
    """Removes the containers of harnesses of this machine that were killed."""
    with _LOCK:
        if engine in _SWEPT:
            return
        _SWEPT.add(engine)
        line = '{{.Names}} {{.Label "' + LABEL + '"}}'
        done = engine.call("ps", "--all", "--filter", f"label={LABEL}", "--format", line)
        for each in done.stdout.decode(errors="replace").splitlines():
            name, _, whose = each.partition(" ")
            boot, _, rest = whose.partition("/")
            pid, _, began = rest.partition("/")
            if boot == _boot() and pid.isdigit() and _began(int(pid)) != began:
                engine.call("rm", "--force", "--volumes", name)


@cache
def _boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()


def _began(pid: int) -> str:
    """Returns when a process started, in ticks since the boot; empty where it is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[19]
