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
class Priced(Protocol):
    """A gateway that prices by a table; an optional face."""

    @property
    def price_table(self) -> str:
        """The table's name, version and date; it is kept with the run and locks it."""
