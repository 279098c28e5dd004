"""The kit of the kind `solver`."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, cast

import psutil

from fairtrial.api import (
    Attempt,
    Brief,
    EndedBy,
    Ending,
    Fence,
    Finished,
    MachineError,
    Network,
    Outlook,
    Ready,
    SandboxDied,
    Session,
    Solver,
    Workspace,
)
from fairtrial.conformance.base import Conformance
from fairtrial.conformance.fakes.session import FakeSession
from fairtrial.conformance.fakes.workspace import ScriptedWorkspace, open_local
from fairtrial.conformance.promise import NotJudged, may_only_raise, promise, same
from fairtrial.conformance.watch import watch

PROMPT = "Write the sum of 2 and 3 into answer.txt."
HARD_PROMPTS = (
    "Съешь же ещё этих мягких французских булок, да выпей чаю",
    "いろはにほへと ちりぬるを 我が世誰ぞ 常ならむ",
    "نص حكيم له سر قاطع وذو شأن عظيم",
    "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία 🦊",
    "--help",
    "-",
    "{prompt} {workspace} %s $HOME `id` \\ \" ' \n\r\n\t*",
    "x" * 100_000,
)
STUCK_LIMIT_S = 0.5
GRACE_S = 10.0
SETTLE_S = 2.0
CRASH = Finished(code=70, ended_by=EndedBy.EXIT, stderr=b"internal error\n")
OURS = (Ending.CRASHED, Ending.INFRA)


class RequiredSolver(Conformance):
    """What every solver promises."""

    kind: ClassVar[str] = "solver"

    timeout_s: ClassVar[float] = 60.0
    """Seconds that an ordinary attempt of the kit's may take."""

    def test_an_empty_tree_gives_an_attempt(self, solver: Solver, tmp_path: Path) -> None:
        """In an empty workspace, `solve` comes back with an Attempt."""
        with self.session(tmp_path) as session:
            attempt = self.solve(solver, session)
        promise(attempt.note or attempt.ending not in OURS, f"{attempt.ending} without a note")

    def test_hard_prompts_are_prompts(self, solver: Solver, tmp_path: Path) -> None:
        """Other scripts, 100 kB, a leading dash and braces end as an ordinary prompt does."""
        with self.session(tmp_path / "plain") as session:
            ordinary = self.solve(solver, session).ending
        for number, prompt in enumerate(HARD_PROMPTS):
            with self.session(tmp_path / str(number), prompt=prompt) as session:
                ending = self.solve(solver, session).ending
            same(ordinary, ending, f"the prompt {prompt[:40]!r} ends differently")

    def test_the_time_limit_is_honoured(self, solver: Solver, tmp_path: Path) -> None:
        """An agent that works for ever is given up after `timeout_s`, and the attempt says so."""
        with self.session(tmp_path, timeout_s=STUCK_LIMIT_S) as session:
            started = time.monotonic()
            attempt = self.solve(self.stuck(solver), session)
            took_s = time.monotonic() - started
        promise(
            took_s < STUCK_LIMIT_S + GRACE_S,
            f"a limit of {STUCK_LIMIT_S} s was met after {took_s:.0f} s",
        )
        late = took_s >= STUCK_LIMIT_S
        told = attempt.ending is not Ending.FINISHED
        promise(told or not late, "the time was up, and the attempt says that it finished")

    def test_no_child_is_left(self, solver: Solver, tmp_path: Path) -> None:
        """When `solve` returns, whatever it started has ended, also after a limit fired."""
        with self.session(tmp_path, timeout_s=STUCK_LIMIT_S) as session:
            self.solve(self.stuck(solver), session)
            left = _settled(session.workspace.root)
        same([], left, "programs that still run in the workspace")

    def test_nothing_is_written_elsewhere(self, solver: Solver, tmp_path: Path) -> None:
        """It writes below the workspace and its scratch, and nowhere else."""
        with self.session(tmp_path) as session, _decoys(tmp_path), watch() as seen:
            self.solve(solver, session)
        strays = seen.written_outside(session.workspace.root, session.scratch)
        same([], strays, "paths that it wrote")

    def test_checks_and_references_are_not_looked_for(
        self, solver: Solver, tmp_path: Path
    ) -> None:
        """It doesn't read what lies beside the run, such as a check or a reference."""
        with self.session(tmp_path) as session, _decoys(tmp_path) as place, watch() as seen:
            self.solve(solver, session)
        found = [str(path) for path in seen.read if path == place or place in path.parents]
        same([], found, "paths that it looked at")

    def test_programs_start_through_the_workspace(self, solver: Solver, tmp_path: Path) -> None:
        """What it starts, it starts through the workspace, so that it dies with the attempt."""
        with self.session(tmp_path) as session, watch() as seen:
            self.solve(solver, session)
        same([], seen.children, "programs that it started by itself")

    def test_a_crash_is_told_and_not_raised(self, solver: Solver, tmp_path: Path) -> None:
        """An agent that dies at once is `crashed` or `infra`, with a note for the reader."""
        workspace = ScriptedWorkspace(root=_made(tmp_path / "tree"), outcomes=(CRASH,))
        attempt = self.solve(solver, _session(tmp_path, workspace, self.timeout_s))
        if workspace.calls:
            promise(attempt.ending in OURS, f"its program crashed, and it says {attempt.ending}")
            promise(attempt.note, "its program crashed, and no note says how")

    def test_a_missing_program_is_not_the_agents_fault(
        self, solver: Solver, tmp_path: Path
    ) -> None:
        """Where the agent's program isn't installed, that is `infra` or a MachineError."""
        workspace = ScriptedWorkspace(root=_made(tmp_path / "tree"), missing=True)
        session = _session(tmp_path, workspace, self.timeout_s)
        words = "a missing program may only raise MachineError"
        with may_only_raise(MachineError, words=words):
            try:
                ending = solver.solve(session).ending
            except MachineError:
                return
        promise(ending is Ending.INFRA or not workspace.calls, f"no program, and it says {ending}")

    def test_what_it_lacks_an_attempt_lacks_too(self, solver: Solver, tmp_path: Path) -> None:
        """If it says before a run that something is missing, no attempt goes on without that."""
        if not isinstance(solver, Ready):
            return
        bare = ScriptedWorkspace(root=_made(tmp_path / "tree"), missing=True)
        with may_only_raise(SandboxDied, words="lacks may only raise SandboxDied"):
            _lack(solver, bare)
        with self.session(tmp_path) as session, watch() as seen:
            with may_only_raise(SandboxDied, words="lacks may only raise SandboxDied"):
                lack = _lack(solver, session.workspace)
            same([], seen.children, "programs that it started by itself")
            same([], _settled(session.workspace.root), "programs that still run in the workspace")
            promise(lack is None or _is_infra(solver, session), f"an attempt goes on: {lack}")

    def test_two_attempts_at_once_do_not_meet(self, solver: Solver, tmp_path: Path) -> None:
        """Trials run in threads: what is told in one attempt is in no other one."""
        words = ("the-first-attempt", "the-second-attempt")

        def attempt(word: str) -> str:
            # A short name: the path of a UNIX socket below it has little room.
            with self.session(tmp_path / str(words.index(word)), prompt=word) as session:
                self.solve(solver, session)
                return repr(session.events) + _texts(session.workspace.root)

        with ThreadPoolExecutor(len(words)) as pool:
            first, second = pool.map(attempt, words)
        promise(words[1] not in first and words[0] not in second, "two attempts share state")

    def stuck(self, solver: Solver) -> Solver:
        """Returns a solver whose agent never ends; the same one unless overridden."""
        return solver

    def solve(self, solver: Solver, session: Session) -> Attempt:
        """Runs one attempt; anything but an Attempt or a MachineError is a broken promise."""
        try:
            with may_only_raise(MachineError, words="solve may only raise MachineError"):
                attempt = solver.solve(session)
        except MachineError as error:
            raise NotJudged(f"the agent can't run here: {error}; {error.way_on}") from error
        promise(isinstance(attempt, Attempt), f"{attempt!r} is no Attempt")
        return attempt

    @contextmanager
    def session(
        self, directory: Path, *, prompt: str = PROMPT, timeout_s: float | None = None
    ) -> Iterator[FakeSession]:
        """Opens a session in an empty workspace of the local sandbox."""
        scratch = _made(directory / "scratch")
        fence = Fence(network=Network.OPEN, writable=(scratch,))
        with open_local("conformance", fence) as workspace:
            yield _session(directory, workspace, timeout_s or self.timeout_s, prompt)


class OptionalSolver(RequiredSolver):
    """What a solver promises besides, by its capabilities."""

    asks_questions: ClassVar[bool] = False
    """Whether the agent may ask its user; then it asks through the session."""

    def test_questions_are_asked_as_declared(self, solver: Solver, tmp_path: Path) -> None:
        """A solver that can't ask never does; one that can asks at least one open question."""
        with self.session(tmp_path, prompt=self.open_prompt()) as session:
            self.solve(solver, session)
        asked = bool(session.questions)
        same(self.declared("asks_questions"), asked, "whether it asks, as declared and as seen")

    def open_prompt(self) -> str:
        """Returns a prompt that makes the agent ask, if it can; may be overridden."""
        return f"{PROMPT} Ask me first whether the sum is to be written in words."


def _lack(solver: Ready, workspace: Workspace) -> MachineError | None:
    said: object = solver.lacks(Outlook(workspace=workspace))
    if said is None:
        return None
    promise(
        isinstance(said, MachineError) and said.problem and said.way_on,
        f"{said!r} is no MachineError that says what is missing, and the way to it",
    )
    return cast("MachineError", said)


def _is_infra(solver: Solver, session: Session) -> bool:
    try:
        return solver.solve(session).ending is Ending.INFRA
    except MachineError:
        return True


def _session(
    directory: Path, workspace: Workspace, timeout_s: float, prompt: str = PROMPT
) -> FakeSession:
    brief = Brief(prompt=prompt, timeout_s=timeout_s)
    return FakeSession(brief=brief, workspace=workspace, scratch=_made(directory / "scratch"))


def _made(directory: Path) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    return directory


@contextmanager
def _decoys(directory: Path) -> Iterator[Path]:
    """Stands in a directory that looks like a task folder, with home there too."""
    place = directory / "decoys"
    for name in ("check", "reference"):
        (_made(place / name) / "answer.txt").write_text("5\n", encoding="utf-8")
    before, home = Path.cwd(), os.environ.get("HOME")
    os.chdir(place)
    os.environ["HOME"] = str(place)
    try:
        yield place.resolve()
    finally:
        os.chdir(before)
        if home is not None:
            os.environ["HOME"] = home


def _settled(root: Path) -> list[str]:
    """Returns the programs that still run in a workspace, once they had time to be reaped."""
    until = time.monotonic() + SETTLE_S
    while (left := _working_below(root)) and time.monotonic() < until:
        time.sleep(0.02)
    return left


def _working_below(root: Path) -> list[str]:
    """Returns the programs whose current directory is the workspace."""
    real = root.resolve()
    found = []
    for process in psutil.process_iter():
        try:
            place = Path(process.cwd())
            if process.pid != os.getpid() and (place == real or real in place.parents):
                found.append(f"{process.name()} ({process.pid})")
        except (psutil.Error, OSError):
            continue
    return found


def _texts(root: Path) -> str:
    return "".join(
        path.read_text(encoding="utf-8", errors="replace")
        for path in sorted(root.rglob("*"))
        if path.is_file()
    )


class SolverConformance(OptionalSolver):
    """The kit: give it a fixture `solver`, and override `stuck` if it can be told to work long."""
