"""An answerer for fairtrial: gives one fixed reply, and the last option of those offered."""

from attrs import frozen

from fairtrial.api import Answer, Answerer, Question, Task

NAME = "echo"


@frozen(kw_only=True)
class EchoAnswerer:
    """Answers every question in the same way."""

    reply: str = "Decide as you think best."
    """What a free question is answered with."""

    def answer(self, question: Question, task: Task, /) -> Answer:
        """Answers one question; never raises."""
        if not question.options:
            return Answer(text=self.reply, by=NAME)
        return Answer(picked=(question.options[-1].label,), by=NAME)


_: type[Answerer] = EchoAnswerer
