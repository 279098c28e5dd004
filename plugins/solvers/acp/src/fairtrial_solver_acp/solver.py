"""How an agent of the Agent Client Protocol is started, and what its end means."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from attrs import field, frozen
from attrs.validators import ge, gt, min_len, optional
from fairtrial.agents.command import names_only, no_key
from fairtrial.agents.deadline import BACKSTOP_S, Deadline, told_deadline
from fairtrial.agents.faults import Failure, crash, failure, never_began
from fairtrial.agents.presence import absent, lacks_program
from fairtrial.agents.secrecy import Secrets, around_proxies, lacks_variable, passed
from fairtrial.agents.tokens import by_model
from fairtrial.api import (
    Attempt,
    EndedBy,
    Ending,
    Finished,
    LogMessage,
    MachineError,
    Outlook,
    Running,
    Session,
    Solver,
    TurnEnd,
    UserMessage,
)

from fairtrial_solver_acp.conversation import Conversation, Wishes

_IDLE_S: float | None = 900.0
_ARGV = "`argv` of a solver “acp”"
_VARIABLES = "`pass_env` of a solver “acp”"
_HELD = {
    "ANTHROPIC_BASE_URL": "ANTHROPIC_API_KEY",
    "OPENAI_BASE_URL": "OPENAI_API_KEY",
    "GOOGLE_GEMINI_BASE_URL": "GEMINI_API_KEY",
}


@frozen(kw_only=True)
class AcpSolver:
    """
    Runs any agent that speaks the Agent Client Protocol over its stdin and stdout.

    What it asks its user goes to the run's answerer. Files and terminals that it asks its client
    for are served inside of the workspace, and nowhere else.
    """

    argv: tuple[str, ...] = field(validator=min_len(1))
    """The agent and its arguments, such as `["gemini", "--acp"]`."""

    env: Mapping[str, str] = field(factory=dict, validator=no_key)
    """Variables for the agent; never a key."""

    pass_env: tuple[str, ...] = field(default=(), validator=names_only)
    """Names of your own variables that it gets too, such as the one that holds its key."""

    login: str = ""
    """The way of logging in that is asked for, by the agent's own id of it; empty for none."""

    mode: str = ""
    """The session's mode, by the agent's own id of it, such as one that asks for no permission."""

    model: str = ""
    """The model, as the agent's option `model` takes it; empty for the agent's default."""

    permissions: Literal["ask", "allow"] = "ask"
    """Whether its requests for permission go to the answerer, or are all granted. Those that go
    to the answerer count as questions."""

    idle_s: float | None = field(default=_IDLE_S, validator=optional(gt(0)))
    """Seconds without a byte of output after which it is given up."""

    grace_s: float = field(default=5.0, validator=ge(0))
    """Seconds that it has to leave once its turn is over."""

    @property
    def spends(self) -> bool:
        """A model costs money."""
        return True

    def lacks(self, outlook: Outlook, /) -> MachineError | None:
        """Says whether it isn't installed, or a variable of `pass_env` isn't set."""
        lack = lacks_variable(self.pass_env, _VARIABLES)
        if lack is not None:
            return lack
        env = {**outlook.environment, **passed(self.pass_env, _VARIABLES), **self.env}
        return lacks_program(self.argv[0], outlook.workspace, env, _ARGV)

    def solve(self, session: Session, /) -> Attempt:
        """
        Runs the agent for one turn.

        Raises:
            MachineError: It isn't installed, or a variable of `pass_env` isn't set.
        """
        session.record(UserMessage(id="initial", text=session.brief.prompt))
        keys = passed(self.pass_env, _VARIABLES)
        secrets = Secrets.of(keys.values())
        native = session.scratch / "native"
        native.mkdir(exist_ok=True)
        running = self._spawn(session, self._environment(session, keys), native)
        talk = Conversation(
            session=session,
            running=running,
            secrets=secrets,
            wishes=Wishes(
                login=self.login,
                mode=self.mode,
                model=self.model,
                grant=self.permissions == "allow",
            ),
        )
        with Deadline(session, running) as deadline:
            asyncio.run(talk.hold())
            running.close_stdin()
            finished = running.end(grace_s=self.grace_s)
        secrets.wipe(native)
        why = self._judged(talk, finished, late=deadline.fired)
        return self._told(session, talk, why, finished.wall_s)

    def _environment(self, session: Session, keys: Mapping[str, str]) -> dict[str, str]:
        home = session.scratch / "home"
        home.mkdir(mode=0o700, exist_ok=True)
        given = session.environment
        held = {key: "held-by-the-gateway" for name, key in _HELD.items() if name in given}
        own = {"HOME": str(home), **told_deadline(session)}
        env = {**own, **held, **given, **keys, **self.env}
        return {**env, **around_proxies(env)}

    def _spawn(self, session: Session, env: Mapping[str, str], native: Path) -> Running:
        argv = [text.replace("{scratch}", str(session.scratch)) for text in self.argv]
        try:
            return session.workspace.spawn(
                argv,
                timeout_s=session.remaining_s() + BACKSTOP_S,
                idle_s=self.idle_s,
                env=env,
                log=native,
                stdin=True,
            )
        except FileNotFoundError as error:
            raise absent(argv[0], _ARGV) from error

    def _judged(self, talk: Conversation, finished: Finished, *, late: bool) -> Failure | None:
        if talk.over:
            return talk.failure
        if finished.ended_by is EndedBy.INTERRUPT:
            return Failure(message="the user stopped the run", ending=Ending.INTERRUPTED)
        if late or finished.ended_by is EndedBy.TIMEOUT:
            return Failure(message="its time was up", ending=Ending.TIMED_OUT, limit="timeout")
        if finished.ended_by is EndedBy.IDLE:
            message = f"no output for {self.idle_s:g} s"
            return Failure(message=message, ending=Ending.TIMED_OUT, limit="idle")
        if talk.refused:
            return failure(talk.refused) if talk.began else never_began(talk.refused)
        lines = finished.stderr.decode(errors="replace").strip().splitlines()
        said = lines[-1] if lines else "it printed nothing"
        message = f"exit status {finished.code}: {said}"
        return crash(message) if talk.began else never_began(message)

    def _told(
        self, session: Session, talk: Conversation, why: Failure | None, wall_s: float
    ) -> Attempt:
        usages = talk.usages()
        note = "" if why is None else talk.secrets.out_of(why.message)
        if why is not None:
            session.record(LogMessage(level="error", message=note))
        session.record(
            TurnEnd(
                is_error=why is not None and why.ending is not Ending.FINISHED,
                cost_usd=usages[0].cost_usd if usages else None,
                duration_ms=round(wall_s * 1000, 1),
                model_usage=by_model(usages),
            )
        )
        return Attempt(
            ending=Ending.FINISHED if why is None else why.ending,
            limit="" if why is None else why.limit,
            usage=usages,
            model=self.model or None,
            agent_version=talk.version,
            note=note,
        )


_: type[Solver] = AcpSolver
