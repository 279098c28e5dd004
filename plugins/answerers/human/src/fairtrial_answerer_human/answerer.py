"""A question put to a person, one at a time."""

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from attrs import frozen
from fairtrial.api import Answer, Answerer, Question, Task

NAME = "human"
ABSENT = "nobody is at the terminal"
_TRIES = 3
# Trials run in threads, and there is one terminal.
_TERMINAL = threading.Lock()


@frozen(kw_only=True)
class HumanAnswerer:
    """
    Shows each question on the terminal and waits for an answer.

    The wait is not the agent's working time. Without a terminal nobody is asked, and the agent is
    told so: a run in the background never hangs on a question.
    """

    terminal: Path = Path("/dev/tty")
    """The terminal's device."""

    def answer(self, question: Question, task: Task, /) -> Answer:
        """Answers one question; never raises."""
        with _TERMINAL:
            if not self.terminal.is_char_device():
                return Answer(by=NAME, text=ABSENT)
            try:
                handle = os.open(self.terminal, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
            except OSError:
                return Answer(by=NAME, text=ABSENT)
            with (
                os.fdopen(os.dup(handle), "r", errors="replace") as ears,
                os.fdopen(handle, "w", errors="replace") as mouth,
            ):
                if not os.isatty(handle):
                    return Answer(by=NAME, text=ABSENT)
                return _talk(question, task, ears, mouth)


def _talk(question: Question, task: Task, ears: TextIO, mouth: TextIO) -> Answer:
    try:
        mouth.write(_shown(question, task))
        for _ in range(_TRIES):
            mouth.write("> ")
            mouth.flush()
            said = ears.readline()
            answer = _understood(question, said.strip())
            if answer is not None:
                return answer
            if not said:
                break
            mouth.write("please give numbers of options\n")
    except OSError:
        # The terminal went away.
        return Answer(by=NAME, text=ABSENT)
    return Answer(by=NAME)


def _shown(question: Question, task: Task) -> str:
    head = f"{question.header}: " if question.header else ""
    lines = [f"\n{task.id} asks: {head}{question.text}"]
    for number, option in enumerate(question.options, start=1):
        more = f" – {option.description}" if option.description else ""
        lines.append(f"  {number}  {option.label}{more}")
    several = ", several by commas" if question.multi_select else ""
    if question.options:
        lines.append(f"a number{several}, or words of your own after a `!`")
    return "\n".join(lines) + "\n"


def _understood(question: Question, said: str) -> Answer | None:
    """Returns the answer that was meant; None where it can't be told."""
    if not question.options:
        return Answer(text=said, by=NAME) if said else None
    if said.startswith("!"):
        return Answer(text=said[1:].strip(), by=NAME)
    numbers = [part.strip() for part in said.split(",") if part.strip()]
    if not numbers or (len(numbers) > 1 and not question.multi_select):
        return None
    picked = [_label(question, number) for number in numbers]
    if None in picked:
        return None
    return Answer(picked=_once([label for label in picked if label is not None]), by=NAME)


def _label(question: Question, number: str) -> str | None:
    if not number.isdecimal() or not 1 <= int(number) <= len(question.options):
        return None
    return question.options[int(number) - 1].label


def _once(labels: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(labels))


_: type[Answerer] = HumanAnswerer
