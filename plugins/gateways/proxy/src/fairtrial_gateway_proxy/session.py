"""One trial's way to the model."""

import contextlib
import json
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import define, field
from fairtrial.api import GatewaySession, MachineError, Parted, Usage

from fairtrial_gateway_proxy.account import Account

_ADDRESSES = {
    "anthropic": ("ANTHROPIC_BASE_URL",),
    "openai": ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
    "google": ("GOOGLE_GEMINI_BASE_URL",),
}
"""By provider, the variables in which agents look for its address."""


@define(kw_only=True, eq=False)
class ProxySession:
    """
    A secret path on the proxy, and what was metered on it.

    Attributes:
        address: Where the proxy is reached from this machine.
        socket: The UNIX socket on which it is reached too.
        account: What was used.
        label: For the log.
        missing: Providers for which there is no key, and the variable that would hold it.
        secret: The path, and what agents hold in place of a key.
    """

    address: str
    socket: Path | None
    account: Account = field(repr=False)
    label: str
    missing: Mapping[str, str] = field(factory=dict)
    secret: str = field(factory=lambda: secrets.token_hex(16), repr=False)
    _on_close: Callable[["ProxySession"], None] = field(repr=False)
    _closed: bool = False
    _lock: threading.Lock = field(factory=threading.Lock, repr=False)

    @property
    def environment(self) -> Mapping[str, str]:
        """Base addresses, and the secret in the place of every key."""
        base = f"{self.address}/{self.secret}"
        return {
            "ANTHROPIC_BASE_URL": f"{base}/anthropic",
            "ANTHROPIC_API_KEY": self.secret,
            "OPENAI_BASE_URL": f"{base}/openai/v1",
            "OPENAI_API_BASE": f"{base}/openai/v1",
            "OPENAI_API_KEY": self.secret,
            "GOOGLE_GEMINI_BASE_URL": f"{base}/google",
            "GEMINI_API_KEY": self.secret,
            # A proxy that the agent's machine names must not come between.
            "NO_PROXY": "127.0.0.1,localhost",
            "no_proxy": "127.0.0.1,localhost",
        }

    @property
    def keyless(self) -> Mapping[str, str]:
        """The addresses of providers for which there is no key, by their variables."""
        return {
            name: variable
            for provider, variable in self.missing.items()
            for name in _ADDRESSES[provider]
        }

    @property
    def exhausted(self) -> bool:
        """Whether a request was refused because the budget is spent."""
        return self.account.exhausted

    def begin_part(self, budget_usd: float, /) -> None:
        """Refuses requests once so many more dollars are spent, until `end_part`."""
        self.account.begin_part(budget_usd)

    def end_part(self) -> bool:
        """Ends the part begun last; returns whether a request was refused for it."""
        return self.account.end_part()

    def usage(self) -> tuple[Usage, ...]:
        """What was metered so far; what has no known cost is an entry apart."""
        return self.account.usage()

    def close(self) -> None:
        """Ends the session: replies under way are read to their end, for a while."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self._on_close(self)


@define(kw_only=True)
class Log:
    """
    The gateway's own log: one JSON line a request, never a key.

    Attributes:
        path: Where it is; None for none.
    """

    path: Path | None
    _lock: threading.Lock = field(factory=threading.Lock)

    def ready(self) -> None:
        """
        Makes sure that it can be written.

        Raises:
            MachineError: It can't.
        """
        try:
            self._append("")
        except OSError as error:
            raise MachineError(
                problem=f"the gateway's log “{self.path}” can't be written",
                facts=(("because", str(error.strerror or error)),),
                way_on="name a file that you may write to, or leave `log` out",
            ) from error

    def write(self, facts: Mapping[str, object]) -> None:
        """Appends a line, with the time; a disk that fails then costs no agent its reply."""
        told = {"at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), **facts}
        line = json.dumps(told, ensure_ascii=False, separators=(",", ":")) + "\n"
        with contextlib.suppress(OSError):
            self._append(line)

    def _append(self, text: str) -> None:
        if self.path is None:
            return
        with self._lock:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # JSON may hold halves of characters, which no file can.
            with self.path.open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)


_: type[GatewaySession] = ProxySession
_parted: type[Parted] = ProxySession
