"""The kind `gateway`: what stands between an agent and its model, and meters on the wire."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, runtime_checkable

from fairtrial.api.usage import Usage


class GatewaySession(Protocol):
    """One trial's way to the model."""

    @property
    def environment(self) -> Mapping[str, str]:
        """
        Base addresses for the agent's environment; holds no provider key.

        They are `http://127.0.0.1:PORT…`. Where the fence lets only the socket through, the
        engine puts the address inside in place of scheme, host and port.
        """

    @property
    def socket(self) -> Path | None:
        """The UNIX socket that a `model-only` fence lets through; None where there is none."""

    @property
    def exhausted(self) -> bool:
        """Whether a request was refused because the budget is spent."""

    def usage(self) -> tuple[Usage, ...]:
        """What was metered so far, one entry a model; may be called while requests run."""

    def close(self) -> None:
        """Ends the session; later requests are refused. May be called twice."""


@runtime_checkable
class Keyless(Protocol):
    """A gateway's session that knows for which providers it has no key; an optional face."""

    @property
    def keyless(self) -> Mapping[str, str]:
        """
        Variables of `environment` by which an agent finds a provider that would refuse it.

        With each, the variable of the user's own that would hold the key, so that a run whose
        solvers need it can be stopped before its first trial.
        """


class Gateway(Protocol):
    """
    Opens a metered way to the model for each trial.

    It passes requests and replies through unchanged, keeps no prompt unless told, and never a
    key.
    """

    def open(self, label: str, budget_usd: float | None, /) -> GatewaySession:
        """
        Opens a session.

        Args:
            label: Task, solver and rollout, for its own log.
            budget_usd: Dollars after which requests are refused; None for no cap.
        """


@runtime_checkable
class Parted(Protocol):
    """A session that also keeps a stage's part of the budget; an optional face."""

    def begin_part(self, budget_usd: float, /) -> None:
        """
        Refuses requests once so many more dollars are spent, until `end_part`.

        Parts may lie in each other; the trial's own budget holds all the while.
        """

    def end_part(self) -> bool:
        """Ends the part begun last; returns whether a request was refused for it."""


@runtime_checkable
class Priced(Protocol):
    """A gateway that prices by a table; an optional face."""

    @property
    def price_table(self) -> str:
        """The table's name, version and date; it is kept with the run and locks it."""
