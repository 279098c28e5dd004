"""One workspace of the sandbox, and the containers in which its programs run."""

import threading
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path, PurePosixPath

from attrs import evolve, frozen
from fairtrial.api import EndedBy, Finished, Running, SandboxDied, Workspace
from fairtrial.processes import Crew, Job, Judged
from fairtrial.processes.codes import as_shells_tell

from fairtrial_sandbox_docker.container import HOME, TMP, WORK, Recipe
from fairtrial_sandbox_docker.engine import Engine, complaint, surroundings

_OWN = frozenset({EndedBy.EXIT, EndedBy.SIGNAL})
_STRANGE = 125
"""From this exit code on, the engine's command line may speak of itself."""
_LOOK_S = 60.0


@frozen(kw_only=True)
class Layout:
    """
    What a workspace is made of.

    Attributes:
        recipe: How its containers are made.
        label: For people who look at processes.
        environment: Of its programs, before what a caller adds.
        enforced: What is kept of the fence.
    """

    recipe: Recipe
    label: str
    environment: Mapping[str, str]
    enforced: Mapping[str, str]


class DockerWorkspace:
    """A private directory, and a container for each program; see `DockerSandbox`."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._recipe = layout.recipe
        self._places = layout.recipe.places
        self._crew = Crew(self._places.top)
        self._containers: set[str] = set()
        self._died: SandboxDied | None = None
        self._lock = threading.Lock()

    @property
    def root(self) -> Path:
        """The directory as the harness sees it."""
        return self._places.root

    @property
    def inside(self) -> PurePosixPath:
        """The directory as programs see it."""
        return WORK

    @property
    def enforced(self) -> Mapping[str, str]:
        """
        What is kept of the fence.

        `filesystem` is `image`: only the image and what the fence names is seen; `processes` is
        `container`; `memory` is `program:N` for N MiB of each program with all that it starts.
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
        name = self._container(argv, env, cwd, stdin=bool(stdin))
        job = self._start(name, stdin=bool(stdin))
        done = self._crew.run(job, timeout_s=timeout_s, stdin=stdin)
        return self._ended(name, done)

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
        name = self._container(argv, env, PurePosixPath(), stdin=stdin)
        program = self._crew.start(
            self._start(name, stdin=stdin),
            timeout_s=timeout_s,
            idle_s=idle_s,
            log=log,
            stdin=stdin,
        )
        return Judged(program, partial(self._ended, name))

    def settle(self) -> None:
        """
        Ends every process that was started here and proves it; the tree stays.

        Raises:
            SandboxDied: A container could not be ended, or the engine had broken before.
        """
        self._crew.settle()
        with self._lock:
            left = tuple(self._containers)
        for name in left:
            self._forget(name)
        if self._died is not None:
            raise self._died

    def _ended(self, name: str, done: Finished) -> Finished:
        """
        Returns how a program itself ended, from how the engine's command line did.

        Its container is then removed, with everything that still ran there.

        Raises:
            SandboxDied: The engine broke.
        """
        try:
            told = self._told(name, done) if done.ended_by in _OWN else done
            self._forget(name)
        except SandboxDied as error:
            self._died = error
            raise
        return told

    def _told(self, name: str, done: Finished) -> Finished:
        if done.code is not None and done.code < _STRANGE:
            return done
        state = self._recipe.engine.state(name)
        if state.get("OOMKilled"):
            return evolve(done, code=None, ended_by=EndedBy.SIGNAL, signal=9)
        code = state.get("ExitCode")
        never = str(state.get("StartedAt", "0001")).startswith("0001")
        if not isinstance(code, int) or state.get("Running") or never:
            raise SandboxDied(
                problem="the container of a program died, or could not be started",
                facts=(("it said", complaint(done)), ("state", str(state.get("Error") or "–"))),
                way_on="look at the container engine's own log",
            )
        return as_shells_tell(done, code)

    def _forget(self, name: str) -> None:
        self._recipe.engine.remove(name)
        with self._lock:
            self._containers.discard(name)

    def _container(
        self,
        argv: Sequence[str],
        env: Mapping[str, str] | None,
        cwd: PurePosixPath,
        *,
        stdin: bool,
    ) -> str:
        folder = WORK / self._places.folder(cwd).relative_to(self.root)
        whole = {**self._layout.environment, **(env or {})}
        self._look_for(argv[0], folder, whole.get("PATH", ""))
        places = self._places
        with self._lock:
            writable = (places.root, places.home, places.tmp, *self._recipe.fence.writable)
            self._recipe.person.own(writable)
        name = self._recipe.create(argv, folder, whole, stdin=stdin)
        with self._lock:
            self._containers.add(name)
        return name

    def _start(self, name: str, *, stdin: bool) -> Job:
        words = ["start", "--attach", *(("--interactive",) if stdin else ()), name]
        return Job(
            argv=tuple(self._recipe.engine.command(*words)),
            env=surroundings(),
            cwd=self.root,
            label=self._layout.label,
        )

    def _look_for(self, name: str, cwd: PurePosixPath, path: str) -> None:
        """
        Looks for a program where it would be found inside.

        Raises:
            FileNotFoundError: It isn't there.
        """
        place = cwd / name
        if "/" in name and place.is_relative_to(WORK):
            here = (self.root / place.relative_to(WORK)).exists()
        else:
            here = _is_there(self._recipe.engine, self._recipe.image, path, name) or (
                self._is_shown(name, path)
            )
        if not here:
            raise FileNotFoundError(2, "no such program in the container", name)

    def _is_shown(self, name: str, path: str) -> bool:
        """Whether a program is in what the workspace shows of this machine."""
        own = {HOME: self._places.home, TMP: self._places.tmp, str(WORK): self.root}
        shown = {
            str(each): each for each in (*self._recipe.fence.readable, *self._recipe.fence.path)
        }
        shown |= {str(each): each for each in self._recipe.fence.writable} | own
        names = [name] if "/" in name else [f"{folder}/{name}" for folder in path.split(":")]
        for each in map(PurePosixPath, names):
            for inside, source in shown.items():
                if each.is_relative_to(inside) and (source / each.relative_to(inside)).is_file():
                    return True
        return False


@cache
def _is_there(engine: Engine, image: str, path: str, name: str) -> bool:
    """Whether an image holds a program; asked of the image once for each name and PATH."""
    look = 'command -v -- "$1"'
    words = ("run", "--rm", "--pull", "never", "--network", "none", "--cap-drop", "ALL")
    done = engine.call(
        *words, "--env", f"PATH={path}", "--entrypoint", "/bin/sh", image, "-c", look, "sh", name
    )
    return bool(done.code == 0)


_: type[Workspace] = DockerWorkspace
