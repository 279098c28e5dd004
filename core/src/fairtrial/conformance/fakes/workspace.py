"""Workspaces: one that plays back what it was told, and a real one of the core's own sandbox."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path, PurePosixPath
from typing import cast

from attrs import define, field

from fairtrial.api import EndedBy, Fence, Finished, Running, Sandbox, Workspace
from fairtrial.registry import load

SUCCESS = Finished(code=0, ended_by=EndedBy.EXIT)


def open_local(label: str, fence: Fence | None = None) -> AbstractContextManager[Workspace]:
    """Opens an empty workspace of the sandbox `local`, where real programs run."""
    cls = load("sandbox", "local", asked_in="the conformance kit")
    return cast("Sandbox", cls()).open(label, fence or Fence())


@define(kw_only=True)
class ScriptedRunning:
    """
    A process that prints what it was told to, and has then ended so.

    Attributes:
        finished: How it ends; its stdout is what `lines` yields.
        written: What was written to its stdin.
    """

    finished: Finished = SUCCESS
    written: bytearray = field(factory=bytearray)

    def lines(self) -> Iterator[str]:
        """Yields the lines of the stdout that was laid down."""
        yield from self.finished.stdout.decode(errors="replace").splitlines()

    def write(self, data: bytes, /) -> None:
        """Keeps what is written."""
        self.written += data

    def close_stdin(self) -> None:
        """Does nothing: nobody reads."""

    def end(self, *, grace_s: float = 0.0) -> Finished:
        """Returns at once how it ended."""
        return self.finished


@define(kw_only=True)
class ScriptedWorkspace:
    """
    A workspace that starts no program: each call takes the next outcome of a script.

    Attributes:
        root: A directory that exists.
        outcomes: How the programs end, in order; the last one goes on for ever.
        calls: The argument lists that were asked for, in order.
        missing: Whether no program is to be found, as in a bare image.
    """

    root: Path
    outcomes: Sequence[Finished] = (SUCCESS,)
    calls: list[tuple[str, ...]] = field(factory=list)
    missing: bool = False

    @property
    def inside(self) -> PurePosixPath:
        """The same path: nothing stands between."""
        return PurePosixPath(self.root)

    @property
    def enforced(self) -> Mapping[str, str]:
        """Nothing is kept, and it says so."""
        parts = ("network", "filesystem", "processes", "privileges", "memory")
        return {"sandbox": "scripted", **dict.fromkeys(parts, "none")}

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
        """Returns the next outcome."""
        return self._next(argv)

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
        """Returns a process that plays the next outcome, and logs it as a real one would."""
        finished = self._next(argv)
        if log is not None:
            log.mkdir(parents=True, exist_ok=True)
            (log / "stdout").write_bytes(finished.stdout)
            (log / "stderr").write_bytes(finished.stderr)
        return ScriptedRunning(finished=finished)

    def settle(self) -> None:
        """Does nothing: no process was ever started."""

    def _next(self, argv: Sequence[str]) -> Finished:
        self.calls.append(tuple(argv))
        if self.missing:
            raise FileNotFoundError(argv[0])
        return self.outcomes[min(len(self.calls), len(self.outcomes)) - 1]
