"""What a solver is handed, kept in lists that a test can look at."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import define, field, frozen

from fairtrial.api import Answer, Answerer, Brief, Event, Question, Task, Workspace
from fairtrial.conformance.fakes.suite import sample_task


@frozen(kw_only=True)
class CannedAnswers:
    """
    An answerer that knows some questions beforehand.

    Attributes:
        labels: The label to pick, by the question's text; the first option for all others.
    """

    labels: Mapping[str, str] = field(factory=dict)

    def answer(self, question: Question, task: Task, /) -> Answer:
        """Picks what was laid down for the question, else its first option, else nothing."""
        offered = [option.label for option in question.options]
        label = self.labels.get(question.text, offered[0] if offered else "")
        return Answer(picked=(label,) if label in offered else (), by="canned")


@define(kw_only=True)
class FakeSession:
    """
    One solver's sight of one trial, without an engine.

    Attributes:
        brief: What is asked.
        workspace: Where the solver works.
        scratch: The agent's own directory; it must exist.
        environment: What a gateway would add.
        answerer: Who answers.
        events: What the solver recorded, in order.
        questions: What it asked, in order.
    """

    brief: Brief
    workspace: Workspace
    scratch: Path
    environment: Mapping[str, str] = field(factory=dict)
    answerer: Answerer = field(factory=CannedAnswers)
    events: list[Event] = field(factory=list)
    questions: list[Question] = field(factory=list)
    _started: float = field(factory=time.monotonic, init=False)

    def remaining_s(self) -> float:
        """Returns the seconds left of the brief's time, by the real clock."""
        return max(0.0, self.brief.timeout_s - (time.monotonic() - self._started))

    def ask(self, question: Question, /) -> Answer:
        """Notes the question and has it answered."""
        self.questions.append(question)
        return self.answerer.answer(question, sample_task())

    def ask_together(self, questions: Sequence[Question], /) -> Sequence[Answer]:
        """Notes the questions and has them answered."""
        return [self.ask(question) for question in questions]

    def record(self, event: Event, /) -> None:
        """Notes the event."""
        self.events.append(event)
