import os
import tempfile
from pathlib import Path
from typing import ClassVar

from attrs import define, field, frozen
from fairtrial.api import Answer, Question, Task
from fairtrial.conformance.skeletons.answerer import EchoAnswerer


@define(kw_only=True)
class ThawedAnswerer:
    reply: str = ""
    """What it says."""

    def answer(self, question: Question, task: Task, /) -> Answer:
        return EchoAnswerer(reply=self.reply).answer(question, task)


@frozen
class PositionalAnswerer:
    reply: str = ""
    """What it says."""

    def answer(self, question: Question, task: Task, /) -> Answer:
        return EchoAnswerer(reply=self.reply).answer(question, task)


@frozen(kw_only=True)
class UnexplainedAnswerer(EchoAnswerer):
    mood: str = "calm"


@frozen(kw_only=True)
class TalkativeAnswerer(EchoAnswerer):
    api_key: str = ""
    """What opens the door."""


@frozen(kw_only=True)
class SharingAnswerer(EchoAnswerer):
    seen: ClassVar[list[str]] = []


@frozen(kw_only=True)
class ForgettingAnswerer(EchoAnswerer):
    born: str = field(init=False, factory=lambda: os.urandom(8).hex())


@frozen(kw_only=True)
class HelplessAnswerer(EchoAnswerer):
    def answer(self, question: Question, task: Task, /) -> Answer:
        return Answer(picked=(question.options[0].label,), by="helpless")


@frozen(kw_only=True)
class InventiveAnswerer(EchoAnswerer):
    def answer(self, question: Question, task: Task, /) -> Answer:
        picked = ("Neither",) if question.options else ()
        return Answer(picked=picked, by="inventive")


@frozen(kw_only=True)
class GreedyAnswerer(EchoAnswerer):
    def answer(self, question: Question, task: Task, /) -> Answer:
        return Answer(picked=tuple(one.label for one in question.options), by="greedy")


@frozen(kw_only=True)
class FickleAnswerer(EchoAnswerer):
    def answer(self, question: Question, task: Task, /) -> Answer:
        picked = super().answer(question, task).picked
        return Answer(picked=picked, text=os.urandom(8).hex(), by="fickle")


@frozen(kw_only=True)
class NamelessAnswerer(EchoAnswerer):
    def answer(self, question: Question, task: Task, /) -> Answer:
        return Answer(picked=super().answer(question, task).picked)


@frozen(kw_only=True)
class FragileAnswerer(EchoAnswerer):
    def answer(self, question: Question, task: Task, /) -> Answer:
        question.text.encode("ascii")
        return super().answer(question, task)


@frozen(kw_only=True)
class DiaryAnswerer(EchoAnswerer):
    def answer(self, question: Question, task: Task, /) -> Answer:
        (Path(tempfile.gettempdir()) / "fairtrial-diary").write_text("asked")
        return super().answer(question, task)
