"""
An answerer for fairtrial: picks the option that the task prefers.

An agent that asks gets the same answer in every run, so that a question costs a trial nothing but
the asking.
"""

from attrs import frozen
from fairtrial.api import Answer, Answerer, Question, Task

NAME = "prefer"


@frozen(kw_only=True)
class PreferAnswerer:
    """
    Picks the first option that holds one of the task's preferred words, else the first option.

    The order of the options decides, not that of the words; letters are compared without case.
    Where no option is offered, the answer is empty. Also where several options may be picked,
    one is.
    """

    def answer(self, question: Question, task: Task, /) -> Answer:
        """Answers one question; never raises."""
        labels = [option.label for option in question.options]
        if not labels:
            return Answer(by=NAME)
        words = [word.casefold() for word in task.preferences if word]
        preferred = (label for label in labels if any(word in label.casefold() for word in words))
        return Answer(picked=(next(preferred, labels[0]),), by=NAME)


_: type[Answerer] = PreferAnswerer
