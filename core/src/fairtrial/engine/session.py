"""One solver's sight of one trial, as the engine gives it."""

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO, cast

from attrs import define, evolve, field

from fairtrial import serial
from fairtrial.api import (
    Answer,
    Answerer,
    Brief,
    Event,
    Exchange,
    Question,
    QuestionAnswered,
    QuestionAsked,
    Session,
    Solver,
    Stage,
    Task,
    Workspace,
)
from fairtrial.engine.solving import solved
from fairtrial.engine.stages import Stages
from fairtrial.redaction import redact_within


def now() -> str:
    """Returns the time as records give it: ISO 8601, UTC, milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@define(kw_only=True)
class TrialSession:
    """
    Implements `fairtrial.api.Session`; holds the Task back from the solver.

    Attributes:
        brief: What is asked.
        workspace: Where to work.
        scratch: A private directory for the agent's own files.
        environment: What the agent needs in its environment.
        log: Where the trajectory is written; made at the first event.
        exchanges: Questions and answers so far.
        events: How many events were recorded.
        waited_s: Seconds spent waiting for answers, and for the engine's work between stages.
        stages: Keeps what several solvers do, one after the other.
    """

    brief: Brief
    workspace: Workspace
    scratch: Path
    environment: Mapping[str, str]
    log: Path
    stages: Stages
    exchanges: list[Exchange] = field(factory=list)
    events: int = 0
    _task: Task = field(repr=False)
    _answerer: Answerer
    _start: float = field(factory=time.monotonic)
    waited_s: float = 0.0
    _file: TextIO | None = None
    _asked: int = 0
    _asking: int = 0
    _asking_since: float = 0.0
    _lock: threading.RLock = field(factory=threading.RLock)

    def remaining_s(self) -> float:
        """Seconds left of the attempt's time; waiting for an answer doesn't use it up."""
        with self._lock:
            now = time.monotonic()
            waiting = now - self._asking_since if self._asking else 0.0
            used = now - self._start - self.waited_s - waiting
        return max(0.0, self.brief.timeout_s - used)

    def ask(self, question: Question, /) -> Answer:
        """Puts a question to the answerer and records both."""
        return self.ask_together((question,))[0]

    def ask_together(self, questions: Sequence[Question], /) -> tuple[Answer, ...]:
        """Puts questions that were asked all at once; they are one event, and count as one."""
        with self._lock:
            self._asked += 1
            number = str(self._asked)
        self.record(QuestionAsked(question_id=number, questions=tuple(questions)))
        with self._waiting():
            exchanges = [self._exchange(question) for question in questions]
        answers = tuple(exchange.answer for exchange in exchanges)
        self.record(
            QuestionAnswered(
                question_id=number,
                answers=dict(map(_picked, questions, answers)),
                response="\n".join(answer.text for answer in answers if answer.text),
            )
        )
        with self._lock:
            self.exchanges += (
                evolve(exchange, follows=place > 0) for place, exchange in enumerate(exchanges)
            )
        return answers

    def _exchange(self, question: Question) -> Exchange:
        start = time.monotonic()
        answer = self._answerer.answer(question, self._task)
        waited_s = time.monotonic() - start
        return Exchange(question=question, answer=answer, waited_s=waited_s)

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """Stops the attempt's clock; of two waits at once, the time is counted once."""
        with self._lock:
            if not self._asking:
                self._asking_since = time.monotonic()
            self._asking += 1
        try:
            yield
        finally:
            with self._lock:
                self._asking -= 1
                if not self._asking:
                    self.waited_s += time.monotonic() - self._asking_since

    def record(self, event: Event, /) -> None:
        """Appends one event to the trajectory, written at once."""
        with self._lock:
            if self._file is None:
                self.log.parent.mkdir(parents=True, exist_ok=True)
                self._file = self.log.open("a", encoding="utf-8", errors="backslashreplace")
            self.events += 1
            stamped = event if event.ts else evolve(event, ts=now())
            plain = cast("dict[str, object]", redact_within(serial.unstructure(stamped)))
            self._file.write(serial.dumps({"seq": self.events, **plain}) + "\n")
            self._file.flush()

    def perform(self, solver: Solver, session: Session, /) -> Stage:
        """Lets another solver work as a stage of this attempt, with figures of its own."""
        with self._waiting():
            stage = self.stages.begin(solver, session.brief.budget_usd)
        start = time.monotonic()
        said, error = solved(solver, session)
        wall_s = time.monotonic() - start
        with self._waiting():
            return self.stages.end(stage, said, wall_s, error)

    def escalate(self, why: str, /) -> None:
        """Says that the last stage's work is not the attempt's, and why another follows."""
        self.stages.escalate(why)

    def reset(self) -> None:
        """Puts the workspace back to the tree that the attempt was given."""
        with self._waiting():
            self.stages.reset()

    def close(self) -> None:
        """Closes the trajectory."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None


def _picked(question: Question, answer: Answer) -> tuple[str, object]:
    if question.multi_select:
        return question.text, list(answer.picked)
    return question.text, (*answer.picked, None)[0]
