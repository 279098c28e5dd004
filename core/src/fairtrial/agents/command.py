"""What every driver of a command line is derived from: the common keys, and what it must say."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar

from attrs import field, frozen
from attrs.validators import ge, gt, le, optional

from fairtrial.agents.driving import drive
from fairtrial.agents.faults import Failure
from fairtrial.agents.launch import Launch, Place, Tool
from fairtrial.agents.outfit import lacking
from fairtrial.agents.transcript import Transcript
from fairtrial.api import Attempt, Brief, MachineError, Outlook, Session

_SECRET_NAME = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$", re.IGNORECASE)
_SECRET_SIZE = 16
_IDLE_S: float | None = 900.0
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def no_key(_: object, __: object, value: Mapping[str, str]) -> None:
    """Refuses a key among variables of a config, as a validator of attrs."""
    for name, text in value.items():
        if not _VARIABLE.fullmatch(name):
            raise ValueError(f"“{name}” is no name of a variable")
        dense = len(text) >= _SECRET_SIZE and " " not in text and "://" not in text
        if dense and _SECRET_NAME.search(name):
            raise ValueError(
                f"env.{name} holds what looks like a key; name its variable in `pass_env` instead"
            )


def names_only(_: object, __: object, value: tuple[str, ...]) -> None:
    """Refuses what is no name of a variable, such as a key itself, as a validator of attrs."""
    for name in value:
        if not _VARIABLE.fullmatch(name):
            raise ValueError(
                f"“{name}” is no name of a variable; a key itself doesn't belong here"
            )


@frozen(kw_only=True)
class AgentCommand(ABC):
    """
    An agent's command line, driven without a terminal.

    Its home is private to the attempt and begins empty, its prompt comes on stdin, its output goes
    to two files beside the trial, and after its last event it has `grace_s` to leave.
    """

    tool: ClassVar[Tool]
    """What is always so for the program."""

    model: str = ""
    """The model, as the agent's own option takes it; empty for the agent's default."""

    program: str = ""
    """The program to run, where it isn't the one on PATH under its usual name."""

    version: str = ""
    """The version that must be installed, or the beginning of it, such as `2.1`; empty for any."""

    args: tuple[str, ...] = ()
    """Further arguments for the program, put after those of the driver."""

    env: Mapping[str, str] = field(factory=dict, validator=no_key)
    """Variables for the program; never a key."""

    pass_env: tuple[str, ...] = field(default=(), validator=names_only)
    """Names of your own variables that it gets too. The variables that usually hold its key are
    passed by themselves where no gateway holds the key."""

    idle_s: float | None = field(default=_IDLE_S, validator=optional(gt(0)))
    """Seconds without a byte of output after which it is given up."""

    grace_s: float = field(default=5.0, validator=ge(0))
    """Seconds between its last event and the end of a program that stays."""

    retries: int = field(default=2, validator=[ge(0), le(10)])
    """How often it is started again after a passing fault of the provider, as long as it has used
    no tool. What a start cost is kept; the attempt's time goes on."""

    retry_wait_s: float = field(default=5.0, validator=ge(0))
    """Seconds before the first of these; doubled each time."""

    @property
    def spends(self) -> bool:
        """A model costs money."""
        return True

    def lacks(self, outlook: Outlook, /) -> MachineError | None:
        """Says whether it isn't installed, is another version, or has no key."""
        return lacking(self, outlook)

    @abstractmethod
    def launch(self, brief: Brief, place: Place, /) -> Launch:
        """Says how the program is started; may write its settings below `place.home`."""

    @abstractmethod
    def transcript(self) -> Transcript:
        """Returns a parser for one start's output."""

    def settle(self, transcript: Transcript, place: Place, /) -> None:  # noqa: B027 - most need it, not all
        """Takes from the program's own session files what its stream didn't tell."""

    def aside(self, stderr: str, /) -> Iterable[str]:
        """Returns what stderr alone tells, such as of requests that were tried again."""
        return ()

    def exited(self, code: int, stderr: str, /) -> Failure | None:
        """Says what an exit status means for a program that ended without its last event."""
        return None

    def solve(self, session: Session, /) -> Attempt:
        """
        Runs the agent until it is done, its time is up, or it has failed.

        Raises:
            MachineError: It isn't installed, is another version, or has no key.
        """
        return drive(session, self)
