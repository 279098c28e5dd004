"""What became of a trial, as one small square with a letter, a colour and words."""

import enum

from attrs import frozen
from fairtrial.api.attempt import Ending
from fairtrial.api.record import Trial

from fairtrial_reporter_html.markup import Html, element, text


@frozen
class Look:
    """
    How a state is shown.

    Attributes:
        kind: A class of the style sheet.
        letter: What stands in the square, so that it can be told without its colour.
        words: What it means.
    """

    kind: str
    letter: str
    words: str


class State(enum.Enum):
    """What became of a trial, best first; the value is how it is shown."""

    RESOLVED = Look("r", "✓", "resolved")
    BOUGHT = Look("b", "!", "resolved, but an audit found a shortcut")
    FAILED = Look("f", "×", "failed")
    TIMED_OUT = Look("f", "t", "timed out")
    OVER_BUDGET = Look("f", "$", "over its budget")
    CRASHED = Look("f", "c", "crashed")
    UNJUDGED = Look("u", "?", "not judged")
    INFRA = Look("i", "i", "broke for a reason that is not the agent's")
    SKIPPED = Look("o", "s", "never began for want of budget")
    UNFINISHED = Look("o", "·", "unfinished or still to come")


_FAILURES = {
    Ending.TIMED_OUT: State.TIMED_OUT,
    Ending.OVER_BUDGET: State.OVER_BUDGET,
    Ending.CRASHED: State.CRASHED,
}
_SILENT = {
    Ending.INFRA: State.INFRA,
    Ending.SKIPPED: State.SKIPPED,
    Ending.INTERRUPTED: State.UNFINISHED,
}


def state_of(trial: Trial, outcome: bool | None) -> State:
    """
    Returns a trial's state.

    Args:
        trial: The trial.
        outcome: Whether it resolved its task; None where that was not judged.
    """
    if trial.ending in _SILENT:
        return _SILENT[trial.ending]
    if outcome:
        return State.BOUGHT if trial.clean is False else State.RESOLVED
    if outcome is None:
        return State.UNJUDGED
    return _FAILURES.get(trial.ending, State.FAILED)


def square(state: State, count: int | None = None) -> Html:
    """Returns a state's square; with a number, how many trials it stands for."""
    look = state.value
    if count is None:
        return element("i", text(look.letter), class_=look.kind)
    return element("i", text(f"{count}{look.letter}"), class_=look.kind)
