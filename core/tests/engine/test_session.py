import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from attrs import define, field
from fairtrial.api import Answer, Brief, Option, Question, Task, Workspace
from fairtrial.conformance.fakes import open_local, sample_task
from fairtrial.engine.session import TrialSession
from fairtrial.engine.stages import Stages

OPTIONS = (Option(label="a"), Option(label="b"))


@define
class Gate:
    """An answerer that waits until it is let go."""

    reached: threading.Event = field(factory=threading.Event)
    open: threading.Event = field(factory=threading.Event)

    def answer(self, question: Question, task: Task, /) -> Answer:
        self.reached.set()
        assert self.open.wait(20)
        return Answer(picked=(question.options[0].label,), text="why", by="gate")


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with open_local("test") as workspace:
        yield workspace


def begin(workspace: Workspace, folder: Path, gate: Gate, timeout_s: float = 0.2) -> TrialSession:
    return TrialSession(
        brief=Brief(prompt="x", timeout_s=timeout_s),
        workspace=workspace,
        scratch=folder,
        environment={},
        log=folder / "trajectory.jsonl",
        stages=cast("Stages", None),  # none is begun here
        task=sample_task(),
        answerer=gate,
    )


def opened() -> Gate:
    gate = Gate()
    gate.open.set()
    return gate


def test_questions_asked_at_once_are_one_event_and_count_as_one(
    workspace: Workspace, tmp_path: Path
) -> None:
    session = begin(workspace, tmp_path, opened())
    many = Question(text="Which?", options=OPTIONS, multi_select=True)
    answers = session.ask_together((Question(text="What?", options=OPTIONS), many))
    session.ask(Question(text="And?", options=OPTIONS))
    session.close()
    assert [("a",), ("a",)] == [answer.picked for answer in answers]
    assert [False, True, False] == [exchange.follows for exchange in session.exchanges]
    rows = [json.loads(line) for line in session.log.read_text().splitlines()]
    assert ["question", "question_answered"] * 2 == [row["type"] for row in rows]
    assert ["What?", "Which?"] == [question["text"] for question in rows[0]["questions"]]
    assert {"What?": "a", "Which?": ["a"]} == rows[1]["answers"]
    assert ["1", "1", "2", "2"] == [row["question_id"] for row in rows]
    assert "why\nwhy" == rows[1]["response"]


def test_the_clock_stands_still_while_a_question_is_answered(
    workspace: Workspace, tmp_path: Path
) -> None:
    gate = Gate()
    session = begin(workspace, tmp_path, gate, timeout_s=30.0)
    asking = [
        threading.Thread(target=session.ask, args=(Question(text=text, options=OPTIONS),))
        for text in ("one", "two")
    ]
    for thread in asking:
        thread.start()
    assert gate.reached.wait(10)
    before = session.remaining_s()
    threading.Event().wait(0.15)
    assert before == pytest.approx(session.remaining_s(), abs=0.02)
    gate.open.set()
    for thread in asking:
        thread.join(10)
    session.close()
    # Two waited at once; the time that passed is counted once.
    assert 0.15 <= session.waited_s < 10
    longest = max(exchange.waited_s for exchange in session.exchanges)
    assert longest <= session.waited_s + 0.01
    assert before == pytest.approx(session.remaining_s(), abs=0.2)


def test_without_a_question_the_clock_runs(workspace: Workspace, tmp_path: Path) -> None:
    session = begin(workspace, tmp_path, opened(), timeout_s=0.1)
    threading.Event().wait(0.15)
    assert 0.0 == session.remaining_s()
