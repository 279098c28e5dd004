"""One solver's sight of one trial, as the engine gives it."""

import threading
import time
from collections.abc import Mapping
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
    Task,
    Workspace,
)


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
        waited_s: Seconds spent waiting for answers.
    """

    brief: Brief
    workspace: Workspace
    scratch: Path
    environment: Mapping[str, str]
    log: Path
    exchanges: list[Exchange] = field(factory=list)
    events: int = 0
    _task: Task = field(repr=False)
    _answerer: Answerer
    _start: float = field(factory=time.monotonic)
    waited_s: float = 0.0
    _file: TextIO | None = None
    _lock: threading.RLock = field(factory=threading.RLock)

    def remaining_s(self) -> float:
        """Seconds left of the attempt's time; waiting for an answer doesn't use it up."""
        used = time.monotonic() - self._start - self.waited_s
        return max(0.0, self.brief.timeout_s - used)

    def ask(self, question: Question, /) -> Answer:
        """Puts a question to the answerer and records both."""
        number = str(len(self.exchanges) + 1)
        self.record(QuestionAsked(question_id=number, questions=(question,)))
        start = time.monotonic()
        answer = self._answerer.answer(question, self._task)
        waited = time.monotonic() - start
        picked: object = (
            list(answer.picked) if question.multi_select else (*answer.picked, None)[0]
        )
        self.record(
            QuestionAnswered(
                question_id=number, answers={question.text: picked}, response=answer.text
            )
        )
        with self._lock:
            self.waited_s += waited
            self.exchanges.append(Exchange(question=question, answer=answer, waited_s=waited))
        return answer

    def record(self, event: Event, /) -> None:
        """Appends one event to the trajectory, written at once."""
        with self._lock:
            if self._file is None:
                self.log.parent.mkdir(parents=True, exist_ok=True)
                self._file = self.log.open("a", encoding="utf-8", errors="backslashreplace")
            self.events += 1
            stamped = event if event.ts else evolve(event, ts=now())
            plain = cast("dict[str, object]", serial.unstructure(stamped))
            self._file.write(serial.dumps({"seq": self.events, **plain}) + "\n")
            self._file.flush()

    def close(self) -> None:
        """Closes the trajectory."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None
