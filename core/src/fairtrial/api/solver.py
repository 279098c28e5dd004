"""The kind `solver`: what runs an agent on one task."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from attrs import field, frozen

from fairtrial.api.answerer import Answer, Question
from fairtrial.api.attempt import Attempt
from fairtrial.api.errors import MachineError
from fairtrial.api.sandbox import Workspace
from fairtrial.api.stage import Stage
from fairtrial.api.task import Brief
from fairtrial.api.trajectory import Event


class Session(Protocol):
    """One solver's sight of one trial; all that it may touch."""

    @property
    def brief(self) -> Brief:
        """What is asked."""

    @property
    def workspace(self) -> Workspace:
        """The tree to work in, and the means to run the agent there."""

    @property
    def scratch(self) -> Path:
        """
        A private directory for the agent's own files (its home, settings, native logs).

        What is left in `scratch / "native"` is kept with the trial.
        """

    @property
    def environment(self) -> Mapping[str, str]:
        """
        What the agent needs in its environment: the gateway's addresses.

        To be passed to the agent's own process; the task's PATH and variables are already in
        the environment of every program that the workspace starts.
        """

    def remaining_s(self) -> float:
        """Seconds left of the attempt's time; never negative."""

    def ask(self, question: Question, /) -> Answer:
        """Puts a question to the answerer and records both; waiting is not working time."""

    def ask_together(self, questions: Sequence[Question], /) -> Sequence[Answer]:
        """Puts questions that the agent asks all at once; they count as one question."""

    def record(self, event: Event, /) -> None:
        """Appends one event to the trajectory, written at once."""

    def perform(self, solver: "Solver", session: "Session", /) -> Stage:
        """
        Lets another solver work as a stage of this attempt, with figures of its own.

        Its joules are read in a window inside of the attempt's; when it is done, every process in
        the workspace is ended. What the engine does before and after is not working time.

        Args:
            solver: Who works; a field of the type `Solver` holds one that the config names.
            session: What it is handed: this session, or a view of it with less time or budget.

        Returns:
            What came of it; a fault that the solver raises is `Ending.INFRA`, as in an attempt.

        Raises:
            SandboxDied: A process of it could not be ended.
        """

    def escalate(self, why: str, /) -> None:
        """Says that the last stage's work is not the attempt's, and why another follows."""

    def reset(self) -> None:
        """
        Puts the workspace back to the tree that the attempt was given; that is no working time.

        Raises:
            SandboxDied: A process in it could not be ended.
            MachineError: Something in it could not be removed.
        """


class Solver(Protocol):
    """
    Runs an agent on one task.

    The engine calls `solve` between opening and closing the energy bracket; nothing else runs
    inside. An implementer starts programs only through `session.workspace`, writes only below
    `session.workspace.root` and `session.scratch`, and keeps no state between two calls: trials
    run in threads, several at once.
    """

    def solve(self, session: Session, /) -> Attempt:
        """
        Works on the task until it is done or the time is up.

        Returns:
            How it ended. A crash of the agent is `Ending.CRASHED` with a note; a fault of the
            provider or the machine is `Ending.INFRA`, which is never held against the agent.

        Raises:
            MachineError: Becomes `Ending.INFRA`.
            Exception: Anything else becomes `Ending.INFRA` too, with the traceback kept: it is a
                fault of the plugin, not of the agent.
        """


@runtime_checkable
class Spender(Protocol):
    """
    A solver that says whether it can spend money; an optional face.

    One that says nothing is taken to spend where the run has a gateway, and not to elsewhere.
    """

    @property
    def spends(self) -> bool | None:
        """Whether an attempt may cost money, so that a run needs a budget; None: says nothing."""


@frozen(kw_only=True)
class Outlook:
    """
    What is known of attempts before there is one.

    Attributes:
        workspace: An empty one, behind the fence that attempts have. Programs are looked for, and
            asked, through it; nothing is started that costs money.
        environment: What a session's `environment` would hold.
        keyless: Variables of `environment` by which an agent would find a provider for which the
            gateway has no key, and the variable of the user's own that would hold that.
    """

    workspace: Workspace
    environment: Mapping[str, str] = field(factory=dict)
    keyless: Mapping[str, str] = field(factory=dict)


@runtime_checkable
class Ready(Protocol):
    """
    A solver that can say before a run what it lacks here; an optional face.

    A run asks it once, before its first trial, so that a program or a key that is missing stops
    it before anything is spent. A selector that asks a solver may have this face, too.
    """

    def lacks(self, outlook: Outlook, /) -> MachineError | None:
        """
        Says what every attempt would end for at once.

        Args:
            outlook: What is known of attempts.

        Returns:
            What is missing and the way to it; None where nothing is, and where that can't be
            known, as of a program in a task's tree. A program that isn't found is
            `ProgramMissing`: what a task needs may bring it, and then the run goes on.

        Raises:
            SandboxDied: The sandbox broke under the question.
        """
