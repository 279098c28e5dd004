"""One workspace of the sandbox, and the programs that run in it."""

import os
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path, PurePosixPath

from attrs import frozen
from fairtrial.api import Finished, Running, SandboxDied, Workspace
from fairtrial.processes import Crew, Job, Judged, Limits, find_program

from fairtrial_sandbox_bubblewrap.command import HOME, TMP, Fenced
from fairtrial_sandbox_bubblewrap.memory import Group
from fairtrial_sandbox_bubblewrap.status import told
from fairtrial_sandbox_bubblewrap.views import Sight, View


@frozen(kw_only=True)
class Layout:
    """
    What a workspace is made of.

    Attributes:
        fenced: Its command line.
        label: For people who look at processes.
        environment: Of its programs, before what a caller adds.
        limits: For each single process.
        group: Limits all of them together; None where nothing does.
        lent: Directories outside that programs may write.
        enforced: What is kept of the fence.
    """

    fenced: Fenced
    label: str
    environment: Mapping[str, str]
    limits: Limits
    group: Group | None
    lent: tuple[Path, ...]
    enforced: Mapping[str, str]


class BubblewrapWorkspace:
    """A private directory, and programs in namespaces of their own; see `BubblewrapSandbox`."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._places = layout.fenced.places
        self._fixed = layout.fenced.fixed()
        if layout.group is not None:
            self._fixed = [*layout.group.entering(), *self._fixed]
        self._sight = Sight.of(
            (
                *layout.fenced.shown,
                View(inside=self.inside, source=self._places.root),
                View(inside=HOME, source=self._places.home),
                View(inside=TMP, source=self._places.tmp),
            )
        )
        self._crew = Crew(self._places.top)
        self._numbers = count()
        self._died: SandboxDied | None = None
        self._lock = threading.Lock()

    @property
    def root(self) -> Path:
        """The directory as the harness sees it."""
        return self._places.root

    @property
    def inside(self) -> PurePosixPath:
        """The directory as programs see it."""
        return self._layout.fenced.inside

    @property
    def enforced(self) -> Mapping[str, str]:
        """
        What is kept of the fence.

        `filesystem` is `listed`: only what the fence and the system need is seen; `processes` is
        `namespace`; `privileges` is `dropped` where programs are another user than the harness,
        else `caller`, who has none of the superuser's rights either; `memory` is `all:N` for N MiB
        together, `each:N` for each process; `pids` and `file` are limits too.
        """
        return self._layout.enforced

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
        job = self._job(argv, env, cwd)
        return self._judged(job, self._crew.run(job, timeout_s=timeout_s, stdin=stdin))

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
        program = self._crew.start(job, timeout_s=timeout_s, idle_s=idle_s, log=log, stdin=stdin)
        return Judged(program, partial(self._judged, job))

    def settle(self) -> None:
        """
        Ends every process that was started here and proves it; the tree stays.

        Raises:
            SandboxDied: A process could not be ended, or the sandbox had broken before.
        """
        self._crew.settle()
        if self._died is not None:
            raise self._died

    def cpu_us(self) -> int | None:
        """
        Returns the CPU time of its programs so far; see `fairtrial.api.CpuCounted`.

        Known by the control group of a limit on memory alone: what still runs when a namespace
        ends is killed by the kernel, which adds its time to nobody's.
        """
        group = self._layout.group
        return None if group is None else group.cpu_us()

    def _judged(self, job: Job, done: Finished) -> Finished:
        """
        Returns how a program itself ended, from how `bwrap` did; the report is then gone.

        Raises:
            SandboxDied: `bwrap` broke.
        """
        group, report = self._layout.group, job.status or Path()
        try:
            return told(done, report, starved=group is not None and group.starved)
        except SandboxDied as error:
            self._died = error
            raise
        finally:
            report.unlink(missing_ok=True)

    def _job(self, argv: Sequence[str], env: Mapping[str, str] | None, cwd: PurePosixPath) -> Job:
        folder = self._places.folder(cwd)
        start = self.inside / folder.relative_to(self.root)
        whole = {**self._layout.environment, **(env or {})}
        self._look_for(argv[0], whole.get("PATH", ""), start)
        with self._lock:
            self._layout.fenced.person.own(
                (self.root, self._places.home, self._places.tmp, *self._layout.lent)
            )
        return Job(
            argv=(*self._fixed, *self._layout.fenced.start(argv, start, whole)),
            env=self._layout.fenced.own(whole),
            cwd=self.root,
            label=self._layout.label,
            limits=self._layout.limits,
            status=self._places.top / f"status-{next(self._numbers)}",
        )

    def _look_for(self, name: str, path: str, start: PurePosixPath) -> None:
        """
        Looks for a program where it would be found inside.

        Raises:
            FileNotFoundError: It isn't seen there.
        """
        if "/" in name:
            place = self._sight.source(os.path.normpath(start / name))
            if place is None or not Path(place).exists():
                raise FileNotFoundError(2, "no such program in the sandbox", name)
            return
        seen = (
            self._sight.source(os.path.normpath(folder)) for folder in path.split(":") if folder
        )
        with suppress(FileNotFoundError):
            find_program(name, ":".join(filter(None, seen)))
            return
        raise FileNotFoundError(2, "no such program on the PATH, as the sandbox sees it", name)


_: type[Workspace] = BubblewrapWorkspace
