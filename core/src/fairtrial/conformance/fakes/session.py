"""What a solver is handed, kept in lists that a test can look at."""

import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import define, evolve, field, frozen

from fairtrial.api import (
    Answer,
    Answerer,
    Brief,
    Event,
    Question,
    Session,
    Solver,
    Stage,
    Task,
    Workspace,
)
from fairtrial.conformance.fakes.suite import sample_task
from fairtrial.conformance.tree import snapshot


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
        stages: What solvers did as stages of the attempt, in order.
    """

    brief: Brief
    workspace: Workspace
    scratch: Path
    environment: Mapping[str, str] = field(factory=dict)
    answerer: Answerer = field(factory=CannedAnswers)
    events: list[Event] = field(factory=list)
    questions: list[Question] = field(factory=list)
    stages: list[Stage] = field(factory=list)
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

    def perform(self, solver: Solver, session: Session, /) -> Stage:
        """Lets a solver work, and notes what it says and what it changed; nothing is metered."""
        root = self.workspace.root
        before, start = snapshot(root), time.monotonic()
        said = solver.solve(session)
        wall_s = time.monotonic() - start
        self.workspace.settle()
        after = snapshot(root)
        paths = sorted(before.keys() | after.keys())
        stage = Stage(
            solver=type(solver).__name__,
            ending=said.ending,
            limit=said.limit,
            wall_s=wall_s,
            usage=said.usage,
            changed=tuple(path for path in paths if before.get(path) != after.get(path)),
            submission=said.submission,
            model=said.model,
            agent_version=said.agent_version,
            note=said.note,
        )
        self.stages.append(stage)
        return stage

    def escalate(self, why: str, /) -> None:
        """Notes why the last stage was not the end."""
        self.stages[-1] = evolve(self.stages[-1], escalated=why)

    def reset(self) -> None:
        """Empties the tree: this session's was empty at first."""
        self.workspace.settle()
        for path in self.workspace.root.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
