"""How the container of one program is made."""

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from attrs import frozen
from fairtrial.api import Fence, Network
from fairtrial.processes.person import Person
from fairtrial.processes.places import Places
from fairtrial.processes.relay import MODEL_SOCKET, RELAY, relay_argv

from fairtrial_sandbox_docker.engine import LABEL, Engine, owner

HOME = "/home/agent"
WORK = PurePosixPath("/work")
TMP = "/tmp"  # noqa: S108 - inside, where it is the workspace's own
_CLIENTS = ("PATH", "HOME", "DOCKER_", "CONTAINER", "XDG_", "LD_", "SSH_", "TMPDIR")
_SMALL_TMPFS = "rw,noexec,nosuid,size=16m,mode=755"


@frozen(kw_only=True)
class Recipe:
    """
    Everything that the containers of one workspace have in common.

    Attributes:
        engine: Who makes them.
        image: Of what.
        places: The workspace's directories.
        person: Who programs are.
        fence: What was asked for.
        model_socket: What leads to the model, where that alone may be reached.
        network: The engine's network for `Network.OPEN`.
        memory_mb: Most memory of one container, in MiB.
        processes: Most processes in one container.
        file_mb: Longest file, in MiB.
        python: What runs the relay to the model.
    """

    engine: Engine
    image: str
    places: Places
    person: Person
    fence: Fence
    model_socket: Path | None
    network: str
    memory_mb: int | None
    processes: int
    file_mb: int | None
    python: str

    def create(
        self, argv: Sequence[str], cwd: PurePosixPath, env: Mapping[str, str], *, stdin: bool
    ) -> str:
        """
        Makes a container that waits to be started; returns its name.

        Raises:
            SandboxDied: The engine refuses.
        """
        name = f"fairtrial-{secrets.token_hex(8)}"
        words = ["create", "--name", name, "--label", f"{LABEL}={owner()}", "--pull", "never"]
        words += ["--attach", "stdout", "--attach", "stderr", "--log-driver", "none"]
        words += ["--interactive", "--attach", "stdin"] if stdin else []
        words += [*self._fixed(), "--workdir", str(cwd)]
        theirs = {key: value for key, value in env.items() if key.startswith(_CLIENTS)}
        ours = {key: value for key, value in env.items() if key not in theirs}
        # By name alone, the value comes from the client's environment, which nobody else reads.
        for key in ours:
            words += ["--env", key]
        for key, value in theirs.items():
            words += ["--env", f"{key}={value}"]
        program = list(argv)
        if self.model_socket is not None:
            program = [*relay_argv(self.python), *program]
        self.engine.must(*words, "--entrypoint", program[0], self.image, *program[1:], env=ours)
        return name

    def _fixed(self) -> list[str]:
        words = ["--init", "--read-only", "--cap-drop", "ALL"]
        words += ["--security-opt", "no-new-privileges", "--hostname", "fairtrial"]
        words += ["--user", f"{self.person.uid}:{self.person.gid}"]
        words += ["--pids-limit", str(self.processes), *self._network()]
        if self.engine.podman and not self.person.dropped:
            words += ["--userns", "keep-id"]
        if self.memory_mb is not None:
            words += ["--memory", f"{self.memory_mb}m", "--memory-swap", f"{self.memory_mb}m"]
        if self.file_mb is not None:
            words += ["--ulimit", f"fsize={self.file_mb << 20}"]
        words += ["--tmpfs", f"/run:{_SMALL_TMPFS}"]
        return [*words, *self._mounts()]

    def _network(self) -> list[str]:
        open_ = self.fence.network is Network.OPEN
        return ["--network", self.network if open_ else "none"]

    def _mounts(self) -> list[str]:
        places = self.places
        shown = [
            (str(places.root), str(WORK), "rw"),
            (str(places.home), HOME, "rw"),
            (str(places.tmp), TMP, "rw"),
        ]
        described = self.person.describe(HOME, places.top)
        shown += [(str(source), name, "ro") for name, source in described.items()]
        readable = dict.fromkeys((*self.fence.readable, *self.fence.path))
        shown += [(str(each), str(each), "ro") for each in readable if each.exists()]
        shown += [(str(each), str(each), "rw") for each in self.fence.writable]
        shown += [(str(self._nothing()), str(each), "ro") for each in self._covered()]
        if self.model_socket is not None:
            shown += [(str(self.model_socket), MODEL_SOCKET, "rw"), (*RELAY, "ro")]
        # What lies deeper is laid later, so that it is seen whatever holds it.
        shown.sort(key=lambda each: each[1].count("/"))
        return [word for source, inside, how in shown for word in _mount(source, inside, how)]

    def _covered(self) -> list[Path]:
        """Returns the hidden directories that lie in one that is shown."""
        shown = (*self.fence.readable, *self.fence.path, *self.fence.writable)
        return [
            each
            for each in self.fence.hidden
            if each.is_dir() and any(each.is_relative_to(place) for place in shown)
        ]

    def _nothing(self) -> Path:
        nothing = self.places.top / "nothing"
        nothing.mkdir(mode=0o555, exist_ok=True)
        return nothing


def _mount(source: str, inside: str, how: str) -> tuple[str, str]:
    readonly = ",readonly" if how == "ro" else ""
    return "--mount", f'type=bind,"source={source}","target={inside}"{readonly}'
