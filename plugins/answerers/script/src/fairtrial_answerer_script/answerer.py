"""Which of a file's answers fits a question."""

from pathlib import Path

from attrs import Attribute, field, frozen
from fairtrial.api import Answer, Answerer, Question, Task

from fairtrial_answerer_script.lines import Line, read_script

NAME = "script"


def _readable(_: object, __: "Attribute[Path]", value: Path) -> None:
    read_script(value)


@frozen(kw_only=True)
class ScriptAnswerer:
    """
    Gives the first answer of a TOML file that fits the question.

    Each `[[answer]]` may say `when` (words of the question, letter case left aside) and `task` (a
    task's id), and says `pick` (words of an option's label, or several) or `text`. Where none
    fits, or what it picks isn't offered, the first option is taken.
    """

    path: Path = field(validator=_readable)
    """The file, relative to the config's own."""

    def answer(self, question: Question, task: Task, /) -> Answer:
        """Answers one question; never raises."""
        try:
            lines = read_script(self.path)
        except ValueError:
            # It could be read when the run began; an agent's trial is not the place to fail.
            lines = ()
        for line in lines:
            if line.fits(question, task):
                return _said(line, question)
        return _first(question)


def _said(line: Line, question: Question) -> Answer:
    labels = [option.label for option in question.options]
    wanted = (
        next((label for label in labels if words.casefold() in label.casefold()), None)
        for words in line.pick
    )
    picked = tuple(dict.fromkeys(label for label in wanted if label is not None))
    if not picked and not line.text:
        return _first(question)
    return Answer(picked=picked if question.multi_select else picked[:1], text=line.text, by=NAME)


def _first(question: Question) -> Answer:
    return Answer(picked=tuple(option.label for option in question.options[:1]), by=NAME)


_: type[Answerer] = ScriptAnswerer
