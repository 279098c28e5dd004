import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fairtrial.agents.desk import Desk, lay_helper
from fairtrial.api import Answer, Brief, Fence, Option, Question, Task, Workspace
from fairtrial.conformance.fakes import CannedAnswers, FakeSession, open_local


class Nobody:
    def answer(self, question: Question, task: Task, /) -> Answer:
        return Answer(by="nobody")


class Writer:
    def answer(self, question: Question, task: Task, /) -> Answer:
        return Answer(text="Как обычно.\nTwice.", by="writer")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with open_local("test", Fence(path=(lay_helper(tmp_path),))) as workspace:
        yield workspace


@pytest.fixture
def session(workspace: Workspace, tmp_path: Path) -> FakeSession:
    brief = Brief(prompt="x", timeout_s=20.0)
    return FakeSession(brief=brief, workspace=workspace, scratch=tmp_path)


def ask(workspace: Workspace, *argv: str) -> tuple[int | None, str, str]:
    done = workspace.run(["fairtrial-ask", *argv], timeout_s=10)
    return done.code, done.stdout.decode(), done.stderr.decode()


def test_any_program_can_ask_and_is_answered(session: FakeSession) -> None:
    session.answerer = CannedAnswers(labels={"-Which way, “Ж”?\n": "two  words"})
    argv = ("--header", "Way", "--", "-Which way, “Ж”?\n", "one", "two  words", "one", "")
    with Desk(session):
        assert (0, "two  words\n", "") == ask(session.workspace, *argv)
    options = (Option(label="one"), Option(label="two  words"))
    expected = Question(text="-Which way, “Ж”?\n", header="Way", options=options)
    assert [expected] == session.questions


def test_several_may_be_picked_where_it_is_said_so(session: FakeSession) -> None:
    with Desk(session):
        assert (0, "a\n", "") == ask(session.workspace, "--multi", "Which?", "a", "b")
    assert session.questions[0].multi_select


def test_a_free_text_is_handed_over(session: FakeSession) -> None:
    session.answerer = Writer()
    with Desk(session):
        assert (0, "Как обычно.\nTwice.\n", "") == ask(session.workspace, "How?")


def test_where_nobody_answers_it_says_so(session: FakeSession) -> None:
    session.answerer = Nobody()
    with Desk(session):
        code, printed, said = ask(session.workspace, "Which?", "a")
    assert (3, "", "fairtrial-ask: no answer; decide by yourself\n") == (code, printed, said)


@pytest.mark.parametrize("argv", [(), ("",), ("--header",), ("--bad", "x")])
def test_bad_arguments_are_told_the_usage(session: FakeSession, argv: tuple[str, ...]) -> None:
    with Desk(session):
        code, printed, said = ask(session.workspace, *argv)
    assert (2, "") == (code, printed)
    assert said.startswith("usage: fairtrial-ask")
    assert [] == session.questions


def test_help_is_given(session: FakeSession) -> None:
    code, printed, _ = ask(session.workspace, "--help")
    assert 0 == code
    assert printed.startswith("usage: fairtrial-ask")


def test_without_a_desk_nothing_hangs(session: FakeSession) -> None:
    code, _, said = ask(session.workspace, "Which?", "a")
    assert (4, "fairtrial-ask: nobody can be asked here\n") == (code, said)
    with Desk(session):
        pass
    assert 4 == ask(session.workspace, "Which?", "a")[0]


def test_many_ask_at_once(session: FakeSession) -> None:
    line = "for n in 1 2 3 4 5 6 7 8; do fairtrial-ask Q$n yes no & done; wait"
    with Desk(session):
        done = session.workspace.run(["sh", "-c", line], timeout_s=15)
    assert b"yes\n" * 8 == done.stdout
    assert {f"Q{n}" for n in range(1, 9)} == {question.text for question in session.questions}


def test_slips_that_mean_ill_do_no_harm(session: FakeSession) -> None:
    folder = session.scratch / "ask"
    line = """
        cd "$1" && ln -s /etc aaaaaaaa && mkdir bbbbbbbb cccccccc dddddddd
        ln -s /etc/passwd bbbbbbbb/question
        mkfifo cccccccc/question
        printf 'x' >dddddddd/question
        printf '%s\\n' aaaaaaaa bbbbbbbb cccccccc dddddddd ../../.. nonesuch eeeeeeee >bell
        head -c 100000 /dev/zero >bell
        printf '\\n' >bell
    """
    with Desk(session):
        assert 0 == session.workspace.run(["sh", "-c", line, "sh", str(folder)], timeout_s=10).code
        assert (0, "a\n", "") == ask(session.workspace, "Which?", "a")
    assert ["Which?"] == [question.text for question in session.questions]


def test_the_end_of_an_attempt_does_not_wait_for_a_slow_answerer(session: FakeSession) -> None:
    held, let_go = threading.Event(), threading.Event()

    class Slow:
        def answer(self, question: Question, task: Task, /) -> Answer:
            held.set()
            let_go.wait(20)
            return Answer(by="slow")

    session.answerer = Slow()
    with Desk(session):
        session.workspace.spawn(["fairtrial-ask", "Which?"], timeout_s=10)
        assert held.wait(10)
        start = time.monotonic()
    assert time.monotonic() - start < 5
    let_go.set()


def test_a_desk_costs_next_to_nothing(session: FakeSession) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    start = time.monotonic()
    for _ in range(20):
        with Desk(session):
            pass
    assert (time.monotonic() - start) / 20 < 0.05
    assert before == len(list(Path("/proc/self/fd").iterdir()))
