"""What an agent may ask of its client."""

import asyncio

from acp import RequestError
from acp.connection import JsonValue
from acp.interfaces import Agent
from acp.schema import (
    AcceptElicitationResponse,
    AllowedOutcome,
    CreateElicitationResponse,
    CreateTerminalResponse,
    DeclineElicitationResponse,
    DeniedOutcome,
    ElicitationMode,
    EnvVariable,
    KillTerminalResponse,
    PermissionOption,
    ReadTextFileResponse,
    ReleaseTerminalResponse,
    RequestPermissionResponse,
    TerminalExitStatus,
    TerminalOutputResponse,
    ToolCallUpdate,
    WaitForTerminalExitResponse,
    WriteTextFileResponse,
)
from fairtrial.agents.picking import table
from fairtrial.api import Session
from pydantic import BaseModel

from fairtrial_solver_acp import asking, places
from fairtrial_solver_acp.events import Updates
from fairtrial_solver_acp.terminals import Terminal, Terminals


class WorkspaceClient:
    """
    Serves an agent inside of one attempt's workspace.

    Names and arguments are the protocol's.
    """

    def __init__(
        self, session: Session, updates: Updates, terminals: Terminals, *, grant: bool
    ) -> None:
        self._session = session
        self._updates = updates
        self._terminals = terminals
        self._grant = grant

    async def session_update(self, session_id: str, update: BaseModel, **_: JsonValue) -> None:
        """Records what the agent tells."""
        for event in self._updates.take(update.model_dump(mode="json", by_alias=True)):
            self._session.record(event)

    async def request_permission(
        self,
        session_id: str,
        tool_call: ToolCallUpdate,
        options: list[PermissionOption],
        **_: JsonValue,
    ) -> RequestPermissionResponse:
        """Has the answerer decide, or grants."""
        offered = [option.model_dump(mode="json", by_alias=True) for option in options]
        answer = None
        if not self._grant:
            question = asking.permission(tool_call.model_dump(mode="json", by_alias=True), offered)
            answer = await asyncio.to_thread(self._session.ask, question)
        picked = asking.chosen(offered, answer)
        if picked is None:
            return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
        outcome = AllowedOutcome(outcome="selected", option_id=picked)
        return RequestPermissionResponse(outcome=outcome)

    async def create_elicitation(
        self, message: str, mode: ElicitationMode, **_: JsonValue
    ) -> CreateElicitationResponse:
        """Has the answerer fill in a form; anything else is declined."""
        schema = table(mode.model_dump(mode="json", by_alias=True), "requestedSchema")
        questions = asking.form(message, schema)
        if not questions:
            return DeclineElicitationResponse(action="decline")
        asked = [question for _, question in questions]
        answers = await asyncio.to_thread(self._session.ask_together, asked)
        filled = asking.content(schema, questions, answers)
        if not filled:
            return DeclineElicitationResponse(action="decline")
        return AcceptElicitationResponse(action="accept", content=filled)

    async def complete_elicitation(self, elicitation_id: str, **_: JsonValue) -> None:
        """Takes note of nothing: forms are answered at once."""

    async def read_text_file(
        self,
        session_id: str,
        path: str,
        line: int | None = None,
        limit: int | None = None,
        **_: JsonValue,
    ) -> ReadTextFileResponse:
        """Reads a file of the workspace."""
        try:
            content = places.read_text(self._session.workspace, path, line, limit)
        except (ValueError, OSError) as error:
            raise RequestError.invalid_params({"details": str(error)}) from error
        return ReadTextFileResponse(content=content)

    async def write_text_file(
        self, session_id: str, path: str, content: str, **_: JsonValue
    ) -> WriteTextFileResponse:
        """Writes a file of the workspace."""
        try:
            places.write_text(self._session.workspace, path, content)
        except (ValueError, OSError) as error:
            raise RequestError.invalid_params({"details": str(error)}) from error
        return WriteTextFileResponse()

    async def create_terminal(
        self,
        session_id: str,
        command: str,
        args: list[str] | None = None,
        env: list[EnvVariable] | None = None,
        cwd: str | None = None,
        output_byte_limit: int | None = None,
        **_: JsonValue,
    ) -> CreateTerminalResponse:
        """Runs a command in the workspace."""
        variables = {variable.name: variable.value for variable in env or ()}
        try:
            folder = places.within(self._session.workspace, cwd or ".")
            below = folder.relative_to(self._session.workspace.root.resolve())
            name = await asyncio.to_thread(
                self._terminals.open,
                (command, *(args or ())),
                variables,
                str(below),
                output_byte_limit,
            )
        except (ValueError, OSError) as error:
            raise RequestError.invalid_params({"details": str(error)}) from error
        return CreateTerminalResponse(terminal_id=name)

    async def terminal_output(
        self, session_id: str, terminal_id: str, **_: JsonValue
    ) -> TerminalOutputResponse:
        """Returns what a command printed so far."""
        terminal = self._terminal(terminal_id)
        output, cut = terminal.output()
        ended = terminal.exit()
        status = None
        if ended is not None:
            status = TerminalExitStatus(exit_code=ended.code, signal=ended.signal)
        return TerminalOutputResponse(output=output, truncated=cut, exit_status=status)

    async def wait_for_terminal_exit(
        self, session_id: str, terminal_id: str, **_: JsonValue
    ) -> WaitForTerminalExitResponse:
        """Waits for a command's end."""
        ended = await asyncio.to_thread(self._terminal(terminal_id).wait)
        return WaitForTerminalExitResponse(exit_code=ended.code, signal=ended.signal)

    async def kill_terminal(
        self, session_id: str, terminal_id: str, **_: JsonValue
    ) -> KillTerminalResponse:
        """Ends a command; its output stays."""
        await asyncio.to_thread(self._terminal(terminal_id).kill)
        return KillTerminalResponse()

    async def release_terminal(
        self, session_id: str, terminal_id: str, **_: JsonValue
    ) -> ReleaseTerminalResponse:
        """Ends a command that is no longer wanted."""
        await asyncio.to_thread(self._terminal(terminal_id).kill)
        return ReleaseTerminalResponse()

    async def ext_method(self, method: str, params: dict[str, JsonValue]) -> dict[str, JsonValue]:
        """Knows none."""
        raise RequestError.method_not_found(method)

    async def ext_notification(self, method: str, params: dict[str, JsonValue]) -> None:
        """Passes over what it doesn't know."""

    def on_connect(self, conn: Agent) -> None:
        """Needs nothing of the other side."""

    def _terminal(self, name: str) -> Terminal:
        try:
            return self._terminals.get(name)
        except ValueError as error:
            raise RequestError.invalid_params({"details": str(error)}) from error
