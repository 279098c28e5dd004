"""
An answerer for fairtrial: says that nobody answers.

For tasks that can be done without asking, and to see what an agent does when it is left alone.
"""

from attrs import frozen
from fairtrial.api import Answer, Answerer, Question, Task

NAME = "refuse"


@frozen(kw_only=True)
class RefuseAnswerer:
    """
    Picks nothing; of options that refuse a permission, the first such one.

    An agent that asks whether it may do something is so told that it may not.
    """

    text: str = "Nobody is there to answer. Decide by yourself, and go on."
    """What the agent is told."""

    def answer(self, question: Question, task: Task, /) -> Answer:
        """Answers one question; never raises."""
        return Answer(text=self.text, by=NAME)


_: type[Answerer] = RefuseAnswerer
