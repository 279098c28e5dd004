"""A gateway for fairtrial: shows an agent the way to a model server, and meters nothing."""

from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from fairtrial.api import Gateway, GatewaySession, Usage


@frozen(kw_only=True)
class EchoGateway:
    """Hands out the address of a server that asks for no key, such as one on this machine."""

    address: str = "http://127.0.0.1:8080/v1"
    """The server's base address."""

    def open(self, label: str, budget_usd: float | None, /) -> GatewaySession:
        """Opens a session; nothing is connected to yet, since that may cost money."""
        return EchoGatewaySession(address=self.address)


@frozen(kw_only=True)
class EchoGatewaySession:
    """One trial's way to the server."""

    address: str

    @property
    def environment(self) -> Mapping[str, str]:
        """The address, under the name that agents look for; never a provider's key."""
        return {"OPENAI_BASE_URL": self.address}

    @property
    def socket(self) -> Path | None:
        """No UNIX socket: a `model-only` fence can't let this gateway through."""
        return None

    @property
    def exhausted(self) -> bool:
        """Never, since nothing is metered: it keeps no budget, and the kit is told so."""
        return False

    def usage(self) -> tuple[Usage, ...]:
        """Nothing is known of what was used, which is not the same as zero."""
        return ()

    def close(self) -> None:
        """Ends the session."""


_: type[Gateway] = EchoGateway
