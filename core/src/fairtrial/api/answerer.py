"""The kind `answerer`: who answers when an agent asks."""

from typing import Protocol

from attrs import frozen

from fairtrial.api.task import Task


@frozen(kw_only=True)
class Option:
    """One of the answers that a question offers."""

    label: str
    description: str = ""


@frozen(kw_only=True)
class Question:
    """
    What an agent asks its user.

    Attributes:
        text: The question itself.
        header: A short heading, where the agent gave one.
        options: What may be picked; empty for a free question.
        multi_select: Whether several options may be picked.
    """

    text: str
    header: str = ""
    options: tuple[Option, ...] = ()
    multi_select: bool = False


@frozen(kw_only=True)
class Answer:
    """
    What the agent is told.

    Attributes:
        picked: Labels of options; empty where there was nothing to pick from.
        text: Free text.
        by: Who answered: the answerer's name.
    """

    picked: tuple[str, ...] = ()
    text: str = ""
    by: str = ""


class Answerer(Protocol):
    """
    Answers a solver's questions in the user's place.

    It sees the task, so that it can follow the task's preferences, but never the workspace nor
    the checks. The time that it takes is not the agent's working time.
    """

    def answer(self, question: Question, task: Task, /) -> Answer:
        """
        Answers one question; must not raise, also where no option is offered.

        Where options are offered, `picked` holds only labels of them; for a fixed task and
        question the answer is always the same, unless a person gives it.
        """
