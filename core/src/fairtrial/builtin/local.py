"""The sandbox `local`: a private directory and a small environment, without a fence."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

from attrs import field, frozen
from attrs.validators import ge, gt, optional

from fairtrial.api.errors import MachineError, SandboxDied
from fairtrial.api.sandbox import Fence, Finished, Network, Running, Sandbox, Workspace
from fairtrial.processes import PROVABLE, Crew, Job, Limits
from fairtrial.processes.job import LEAST_MEMORY_MB
from fairtrial.processes.places import Places, private_places
from fairtrial.processes.surroundings import environment


@frozen(kw_only=True)
class LocalSandbox:
    """
    Runs programs on this machine as this user, each workspace in a private directory.

    Whatever a program starts dies with it, and nothing of the user's environment reaches it; but
    it can read what the user can read, write where the user can write, and use the network. It
    keeps honest programs apart; it does not hold a dishonest one.
    """

    memory_mb: int | None = field(default=None, validator=optional(ge(LEAST_MEMORY_MB)))
    """Most private memory of each single process, in MiB; a fence may ask for less."""

    file_mb: int | None = field(default=None, validator=optional(gt(0)))
    """Longest file that a program may write, in MiB; a fence's `disk_mb` may ask for less."""

    keep: bool = False
    """Whether to leave the directories where they are, for a look at what happened."""

    @contextmanager
    def open(self, label: str, fence: Fence, /) -> Iterator[Workspace]:
        """
        Opens an empty workspace; leaving it kills what runs there and removes the directory.

        Raises:
            MachineError: The fence is required, and this sandbox has none.
        """
        with opened(self, label, fence, {}) as workspace:
            yield workspace


@contextmanager
def opened(
    sandbox: LocalSandbox, label: str, fence: Fence, remarks: Mapping[str, str]
) -> Iterator[Workspace]:
    """
    Opens a workspace of the sandbox `local`.

    Args:
        sandbox: Its limits.
        label: For people who look at processes.
        fence: What is asked for.
        remarks: Added to what the workspace says of itself.

    Raises:
        MachineError: The fence is required, and this sandbox has none.
    """
    _refuse_what_cannot_be_had(fence)
    memory_mb = _least(sandbox.memory_mb, fence.memory_mb)
    limits = Limits(
        memory_mb=None if memory_mb is None else max(memory_mb, LEAST_MEMORY_MB),
        file_mb=_least(sandbox.file_mb, fence.disk_mb),
    )
    with private_places(keep=sandbox.keep) as places:
        layout = _Layout(
            label=label,
            limits=limits,
            environment=environment(places, fence),
            remarks=remarks,
        )
        workspace = LocalWorkspace(places, layout)
        try:
            yield workspace
        finally:
            # A sandbox that died was told to whoever asked for the program's end.
            with suppress(SandboxDied):
                workspace.settle()


@frozen(kw_only=True)
class _Layout:
    """What a workspace is made of, besides its directories."""

    label: str
    limits: Limits
    environment: Mapping[str, str]
    remarks: Mapping[str, str]


class LocalWorkspace:
    """One private directory of the sandbox `local`; made by `LocalSandbox.open`."""

    def __init__(self, places: Places, layout: _Layout) -> None:
        self._places = places
        self._layout = layout
        self._crew = Crew(places.top)

    @property
    def root(self) -> Path:
        """The directory in which programs run."""
        return self._places.root

    @property
    def inside(self) -> PurePosixPath:
        """The same directory: programs see it under its own name."""
        return PurePosixPath(self._places.root)

    @property
    def enforced(self) -> Mapping[str, str]:
        """
        What is kept of the fence.

        `network` is `open`, what programs can really reach; `processes` says how far their death
        is proved: `tree` for all descendants, `group` where the system has no subreaper;
        `memory` is `each:N` for N MiB in each process.
        """
        memory = self._layout.limits.memory_mb
        return {
            "sandbox": "local",
            "network": Network.OPEN.value,
            "filesystem": "none",
            "processes": "tree" if PROVABLE else "group",
            "privileges": "none",
            "programs": "none",
            "memory": "none" if memory is None else f"each:{memory}",
            **self._layout.remarks,
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
        """Runs a program to its end; see `fairtrial.api.Workspace`."""
        return self._crew.run(self._job(argv, env, cwd), timeout_s=timeout_s, stdin=stdin)

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
        """Starts a program and returns at once; see `fairtrial.api.Workspace`."""
        job = self._job(argv, env, PurePosixPath())
        return self._crew.start(job, timeout_s=timeout_s, idle_s=idle_s, log=log, stdin=stdin)

    def settle(self) -> None:
        """
        Ends every process that was started here and proves it; the tree stays.

        Raises:
            SandboxDied: A process could not be ended, or the sandbox had broken before.
        """
        self._crew.settle()

    def cpu_us(self) -> int | None:
        """Returns the CPU time of its programs so far; see `fairtrial.api.CpuCounted`."""
        return self._crew.cpu_us()

    def _job(self, argv: Sequence[str], env: Mapping[str, str] | None, cwd: PurePosixPath) -> Job:
        return Job(
            argv=tuple(argv),
            env={**self._layout.environment, **(env or {})},
            cwd=self._places.folder(cwd),
            label=self._layout.label,
            limits=self._layout.limits,
        )


def _refuse_what_cannot_be_had(fence: Fence) -> None:
    asked = [("network", fence.network.value)] if fence.network is not Network.OPEN else []
    asked += [("hidden", str(path)) for path in fence.hidden]
    if fence.required and asked:
        raise MachineError(
            problem="the sandbox “local” can't keep the fence that is required",
            facts=(("asked for", ", ".join(f"{what} {value}" for what, value in asked)),),
            way_on="choose another sandbox, such as bubblewrap, or don't require the fence",
        )


def _least(*limits: int | None) -> int | None:
    return min((limit for limit in limits if limit is not None), default=None)


_: type[Sandbox] = LocalSandbox
