"""The conversation with one worker, from `hello` to `finish`; see docs/worker-protocol.md."""

import time
from collections.abc import Mapping

from attrs import define, evolve, field
from fairtrial.agents.picking import at, text
from fairtrial.api import Attempt, Ending, Session

from fairtrial_solver_worker import reading
from fairtrial_solver_worker.wire import Message, Rubbish, Wire

VERSIONS = ("1.0",)
"""Versions of the protocol that this solver speaks, the one that it likes best first."""

NO_COMMON_VERSION = -32001
_NO_SUCH_METHOD = -32601
_MISSED = 3


class Silent(Exception):
    """Nothing was heard for longer than a worker may be silent."""


class Refused(Exception):
    """The worker has answered a request with an error; holds the reason."""


@define(kw_only=True)
class Talk:
    """
    Speaks with a worker until it has finished.

    Attributes:
        session: The attempt.
        wire: The connection.
        heartbeat_s: How often the worker must be heard; three missed ones are a stall.
        grace_s: How long it has to finish after `cancel`.
        workspace: The workspace as the worker sees it.
        version: The worker's own version, once it has said it.
    """

    session: Session
    wire: Wire
    heartbeat_s: float
    grace_s: float
    workspace: str
    version: str | None = None
    _cancelled_at: float | None = field(default=None, init=False)

    def hold(self) -> Attempt:
        """
        Holds the whole conversation.

        Raises:
            Gone: The connection broke before the worker had finished.
            Rubbish: It sent what is no message of the protocol.
            Silent: It was not heard for too long.
            Refused: It speaks no version that this solver speaks, or won't start.
        """
        hello = self.wire.request(
            "hello",
            {
                "versions": list(VERSIONS),
                "client": {"name": "fairtrial"},
                "heartbeat_s": self.heartbeat_s,
            },
        )
        result = self._reply(hello)
        if result is None:
            return self._out_of_time()
        self._greeted(result)
        start = self.wire.request("start", self._task())
        return self._until_finished(start)

    def _task(self) -> Mapping[str, object]:
        brief = self.session.brief
        task: dict[str, object] = {
            "prompt": brief.prompt,
            "workspace": self.workspace,
            "scratch": str(self.session.scratch),
            "timeout_s": round(self.session.remaining_s(), 3),
            "environment": dict(self.session.environment),
        }
        if brief.budget_usd is not None:
            task["budget_usd"] = brief.budget_usd
        return task

    def _greeted(self, result: object) -> None:
        version = text(result, "version")
        if version not in VERSIONS:
            raise Refused(_other_version(version))
        if not isinstance(at(result, "worker"), dict):
            raise Rubbish("a reply to `hello` that doesn't say who it is")
        name, own = text(result, "worker", "name"), text(result, "worker", "version")
        self.version = f"{name} {own}".strip() or None

    def _reply(self, to: int) -> object | None:
        """Waits for the reply to a request that comes before the work; None: time is up."""
        while (message := self._next()) is not None:
            if "method" in message:
                if message["method"] != "heartbeat":
                    raise Rubbish(f"`{message['method']}` before the reply to `hello`")
                continue
            return _result(message, to)
        return None

    def _until_finished(self, start: int) -> Attempt:
        while (message := self._next()) is not None:
            if "method" in message:
                done = self._told(message)
                if done is not None:
                    return self._overruled(done)
            elif message.get("id") not in self.wire.asked:
                raise _stray(message)
            elif message["id"] == start:
                _result(message, start)
        return self._out_of_time()

    def _told(self, message: Message) -> Attempt | None:
        """Does what a message of the worker's asks; returns the attempt at its end."""
        method, params = message["method"], message.get("params")
        if method == "finish":
            return reading.attempt(params, self.version)
        if method == "event":
            self.session.record(reading.event(params))
        elif method == "ask":
            self._answer(message.get("id"), params)
        elif "id" in message:
            self.wire.refuse(message["id"], _NO_SUCH_METHOD, f"no method “{method}”")
        return None

    def _answer(self, to: object, params: object) -> None:
        if to is None:
            raise Rubbish("`ask` without an id")
        answers = self.session.ask_together(reading.questions(params))
        self.wire.reply(
            to,
            {
                "answers": [
                    {"picked": list(answer.picked), "text": answer.text} for answer in answers
                ]
            },
        )
        # It may have been silent while it waited: nothing was to be told.
        self.wire.heard_at = time.monotonic()

    def _next(self) -> Message | None:
        """Returns the next message; None once the time is up and the grace after it is over."""
        while True:
            left_s = self._left_s()
            if left_s <= 0:
                if self._cancelled_at is not None:
                    return None
                self._cancelled_at = time.monotonic()
                self.wire.request("cancel", {"reason": "timeout", "grace_s": self.grace_s})
                continue
            silence_s = self.heartbeat_s * _MISSED - (time.monotonic() - self.wire.heard_at)
            if silence_s <= 0:
                raise Silent(f"nothing was heard of it for {self.heartbeat_s * _MISSED:g} s")
            message = self.wire.receive(min(left_s, silence_s))
            if message is not None:
                return message

    def _left_s(self) -> float:
        if self._cancelled_at is None:
            return self.session.remaining_s()
        return self.grace_s - (time.monotonic() - self._cancelled_at)

    def _overruled(self, done: Attempt) -> Attempt:
        if self._cancelled_at is None:
            return done
        return evolve(done, ending=Ending.TIMED_OUT, limit="timeout")

    def _out_of_time(self) -> Attempt:
        return Attempt(
            ending=Ending.TIMED_OUT,
            limit="timeout",
            agent_version=self.version,
            note=f"it did not finish within {self.grace_s:g} s of being told to",
        )


def _result(message: Message, to: int) -> object:
    if message.get("id") != to:
        raise _stray(message)
    error = message.get("error")
    if error is not None:
        if at(error, "code") == NO_COMMON_VERSION:
            raise Refused(_other_version(text(error, "message")))
        raise Refused(text(error, "message") or "it gave no reason")
    return message.get("result")


def _stray(message: Message) -> Rubbish:
    return Rubbish(f"a reply to a request that was not made: {message.get('id')!r}")


def _other_version(said: str) -> str:
    ours = ", ".join(VERSIONS)
    return f"it speaks another version of the protocol ({said or 'unknown'}; ours: {ours})"
