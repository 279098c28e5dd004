"""What an agent tells while it works, line by line, turned into events of one form."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator

from attrs import define, field, frozen

from fairtrial.agents.faults import Failure
from fairtrial.agents.lines import objects
from fairtrial.agents.tokens import Tokens
from fairtrial.api import OUTPUT_LIMIT, Answer, Event, LogMessage, Question, ToolCall, Usage

_ODD_KEPT = 20
_ODD_SHOWN = 200


@frozen(kw_only=True)
class Asked:
    """
    Questions that the agent waits to have answered.

    Attributes:
        id: What the answer refers to.
        questions: Asked all at once.
    """

    id: str
    questions: tuple[Question, ...]


@define(kw_only=True)
class Transcript(ABC):
    """
    Reads one agent's own event stream; a driver's parser derives from it.

    Lines that are cut, torn or no JSON are counted and passed over, and so are events of another
    shape than they were known to have: these programs change often.

    Attributes:
        done: Whether the agent has said that it is at its end.
        failure: Why that end is no good one; None for a good one.
        result: What it said last.
        model: The model that works.
        tokens: What each call of the model used, as far as the stream tells it.
        acted: Whether a tool was used, so that the tree may have changed.
        heard: How many events were read.
        odd: How many lines or events could not be.
    """

    done: bool = False
    failure: Failure | None = None
    result: str = ""
    model: str | None = None
    tokens: Tokens = field(factory=Tokens)
    acted: bool = False
    heard: int = 0
    odd: int = 0

    @abstractmethod
    def read(self, document: dict[str, object], /) -> Iterable[Event | Asked]:
        """Returns what one of the agent's events means; may take down what it tells."""

    def feed(self, line: str) -> Iterator[Event | Asked]:
        """Yields what one line of output means."""
        nothing = True
        for document in objects(line):
            nothing = False
            yield from self._told(document)
        if nothing and line and not line.isspace():
            yield from self._strange("not an event", line)

    def flush(self) -> Iterable[Event]:
        """Returns what was held back for a part that didn't come; the stream is over."""
        return ()

    def usages(self) -> tuple[Usage, ...]:
        """Returns tokens and dollars, one entry a model; empty where nothing is known."""
        return self.tokens.usages()

    def reply(self, asked: Asked, answers: tuple[Answer, ...]) -> bytes:
        """Returns what is written to the agent's stdin to answer it; for those that can ask."""
        return b""

    def _told(self, document: dict[str, object]) -> Iterator[Event | Asked]:
        try:
            events = list(self.read(document))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            yield from self._strange("an event of another shape", repr(document))
            return
        self.heard += 1
        for event in events:
            if type(event) is ToolCall:
                self.acted = True
            yield event

    def _strange(self, what: str, shown: str) -> Iterator[Event]:
        self.odd += 1
        if self.odd <= _ODD_KEPT:
            message = f"{what}: {shown[:_ODD_SHOWN].strip()}"
            yield LogMessage(level="info", message=message)


def cut(output: str) -> str:
    """Returns a tool's output as an event keeps it: the first and the last part of a long one."""
    if len(output) <= OUTPUT_LIMIT:
        return output
    between = "\n[… left out …]\n"
    half = (OUTPUT_LIMIT - len(between)) // 2
    return output[:half] + between + output[-half:]
