"""Commands that an agent has its client run."""

import threading
from collections.abc import Mapping, Sequence

from attrs import define, field, frozen
from fairtrial.api import EndedBy, Finished, Running, Session

_LIMIT_BYTES = 1024 * 1024
_MOST = 64
_AT_ONCE_S = 1e9


@frozen(kw_only=True)
class Exit:
    """How a command ended."""

    code: int | None
    signal: str | None


@define
class Terminal:
    """One command, whose output is drained by a thread of its own."""

    running: Running
    limit: int
    _kept: bytearray = field(factory=bytearray, init=False)
    _cut: bool = field(default=False, init=False)
    _lock: threading.Lock = field(factory=threading.Lock, init=False)
    _thread: threading.Thread = field(init=False)
    _finished: Finished | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        """Begins to drain."""
        self._thread = threading.Thread(target=self._drain, name="terminal", daemon=True)
        self._thread.start()

    def output(self) -> tuple[str, bool]:
        """Returns what it printed, the end of it where that is long, and whether that is all."""
        with self._lock:
            return self._kept.decode(errors="replace"), self._cut

    def exit(self) -> Exit | None:
        """Returns how it ended; None while it runs."""
        return None if self._finished is None else _exit(self._finished)

    def wait(self) -> Exit:
        """Waits for its end."""
        self._thread.join()
        return self.exit() or Exit(code=None, signal=None)

    def kill(self) -> None:
        """Ends it."""
        self.running.end()
        self._thread.join()

    def _drain(self) -> None:
        for line in self.running.lines():
            with self._lock:
                self._kept += line.encode() + b"\n"
                if len(self._kept) > self.limit:
                    del self._kept[: -self.limit]
                    self._cut = True
        self._finished = self.running.end(grace_s=_AT_ONCE_S)


@define
class Terminals:
    """All of one attempt's, by the ids that the agent is told."""

    _session: Session
    _known: dict[str, Terminal] = field(factory=dict, init=False)

    def open(
        self, argv: Sequence[str], env: Mapping[str, str], below: str, limit: int | None
    ) -> str:
        """
        Starts a command in the workspace; both of its outputs are one.

        Args:
            argv: The command; alone, it is a line for a shell, as some agents send it.
            env: Variables for it.
            below: The folder that it begins in, relative to the workspace.
            limit: Most bytes of its output that are kept.

        Raises:
            ValueError: Too many are open.
            FileNotFoundError: There is no shell.
        """
        if len(self._known) >= _MOST:
            raise ValueError(f"{_MOST} terminals are open already")
        line = f"{argv[0]}\n" if len(argv) == 1 else 'exec "$@"'
        shell = ("sh", "-c", f'exec 2>&1; cd -- "$0" || exit; {line}', f"./{below}", *argv)
        running = self._session.workspace.spawn(
            shell, timeout_s=max(self._session.remaining_s(), 0.01), env=env
        )
        name = f"terminal-{len(self._known) + 1}"
        self._known[name] = Terminal(running, min(limit or _LIMIT_BYTES, _LIMIT_BYTES))
        return name

    def get(self, name: str) -> Terminal:
        """
        Returns one of them.

        Raises:
            ValueError: There is none of that id.
        """
        if name not in self._known:
            raise ValueError(f"there is no terminal “{name}”")
        return self._known[name]

    def close(self) -> None:
        """Ends what still runs."""
        for terminal in self._known.values():
            terminal.kill()


def _exit(finished: Finished) -> Exit:
    by_signal = finished.ended_by is not EndedBy.EXIT
    name = str(finished.signal or finished.ended_by) if by_signal else None
    return Exit(code=finished.code, signal=name)
