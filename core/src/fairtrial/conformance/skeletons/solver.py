"""A solver for fairtrial: runs one program, which reads the prompt from its stdin."""

from attrs import field, frozen
from attrs.validators import min_len

from fairtrial.api import (
    AssistantText,
    Attempt,
    EndedBy,
    Ending,
    Finished,
    MachineError,
    Session,
    Solver,
    UserMessage,
)

ENDINGS = {
    EndedBy.TIMEOUT: Ending.TIMED_OUT,
    EndedBy.IDLE: Ending.TIMED_OUT,
    EndedBy.INTERRUPT: Ending.INTERRUPTED,
}


@frozen(kw_only=True)
class EchoSolver:
    """Runs a program in the workspace and takes what it leaves there for its answer."""

    argv: tuple[str, ...] = field(default=("cat",), validator=min_len(1))
    """The agent's program and its arguments."""

    def solve(self, session: Session, /) -> Attempt:
        """Works on the task until the program ends or the time is up."""
        prompt = session.brief.prompt
        session.record(UserMessage(id="initial", text=prompt))
        # Through the workspace, so that it dies with the attempt, whatever it forks.
        try:
            done = session.workspace.run(
                self.argv,
                timeout_s=max(0.1, session.remaining_s()),
                env=session.environment,
                stdin=prompt.encode(),
            )
        except FileNotFoundError as error:
            raise MachineError(
                problem=f"the program “{self.argv[0]}” isn't here",
                way_on="install it, or name another one in the solver's `argv`",
            ) from error
        session.record(AssistantText(text=done.stdout.decode(errors="replace")))
        return Attempt(ending=_ending(done), note=_note(done))


def _ending(done: Finished) -> Ending:
    if done.ended_by in ENDINGS:
        return ENDINGS[done.ended_by]
    return Ending.FINISHED if done.code == 0 else Ending.CRASHED


def _note(done: Finished) -> str:
    if done.code == 0:
        return ""
    told = done.stderr.decode(errors="replace").strip().splitlines()
    return f"exit code {done.code}: {told[-1] if told else 'it said nothing'}"


_: type[Solver] = EchoSolver
