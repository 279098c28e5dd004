"""The solver `worker`: a headless worker behind a control socket."""

import os
import threading
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from socket import AF_UNIX, SOCK_STREAM
from socket import socket as Socket  # noqa: N812 - a field of the plugin has the module's name
from typing import BinaryIO

from attrs import Attribute, field, frozen
from attrs.validators import ge, gt
from fairtrial.agents.deadline import BACKSTOP_S
from fairtrial.agents.files import lacks_files, lay_files, logs_apart, own_folder
from fairtrial.agents.presence import lacks_program
from fairtrial.agents.secrecy import Secrets, lacks_variable, passed
from fairtrial.agents.tokens import by_model, merged
from fairtrial.api import (
    Attempt,
    EndedBy,
    Ending,
    Finished,
    LogMessage,
    MachineError,
    Outlook,
    Running,
    Session,
    Solver,
    TurnEnd,
    UserMessage,
)

from fairtrial_solver_worker.talk import Refused, Silent, Talk
from fairtrial_solver_worker.wire import Gone, Rubbish, Wire

_LONGEST_PLACE = 107
"""Bytes of a UNIX socket's path (`sun_path` in unix(7), its final NUL left out)."""
_SOCKET = "s"
"""The socket's name below fairtrial's own folder; short, since a temporary directory's is long."""
_TRY_AGAIN_S = 0.02
_LAST_BREATH_S = 1.0
_LONGEST_NOTE = 300
_ARGV = "`argv` of a solver “worker”"
_FILES = "`files` of a solver “worker”"
_VARIABLES = "`pass_env` of a solver “worker”"


def _names_the_socket(
    _: object, attribute: "Attribute[tuple[str, ...]]", value: tuple[str, ...]
) -> None:
    if value and not any("{socket}" in text for text in value):
        raise ValueError(f"{attribute.name} must tell the worker where to listen: {{socket}}")


@frozen(kw_only=True)
class WorkerSolver:
    """
    Hands the task to a worker over a UNIX socket, and hears what it does until it has finished.

    It starts the worker in the workspace (`argv`), or connects to one that runs (`socket`). Such
    a worker is outside of the sandbox, and so is all that it does. Placeholders in `argv` and in
    the values of `env`: `{socket}`, where the worker is to listen, `{workspace}` and `{scratch}`
    (a private directory). The protocol is in docs/worker-protocol.md.
    """

    argv: tuple[str, ...] = field(default=(), validator=_names_the_socket)
    """The worker and its arguments; no shell reads them."""

    socket: Path | None = None
    """The socket of a worker that runs already, in place of `argv`."""

    env: Mapping[str, str] = field(factory=dict)
    """Variables for the worker, besides the sandbox's own; never a key."""

    files: Path | None = None
    """A folder of your own, relative to the config, that is copied into `{scratch}` before the
    worker starts, so that `{scratch}/worker.py` is there in every sandbox."""

    pass_env: tuple[str, ...] = ()
    """Names of your own variables that it gets too, such as the one that holds a key."""

    spends: bool | None = field()
    """Whether it can cost money, so that a run needs a budget. By default it can where `pass_env`
    names a variable, or where the run has a gateway."""

    heartbeat_s: float = field(default=10.0, validator=gt(0))
    """Seconds within which the worker must be heard; it is given up after three times as many."""

    connect_s: float = field(default=20.0, validator=gt(0))
    """Seconds that it has to open its socket."""

    grace_s: float = field(default=10.0, validator=ge(0))
    """Seconds that it has to finish once its time is up, and to exit once it has finished."""

    @spends.default
    def _spends_with_a_key(self) -> bool | None:
        return True if self.pass_env else None

    def __attrs_post_init__(self) -> None:
        if bool(self.argv) == (self.socket is not None):
            raise ValueError("either 'argv' or 'socket' must be set")

    def lacks(self, outlook: Outlook, /) -> MachineError | None:
        """
        Says whether it isn't installed, or its files or a variable of `pass_env` are missing.

        A socket says nothing: its worker may open it later.
        """
        lack = lacks_variable(self.pass_env, _VARIABLES) or lacks_files(self.files, _FILES)
        if lack is not None or not self.argv:
            return lack
        env = {**outlook.environment, **self.env, **passed(self.pass_env, _VARIABLES)}
        return lacks_program(self.argv[0], outlook.workspace, env, _ARGV)

    def solve(self, session: Session, /) -> Attempt:
        """
        Holds one conversation.

        Raises:
            MachineError: The worker isn't installed, a variable isn't set, or the socket's path
                is too long for the system.
        """
        if self.files is not None:
            lay_files(self.files, session.scratch, _FILES)
        session.record(UserMessage(id="initial", text=session.brief.prompt))
        place = self.socket or own_folder(session.scratch) / _SOCKET
        if len(os.fsencode(place)) > _LONGEST_PLACE:
            raise MachineError(
                problem=f"the socket's path is too long for this system: “{place}”",
                facts=(("most", f"{_LONGEST_PLACE} bytes"),),
                way_on="set TMPDIR to a shorter path",
            )
        keys = passed(self.pass_env, _VARIABLES)
        secrets = Secrets.of(keys.values())
        start = time.monotonic()
        with (
            logs_apart(session) as logs,
            (logs / "control.jsonl").open("wb") as log,
        ):
            running = self._started(session, place, keys, logs)
            attempt = self._talked(session, running, place, log, secrets)
        secrets.wipe(session.scratch / "native")
        _record_end(session, attempt, time.monotonic() - start)
        return attempt

    def _started(
        self, session: Session, place: Path, keys: Mapping[str, str], logs: Path
    ) -> Running:
        limit_s = session.remaining_s() + BACKSTOP_S
        if self.socket is not None:
            # Nothing of the worker's: it ends with the attempt, which tells us that that is over.
            return session.workspace.spawn(["sleep", f"{limit_s:.0f}"], timeout_s=limit_s)
        values = {
            "{socket}": str(place),
            "{workspace}": str(session.workspace.inside),
            "{scratch}": str(session.scratch),
        }
        argv = [_filled(text, values) for text in self.argv]
        own = {name: _filled(text, values) for name, text in self.env.items()}
        env = {**session.environment, **own, **keys}
        try:
            return session.workspace.spawn(argv, timeout_s=limit_s, env=env, log=logs)
        except (OSError, ValueError) as error:
            raise MachineError(
                problem=f"the worker “{argv[0]}” can't be started",
                facts=(("asked for in", _ARGV), ("because", str(error))),
                way_on="install it, or write its whole path in `argv`",
            ) from error

    def _talked(
        self, session: Session, running: Running, place: Path, log: BinaryIO, secrets: Secrets
    ) -> Attempt:
        gone = threading.Event()
        connected: list[Wire] = []
        watch = threading.Thread(
            target=self._drain, args=(running, gone, connected), name="worker", daemon=True
        )
        watch.start()
        why, said, version, grace_s = "", None, None, 0.0
        try:
            with closing(self._connected(session, place, gone)) as connection:
                wire = Wire(connection=connection, log=log, clean=secrets.out_of)
                connected.append(wire)
                if gone.is_set() and self.socket is not None:
                    wire.close()
                talk = Talk(
                    session=session,
                    wire=wire,
                    heartbeat_s=self.heartbeat_s,
                    grace_s=self.grace_s,
                    workspace=str(self._workspace(session)),
                )
                try:
                    said = talk.hold()
                finally:
                    version = talk.version
        except Rubbish as error:
            why = f"it sent rubbish: {error}"
        except (Silent, Refused) as error:
            why = str(error)
        except Gone as error:
            # A connection closes a moment before its process has ended.
            why, grace_s = f"it died: {error}", _LAST_BREATH_S
        if said is not None:
            grace_s = self.grace_s
        finished = running.end(grace_s=grace_s if self.argv else 0.0)
        watch.join(self.grace_s + 1.0)
        if said is not None:
            return said
        return _broken(session, why, finished, version, secrets)

    def _workspace(self, session: Session) -> object:
        return session.workspace.inside if self.argv else session.workspace.root

    def _connected(self, session: Session, place: Path, gone: threading.Event) -> Socket:
        until = time.monotonic() + min(self.connect_s, max(session.remaining_s(), 0.0))
        while True:
            connection = Socket(AF_UNIX, SOCK_STREAM)
            try:
                connection.connect(str(place))
            except OSError as error:
                connection.close()
                if gone.is_set():
                    raise Gone("it ended before it opened its socket") from error
                if time.monotonic() >= until:
                    raise Silent(f"it opened no socket within {self.connect_s:g} s") from error
                gone.wait(_TRY_AGAIN_S)
            else:
                return connection

    def _drain(self, running: Running, gone: threading.Event, connected: list[Wire]) -> None:
        for _ in running.lines():
            pass
        gone.set()
        # A worker of ours is gone when its connection closes; one that only closed its stdout
        # isn't. One that runs elsewhere goes on: here, the attempt itself is over.
        if self.socket is not None:
            for wire in connected:
                wire.close()


def _record_end(session: Session, attempt: Attempt, wall_s: float) -> None:
    failed = attempt.ending is not Ending.FINISHED
    if failed:
        message = attempt.note or attempt.ending.value
        session.record(LogMessage(level="error", message=message))
    costs = [usage.cost_usd for usage in attempt.usage]
    known = [cost for cost in costs if cost is not None]
    session.record(
        TurnEnd(
            is_error=failed,
            result=attempt.note,
            cost_usd=sum(known) if known and None not in costs else None,
            duration_ms=round(wall_s * 1000, 1),
            model_usage=by_model(merged(attempt.usage)),
        )
    )


def _filled(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(name, value)
    return text


def _broken(
    session: Session, why: str, finished: Finished, version: str | None, secrets: Secrets
) -> Attempt:
    """Returns the attempt of a worker that did not come to its end by the protocol."""
    if finished.ended_by is EndedBy.INTERRUPT:
        return Attempt(ending=Ending.INTERRUPTED, agent_version=version)
    if session.remaining_s() <= 0:
        note = f"its time was up, and {why}"
        return Attempt(ending=Ending.TIMED_OUT, limit="timeout", agent_version=version, note=note)
    lines = [line.strip() for line in finished.stderr.decode(errors="replace").splitlines()]
    last = next((line for line in reversed(lines) if line), "")
    how = ""
    if finished.ended_by is EndedBy.EXIT:
        how = f" (exit status {finished.code}{': ' if last else ''}{last})"
    elif finished.signal is not None and finished.ended_by is EndedBy.SIGNAL:
        how = f" (signal {finished.signal}{': ' if last else ''}{last})"
    note = secrets.out_of(f"the worker broke the attempt off: {why}{how}")
    return Attempt(ending=Ending.INFRA, agent_version=version, note=note[:_LONGEST_NOTE])


_: type[Solver] = WorkerSolver
