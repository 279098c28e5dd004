import os
import threading
from collections.abc import Mapping
from pathlib import Path

from attrs import define, field, frozen
from fairtrial.api import GatewaySession, Usage
from fairtrial.conformance.skeletons.gateway import EchoGateway, EchoGatewaySession


@frozen(kw_only=True)
class LeakySession(EchoGatewaySession):
    @property
    def environment(self) -> Mapping[str, str]:
        return {**super().environment, "OPENAI_API_KEY": os.environ.get("OPENAI_API_KEY", "")}


@frozen(kw_only=True)
class LeakyGateway(EchoGateway):
    def open(self, label: str, budget_usd: float | None, /) -> GatewaySession:
        return LeakySession(address=self.address)


@frozen(kw_only=True)
class StaleSession(EchoGatewaySession):
    def usage(self) -> tuple[Usage, ...]:
        return (Usage(model="m", output=7, cost_usd=0.5),)


@frozen(kw_only=True)
class StaleGateway(EchoGateway):
    def open(self, label: str, budget_usd: float | None, /) -> GatewaySession:
        return StaleSession(address=self.address)


@frozen(kw_only=True)
class OnceSession(EchoGatewaySession):
    closed: list[bool] = field(factory=list)

    def close(self) -> None:
        self.closed.append(True)
        # the kit's own close, at the end of each session, must not be the one that fails
        if len(self.closed) == 2:
            raise ValueError("already closed")


@frozen(kw_only=True)
class OnceGateway(EchoGateway):
    def open(self, label: str, budget_usd: float | None, /) -> GatewaySession:
        return OnceSession(address=self.address)


@frozen(kw_only=True)
class LoggingGateway(EchoGateway):
    def open(self, label: str, budget_usd: float | None, /) -> GatewaySession:
        with Path(os.devnull).open("w") as log:
            log.write(str(Path(label).stat() if "\0" in label else ""))
        return super().open(label, budget_usd)


@frozen(kw_only=True)
class ThreadedGateway(EchoGateway):
    def open(self, label: str, budget_usd: float | None, /) -> GatewaySession:
        threading.Thread(target=threading.Event().wait, args=(20,), daemon=True).start()
        return super().open(label, budget_usd)


@frozen(kw_only=True)
class SocketSession(EchoGatewaySession):
    @property
    def socket(self) -> Path | None:
        return Path("/nowhere/model.sock")


@frozen(kw_only=True)
class SocketGateway(EchoGateway):
    def open(self, label: str, budget_usd: float | None, /) -> GatewaySession:
        return SocketSession(address=self.address)


@define(kw_only=True)
class SpentSession:
    """Meters requests that are made by `request`, and refuses none or all above the budget."""

    budget_usd: float | None
    enforces: bool
    parts: bool = True
    spent_usd: float = 0.0
    exhausted: bool = False
    _limits: list[float] = field(factory=list)
    _refused: list[bool] = field(factory=list)

    @property
    def environment(self) -> Mapping[str, str]:
        return {}

    @property
    def socket(self) -> Path | None:
        return None

    def request(self, cost_usd: float) -> None:
        over = self.budget_usd is not None and self.spent_usd >= self.budget_usd
        if over and self.enforces:
            self.exhausted = True
            return
        for place, limit in enumerate(self._limits):
            if self.parts and self.spent_usd >= limit:
                self._refused[place] = True
                return
        self.spent_usd += cost_usd

    def begin_part(self, budget_usd: float) -> None:
        self._limits.append(self.spent_usd + budget_usd)
        self._refused.append(False)

    def end_part(self) -> bool:
        self._limits.pop()
        return self._refused.pop()

    def usage(self) -> tuple[Usage, ...]:
        return (Usage(model="m", cost_usd=self.spent_usd),) if self.spent_usd else ()

    def close(self) -> None:
        pass


@frozen(kw_only=True)
class BudgetGateway:
    enforces: bool = True
    """Whether a spent budget is the end."""

    parts: bool = True
    """Whether a part of it is."""

    def open(self, label: str, budget_usd: float | None, /) -> GatewaySession:
        return SpentSession(budget_usd=budget_usd, enforces=self.enforces, parts=self.parts)
