"""Which step answers a request: by the history that it tells, and by the failures used up."""

import threading
from collections import Counter

from attrs import define, field

from fairtrial.conformance.models.asked import Asked
from fairtrial.conformance.models.script import Script, Step


@define
class Plot:
    """
    Finds the step for each request.

    The steps of a conversation fall into rounds: some failures, then a reply. Which round it is
    follows from the request's own history, so that several conversations, and one that is begun
    anew, need no state here; only how many failures of a round are used up is remembered.
    """

    script: Script
    _used: Counter[tuple[object, ...]] = field(factory=Counter)
    _lock: threading.Lock = field(factory=threading.Lock)

    def step(self, asked: Asked, session: str) -> tuple[int | None, Step]:
        """
        Returns the step and its place in the script; the last one's place is None.

        Args:
            asked: The request.
            session: What the client calls the conversation; may be empty.
        """
        steps = self.script.steps_for(asked.opening, asked.model)
        first, last = _round(steps, _turn(steps, asked))
        if first >= len(steps):
            return None, Step(text="Done.")
        key = (asked.api, asked.model, session, asked.opening, first)
        with self._lock:
            used = self._used[key]
            self._used[key] += 1
        for place in range(first, last):
            step = steps[place]
            if not step.repeat or used < step.repeat:
                return place, step
            used -= step.repeat
        if last < len(steps):
            return last, steps[last]
        return None, Step(text="Done.")


def _turn(steps: tuple[Step, ...], asked: Asked) -> int:
    """Counts the replies of the script that a history holds."""
    endings = {step.text for step in steps if step.text and not step.acts}
    return asked.rounds + sum(text in endings for text in asked.said)


def _round(steps: tuple[Step, ...], turn: int) -> tuple[int, int]:
    """Returns where a round begins, and where its reply is."""
    first = 0
    for place, step in enumerate(steps):
        if step.fails:
            continue
        if turn == 0:
            return first, place
        turn -= 1
        first = place + 1
    return (first, len(steps)) if turn == 0 else (len(steps), len(steps))
