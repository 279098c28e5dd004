"""
An answerer for fairtrial: always the first option.

The plainest rule there is, for agents whose first option is the one that they recommend.
"""

from attrs import frozen
from fairtrial.api import Answer, Answerer, Question, Task

NAME = "first"


@frozen(kw_only=True)
class FirstAnswerer:
    """
    Picks the first option, whatever the task prefers.

    Where no option is offered, the answer is empty. Also where several options may be picked,
    one is.
    """

    def answer(self, question: Question, task: Task, /) -> Answer:
        """Answers one question; never raises."""
        return Answer(picked=tuple(option.label for option in question.options[:1]), by=NAME)


_: type[Answerer] = FirstAnswerer
