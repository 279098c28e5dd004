"""One attempt of an agent's command line, from its start to what is known of its end."""

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from attrs import field, frozen

from fairtrial.agents.deadline import BACKSTOP_S, Deadline, told_deadline
from fairtrial.agents.faults import Failure, crash, never_began
from fairtrial.agents.files import log_folder
from fairtrial.agents.launch import Launch
from fairtrial.agents.outfit import Outfit, not_installed, outfit
from fairtrial.agents.sessions import forget_sessions, keep_sessions
from fairtrial.agents.tokens import by_model, merged
from fairtrial.agents.transcript import Asked, Transcript
from fairtrial.api import (
    Attempt,
    EndedBy,
    Ending,
    Event,
    Finished,
    LogMessage,
    Running,
    Session,
    TurnEnd,
    Usage,
    UserMessage,
)

if TYPE_CHECKING:
    from fairtrial.agents.command import AgentCommand

_LAST_CHARACTERS = 300
_RESULT_CHARACTERS = 2_000


@frozen(kw_only=True)
class Start:
    """
    One start of the program, at its end.

    Attributes:
        failure: Why it came to no good end; None for a good one.
        transcript: What it told.
        usages: What it used.
        wall_s: Seconds that it ran.
    """

    failure: Failure | None
    transcript: Transcript
    usages: tuple[Usage, ...] = field(default=())
    wall_s: float = 0.0

    @property
    def worth_again(self) -> bool:
        """Whether the provider failed it, and the tree is still as it was given."""
        passing = self.failure is not None and self.failure.passing
        return passing and not self.transcript.acted


def drive(session: Session, agent: "AgentCommand") -> Attempt:
    """
    Runs an agent on what the session asks.

    Raises:
        MachineError: It isn't installed, is another version, or has no key.
    """
    session.record(UserMessage(id="initial", text=session.brief.prompt))
    fitted = outfit(session, agent)
    # What it left when it was asked its version is none of the attempt's.
    forget_sessions(fitted.place.home, agent.tool.sessions)
    starts: list[Start] = []
    try:
        for number in range(agent.retries + 1):
            starts.append(_start(session, agent, fitted, starts))
            wait_s = agent.retry_wait_s * 2**number
            last = number == agent.retries or not starts[-1].worth_again
            if last or not _wait(session, wait_s):
                break
            # What this start used is counted: the next one's files must not tell it again.
            _keep_sessions(session, fitted, agent)
            forget_sessions(fitted.place.home, agent.tool.sessions)
    finally:
        _keep_sessions(session, fitted, agent)
        fitted.secrets.wipe(fitted.native)
    return _attempt(fitted, starts)


def _keep_sessions(session: Session, fitted: Outfit, agent: "AgentCommand") -> None:
    lost = keep_sessions(fitted.place.home, fitted.native, agent.tool.sessions)
    if lost:
        message = f"not all session files are kept: {lost}"
        session.record(LogMessage(level="warn", message=message))


def _start(session: Session, agent: "AgentCommand", fitted: Outfit, before: list[Start]) -> Start:
    transcript = agent.transcript()
    launch = agent.launch(session.brief, fitted.place)
    running = _spawn(session, agent, fitted, launch)
    with Deadline(session, running) as deadline:
        for event in fed(running, launch, transcript, fitted):
            answer(session, running, transcript, event)
        running.close_stdin()
        grace_s = agent.grace_s if transcript.done else max(agent.grace_s, 1.0)
        finished = running.end(grace_s=grace_s)
    for event in transcript.flush():
        session.record(event)
    for said in agent.aside(finished.stderr.decode(errors="replace")):
        session.record(LogMessage(level="warn", message=fitted.secrets.out_of(said)))
    agent.settle(transcript, fitted.place)
    start = Start(
        failure=_judged(agent, transcript, finished, deadline.fired),
        transcript=transcript,
        usages=transcript.usages(),
        wall_s=finished.wall_s,
    )
    _record_end(session, fitted, start, before)
    return start


def _spawn(session: Session, agent: "AgentCommand", fitted: Outfit, launch: Launch) -> Running:
    logs = log_folder(fitted.native)
    if logs is None:
        message = "what the program prints is not kept: there is no place for its logs"
        session.record(LogMessage(level="warn", message=message))
    try:
        running = session.workspace.spawn(
            [fitted.program, *launch.argv],
            timeout_s=session.remaining_s() + BACKSTOP_S,
            idle_s=agent.idle_s,
            env={**fitted.place.env, **launch.env, **told_deadline(session)},
            log=logs,
            stdin=bool(launch.stdin) or launch.talks,
        )
    except FileNotFoundError as error:
        raise not_installed(fitted.program, agent.tool) from error
    return running


def fed(
    running: Running, launch: Launch, transcript: Transcript, fitted: Outfit
) -> Iterator[Event | Asked]:
    """Yields what a program tells, until it says that it is at its end."""
    running.write(launch.stdin)
    if not launch.talks:
        running.close_stdin()
    for line in running.lines():
        yield from transcript.feed(fitted.secrets.out_of(line))
        if transcript.done:
            return


def answer(
    session: Session, running: Running, transcript: Transcript, event: Event | Asked
) -> None:
    """Records an event; has a question answered, and the agent told."""
    if isinstance(event, Asked):
        answers = tuple(session.ask_together(event.questions))
        running.write(transcript.reply(event, answers))
    else:
        session.record(event)


def _judged(
    agent: "AgentCommand", transcript: Transcript, finished: Finished, late: bool
) -> Failure | None:
    if transcript.done:
        return transcript.failure
    if finished.ended_by is EndedBy.INTERRUPT:
        return Failure(message="the user stopped the run", ending=Ending.INTERRUPTED)
    if late or finished.ended_by is EndedBy.TIMEOUT:
        return Failure(message="its time was up", ending=Ending.TIMED_OUT, limit="timeout")
    if finished.ended_by is EndedBy.IDLE:
        message = f"no output for {agent.idle_s:g} s"
        return Failure(message=message, ending=Ending.TIMED_OUT, limit="idle")
    return _crashed(agent, transcript, finished)


def _crashed(agent: "AgentCommand", transcript: Transcript, finished: Finished) -> Failure:
    said = _last_line(finished.stderr) or _last_line(finished.stdout) or "it printed nothing"
    if finished.code is not None:
        known = agent.exited(finished.code, said)
        if known is not None:
            return known
        how = f"exit status {finished.code}"
    elif finished.signal is not None:
        how = f"signal {finished.signal}"
    else:
        how = "ended without its last event"
    message = f"{how}: {said}"
    return crash(message) if transcript.heard else never_began(message)


def _record_end(session: Session, fitted: Outfit, start: Start, before: list[Start]) -> None:
    told, failure = start.transcript, start.failure
    if told.odd:
        message = f"{told.odd} lines or events could not be read"
        session.record(LogMessage(level="warn", message=message))
    if failure is not None:
        message = fitted.secrets.out_of(failure.message)
        session.record(LogMessage(level="error", message=message))
    usages = merged(usage for one in (*before, start) for usage in one.usages)
    session.record(
        TurnEnd(
            is_error=failure is not None,
            result=told.result[:_RESULT_CHARACTERS],
            cost_usd=_cost(usages),
            duration_ms=round(start.wall_s * 1000, 1),
            model_usage=by_model(usages),
        )
    )


def _cost(usages: tuple[Usage, ...]) -> float | None:
    costs = [usage.cost_usd for usage in usages]
    if not costs or None in costs:
        return None
    return sum(cost for cost in costs if cost is not None)


def _wait(session: Session, wait_s: float) -> bool:
    """Waits before the next start; whether there is time for one and nobody wants to leave."""
    if session.remaining_s() <= wait_s:
        return False
    if wait_s <= 0:
        return True
    # A program of the workspace, and not this thread, waits: it ends with the run.
    with suppress(FileNotFoundError):
        waited = session.workspace.run(["sleep", f"{wait_s:.3f}"], timeout_s=wait_s + 5)
        return waited.ended_by is not EndedBy.INTERRUPT
    return True


def _attempt(fitted: Outfit, starts: list[Start]) -> Attempt:
    last = starts[-1]
    failure = last.failure
    note = "" if failure is None else fitted.secrets.out_of(failure.message)
    if len(starts) > 1:
        note = f"{note or 'done'} (started {len(starts)} times: the provider failed it)"
    return Attempt(
        ending=Ending.FINISHED if failure is None else failure.ending,
        limit="" if failure is None else failure.limit,
        usage=merged(usage for start in starts for usage in start.usages),
        model=last.transcript.model,
        agent_version=fitted.version,
        note=note,
    )


def _last_line(output: bytes) -> str:
    lines = [line.strip() for line in output.decode(errors="replace").splitlines()]
    return next((line for line in reversed(lines) if line), "")[:_LAST_CHARACTERS]
