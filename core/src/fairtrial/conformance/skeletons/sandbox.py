"""A sandbox for fairtrial: private directories on this machine, programs of low priority."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from attrs import define, field, frozen

from fairtrial.api import (
    Fence,
    Finished,
    MachineError,
    Network,
    Running,
    Sandbox,
    Workspace,
)
from fairtrial.processes import Job, find_program, run, start
from fairtrial.processes.places import Places, private_places

PATH = "/usr/local/bin:/usr/bin:/bin"


@frozen(kw_only=True)
class EchoSandbox:
    """Runs each program through a launcher; keeps no fence, and says so."""

    launcher: tuple[str, ...] = ("nice", "-n", "5")
    """Put before each program's own arguments."""

    @contextmanager
    def open(self, label: str, fence: Fence, /) -> Iterator[Workspace]:
        """Opens an empty workspace; leaving it ends what runs there and removes the directory."""
        if fence.required and (fence.network is not Network.OPEN or fence.hidden):
            raise MachineError(
                problem="this sandbox can't keep the fence that is required",
                way_on="choose another sandbox, or don't require the fence",
            )
        with private_places() as places:
            workspace = EchoWorkspace(
                places=places, label=label, fence=fence, launcher=self.launcher
            )
            try:
                yield workspace
            finally:
                workspace.settle()


@define(kw_only=True)
class EchoWorkspace:
    """One private directory and the programs that run in it."""

    places: Places
    label: str
    fence: Fence
    launcher: tuple[str, ...]
    running: list[Running] = field(factory=list)

    @property
    def root(self) -> Path:
        """The directory."""
        return self.places.root

    @property
    def inside(self) -> PurePosixPath:
        """The same: programs see this machine's own paths."""
        return PurePosixPath(self.places.root)

    @property
    def enforced(self) -> Mapping[str, str]:
        """What is kept: nothing but that no process outlives its attempt."""
        return {
            "sandbox": "echo",
            "network": Network.OPEN.value,
            "filesystem": "none",
            "processes": "tree",
            "privileges": "none",
            "memory": "none",
        }

    def run(
        self,
        argv: Sequence[str],
        /,
        *,
        timeout_s: float,
        env: Mapping[str, str] | None = None,
        stdin: bytes = b"",
        cwd: PurePosixPath = PurePosixPath(),
    ) -> Finished:
        """Runs a program to its end."""
        return run(self._job(argv, env, self.root / cwd), timeout_s=timeout_s, stdin=stdin)

    def spawn(
        self,
        argv: Sequence[str],
        /,
        *,
        timeout_s: float,
        idle_s: float | None = None,
        env: Mapping[str, str] | None = None,
        log: Path | None = None,
        stdin: bool = False,
    ) -> Running:
        """Starts a program and returns at once."""
        job = self._job(argv, env, self.root)
        running = start(job, timeout_s=timeout_s, idle_s=idle_s, log=log, stdin=stdin)
        self.running.append(running)
        return running

    def settle(self) -> None:
        """Ends what was started and still runs; the tree stays."""
        while self.running:
            self.running.pop().end()

    def _job(self, argv: Sequence[str], env: Mapping[str, str] | None, cwd: Path) -> Job:
        # An allow-list: nothing of the user's own environment, such as a key, reaches a program.
        whole = {
            "HOME": str(self.places.home),
            "TMPDIR": str(self.places.tmp),
            "LANG": "C.UTF-8",
            "PATH": ":".join([*map(str, self.fence.path), PATH]),
            **self.fence.variables,
            **(env or {}),
        }
        # The launcher is found in any case, so a missing program must be looked for here.
        found = find_program(argv[0], whole["PATH"])
        command = (*self.launcher, found, *argv[1:])
        return Job(argv=command, env=whole, cwd=cwd, label=self.label)


_: type[Sandbox] = EchoSandbox
