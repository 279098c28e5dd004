import os
import pty
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fairtrial.api import Answer, Answerer, Option, Question
from fairtrial.conformance import AnswererConformance
from fairtrial.conformance.fakes import sample_task
from fairtrial_answerer_human import HumanAnswerer

OPTIONS = (Option(label="up", description="always"), Option(label="down"))
Say = Callable[[str], HumanAnswerer]


class TestHuman(AnswererConformance):
    entry_point = "human"
    is_person = True
    picks = False

    @pytest.fixture
    def answerer(self, tmp_path: Path) -> Answerer:
        return HumanAnswerer(terminal=tmp_path / "none")


@pytest.fixture
def shown() -> bytearray:
    return bytearray()


@pytest.fixture
def person(shown: bytearray) -> Iterator[Say]:
    """A person at a terminal of the test's own, who types what was laid down beforehand."""
    ours, theirs = pty.openpty()
    name = os.ttyname(theirs)

    def listen() -> None:
        try:
            while data := os.read(ours, 4096):
                shown.extend(data)
        except OSError:
            return

    def say(text: str) -> HumanAnswerer:
        os.write(ours, text.encode())
        return HumanAnswerer(terminal=Path(name))

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    yield say
    os.close(theirs)
    thread.join(5)
    os.close(ours)


def wait_for(shown: bytearray, text: str, *, times: int = 1) -> None:
    until = time.monotonic() + 5
    while shown.decode(errors="replace").count(text) != times and time.monotonic() < until:
        time.sleep(0.01)
    assert times == shown.decode(errors="replace").count(text)


def ask(answerer: HumanAnswerer, *, multi: bool = False, free: bool = False) -> Answer:
    options = () if free else OPTIONS
    question = Question(text="Which way?", header="Way", options=options, multi_select=multi)
    return answerer.answer(question, sample_task())


def test_a_number_picks(person: Say, shown: bytearray) -> None:
    assert Answer(picked=("down",), by="human") == ask(person("2\n"))
    wait_for(shown, "add asks: Way: Which way?")
    wait_for(shown, "1  up – always")


def test_several_numbers_pick_where_that_is_allowed(person: Say) -> None:
    assert ("down", "up") == ask(person("2, 1,2\n"), multi=True).picked


def test_what_cannot_be_understood_is_asked_again(person: Say, shown: bytearray) -> None:
    assert ("up",) == ask(person("7\n1,2\n1\n")).picked
    wait_for(shown, "please give numbers of options", times=2)


def test_after_three_tries_the_answer_is_empty(person: Say) -> None:
    assert Answer(by="human") == ask(person("x\ny\nz\n1\n"))


def test_words_of_ones_own_are_taken(person: Say) -> None:
    assert Answer(text="neither", by="human") == ask(person("! neither\n"))
    assert Answer(text="as always", by="human") == ask(person("as always\n"), free=True)


def test_without_a_terminal_nobody_is_asked(tmp_path: Path) -> None:
    plain = tmp_path / "file"
    plain.write_text("1\n", encoding="utf-8")
    for place in (tmp_path / "none", plain):
        answer = ask(HumanAnswerer(terminal=place))
        assert Answer(text="nobody is at the terminal", by="human") == answer
    assert "1\n" == plain.read_text(encoding="utf-8")


def test_a_terminal_that_goes_away_ends_the_wait(person: Say) -> None:
    assert Answer(by="human") == ask(person("\x04"))
