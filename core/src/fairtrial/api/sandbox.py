"""The kind `sandbox`: where an attempt, and later its checks, run."""

import enum
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path, PurePosixPath
from typing import Protocol, runtime_checkable

from attrs import field, frozen
from attrs.validators import gt, optional


class Network(enum.StrEnum):
    """What a workspace may reach."""

    NONE = "none"
    MODEL_ONLY = "model-only"
    """Only the model endpoint, through `Fence.model_socket`."""
    OPEN = "open"


@frozen(kw_only=True)
class Fence:
    """
    What one workspace asks of its sandbox.

    A sandbox that can't keep a part of it says so in `Workspace.enforced`, or raises
    `MachineError` where `required` holds.

    Attributes:
        network: What may be reached.
        model_socket: The UNIX socket of the model endpoint, for `Network.MODEL_ONLY`. Programs
            find it at an address of the workspace's own loopback, `http://127.0.0.1:4180`, which
            they are also told in the variable `FAIRTRIAL_MODEL_URL`; a sandbox may use
            `fairtrial.processes.relay`, which does that.
        readable: Directories outside the workspace that must be visible, read-only.
        writable: Directories outside the workspace that the attempt may write (its scratch).
        hidden: Directories that must not be visible, such as the task folders.
        path: Directories put before `PATH` of every program that the workspace starts.
        variables: Added to the environment of every program that the workspace starts.
        memory_mb: Most memory of all its processes together, in MiB.
        processes: Most processes at once.
        disk_mb: Most disk that it may fill, in MiB.
        required: Whether to refuse to open rather than be weaker than asked.
    """

    network: Network = Network.OPEN
    model_socket: Path | None = None
    readable: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()
    path: tuple[Path, ...] = ()
    variables: Mapping[str, str] = field(factory=dict)
    memory_mb: int | None = field(default=None, validator=optional(gt(0)))
    processes: int | None = field(default=None, validator=optional(gt(0)))
    disk_mb: int | None = field(default=None, validator=optional(gt(0)))
    required: bool = False


class EndedBy(enum.StrEnum):
    """Why a process is no longer running."""

    EXIT = "exit"
    SIGNAL = "signal"
    TIMEOUT = "timeout"
    IDLE = "idle"
    """No output for longer than was allowed."""
    CALLER = "caller"
    """`Running.end` was called while it ran."""
    INTERRUPT = "interrupt"
    """The user stopped the run."""


@frozen(kw_only=True)
class Finished:
    """
    A process that has ended, and with it everything that it started.

    Attributes:
        code: The exit status as the kernel told it; None where a signal or a limit ended it.
        ended_by: Why it ended.
        stdout: What it printed; where that was too long, the first and the last part with a
            line between that says how much is left out.
        stderr: Likewise.
        truncated: Whether a part was left out of either.
        wall_s: Seconds from start to end.
        signal: The number of the signal that ended it, where one did.
    """

    code: int | None
    ended_by: EndedBy
    stdout: bytes = b""
    stderr: bytes = b""
    truncated: bool = False
    wall_s: float = 0.0
    signal: int | None = None


class Running(Protocol):
    """A process under way, in a workspace."""

    def lines(self) -> Iterator[str]:
        """
        Yields the lines of stdout as they come, undecodable bytes replaced.

        Ends when the process closes its stdout, or when a limit given to `spawn` fires. A line
        longer than 10 MiB comes in pieces.
        """

    def write(self, data: bytes, /) -> None:
        """Writes to its stdin; a process that no longer reads is not an error."""

    def close_stdin(self) -> None:
        """Lets it read the end of its stdin; may be called twice."""

    def end(self, *, grace_s: float = 0.0) -> Finished:
        """
        Waits `grace_s` for it to exit by itself, then ends the whole process tree.

        May be called twice; the second call returns what the first one did.
        """


class Workspace(Protocol):
    """
    A private directory, and the means to run programs in it.

    Whatever is started through a workspace dies with it, whole process tree, also after a double
    fork or `setsid`.
    """

    @property
    def root(self) -> Path:
        """The directory as the harness sees it. Programs run in it."""

    @property
    def inside(self) -> PurePosixPath:
        """The same directory as programs inside the sandbox see it."""

    @property
    def enforced(self) -> Mapping[str, str]:
        """
        What is really kept of the fence, in machine words, for the record.

        Keys: `sandbox`, `network`, `filesystem`, `processes`, `privileges`, `memory`; a part that
        is not kept says `none`. `programs` says `read-only` where nothing that runs here can
        write to an interpreter or a tool chain; elsewhere the engine compares their files.
        """

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
        """
        Runs a program to its end.

        Args:
            argv: The program and its arguments; never a shell line.
            timeout_s: Seconds after which the whole tree is killed; what it printed is kept.
            env: Added to the sandbox's own small environment; nothing else is inherited.
            stdin: What it can read; by default it reads the end at once.
            cwd: Relative to the root.

        Raises:
            SandboxDied: The sandbox itself broke.
            FileNotFoundError: The program isn't there.
        """

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
        """
        Starts a program and returns at once.

        Args:
            argv: The program and its arguments.
            timeout_s: Seconds after which the whole tree is killed.
            idle_s: Seconds without a byte on stdout or stderr after which it is killed.
            env: As for `run`.
            log: A directory of the caller's in which the files `stdout` and `stderr` get all
                that is printed, up to the cap.
            stdin: Whether the caller will write to it; by default it reads the end at once.

        Raises:
            SandboxDied: The sandbox itself broke.
            FileNotFoundError: The program isn't there.
        """

    def settle(self) -> None:
        """
        Ends every process that was started here and proves it; the tree stays.

        Called by the engine before it reads the tree. Later calls of `run` start afresh.

        Raises:
            SandboxDied: A process could not be ended, or the sandbox had broken before.
        """


@runtime_checkable
class CpuCounted(Protocol):
    """
    A workspace that knows how much CPU time its programs used; an optional face.

    Where trials run at once and the user asks for it, joules are shared out by that.
    """

    def cpu_us(self) -> int | None:
        """
        Returns the CPU microseconds, user and system, of all programs so far.

        All that they started counts, also what was killed or outlived its parent. The engine
        asks before and after a solver works and takes the difference.

        Returns:
            None where it is not known, such as while a program runs; never a part of it.
        """


class Sandbox(Protocol):
    """
    Opens workspaces.

    The engine opens one for the attempt and, after every process of it is dead, a fresh one for
    the checks. An implementer must not let the two share anything that the attempt could write.
    """

    def open(self, label: str, fence: Fence, /) -> AbstractContextManager[Workspace]:
        """
        Opens an empty workspace; leaving it kills what runs there and removes the directory.

        Args:
            label: For people who look at processes: task, solver and rollout.
            fence: What may be reached and used.

        Raises:
            MachineError: The fence is required and can't be had here.
        """
