"""One turn with an agent."""

from acp import PROTOCOL_VERSION, RequestError
from acp.client.connection import ClientSideConnection
from acp.schema import (
    ClientCapabilities,
    ElicitationCapabilities,
    ElicitationFormCapabilities,
    FileSystemCapabilities,
    Implementation,
    PromptResponse,
    TextContentBlock,
)
from attrs import define, field, frozen
from fairtrial.agents.faults import Failure, crash, failure
from fairtrial.agents.picking import Json
from fairtrial.agents.secrecy import Secrets
from fairtrial.api import Ending, LogMessage, Running, Session, Usage
from pydantic import ValidationError

from fairtrial_solver_acp.client import WorkspaceClient
from fairtrial_solver_acp.events import Updates, usage
from fairtrial_solver_acp.terminals import Terminals
from fairtrial_solver_acp.wire import Wire

_STOPS = {
    "max_turn_requests": (Ending.FINISHED, "turns"),
    "max_tokens": (Ending.FINISHED, "tokens"),
    "refusal": (Ending.FINISHED, ""),
}


@frozen(kw_only=True)
class Wishes:
    """
    What is asked of the session.

    Attributes:
        login: The id of a way to log in; empty for none.
        mode: The id of a mode; empty for the agent's own.
        model: A model's name; empty for the agent's own.
        grant: Whether every permission is granted.
    """

    login: str = ""
    mode: str = ""
    model: str = ""
    grant: bool = False


@define(kw_only=True)
class Conversation:
    """
    Holds one turn, and remembers how it went.

    Attributes:
        session: The attempt.
        running: The agent.
        secrets: What must be in nothing that is kept.
        wishes: What is asked of the agent's session.
        began: Whether the agent has opened a session.
        over: Whether its turn came to an end, good or not.
        failure: Why that end is no good one.
        refused: What it said when it broke off.
        version: The agent's version, as it tells it.
    """

    session: Session
    running: Running
    secrets: Secrets
    wishes: Wishes
    began: bool = False
    over: bool = False
    failure: Failure | None = None
    refused: str = ""
    version: str | None = None
    updates: Updates = field(factory=Updates)
    _usage: Json = field(factory=dict)

    async def hold(self) -> None:
        """Holds it, to its end or until the agent is gone."""
        wire = Wire(self.running, self.secrets)
        terminals = Terminals(self.session)
        client = WorkspaceClient(self.session, self.updates, terminals, grant=self.wishes.grant)
        connection = ClientSideConnection(client, wire, use_unstable_protocol=True)
        try:
            await self._turn(connection)
        except RequestError as error:
            self.refused = f"{error} {error.data or ''}".strip()
            if self.began:
                self.over, self.failure = True, failure(self.refused)
        except ValidationError as error:
            self.refused = f"a reply of another form than the protocol's: {error.title}"
        except ConnectionError:
            # It is gone; how its process ended says why.
            pass
        finally:
            for event in self.updates.flush():
                self.session.record(event)
            if wire.odd:
                message = f"{wire.odd} lines were no messages"
                self.session.record(LogMessage(level="warn", message=message))
            terminals.close()
            await connection.close()

    def usages(self) -> tuple[Usage, ...]:
        """Returns what the turn used; empty where the agent doesn't tell."""
        told = usage(self._usage, self.wishes.model or None, self.updates.cost_usd)
        return () if told is None else (told,)

    async def _turn(self, connection: ClientSideConnection) -> None:
        greeting = await connection.initialize(
            protocol_version=PROTOCOL_VERSION,
            client_capabilities=ClientCapabilities(
                fs=FileSystemCapabilities(read_text_file=True, write_text_file=True),
                terminal=True,
                elicitation=ElicitationCapabilities(form=ElicitationFormCapabilities()),
            ),
            client_info=Implementation(name="fairtrial", version="0.1.0"),
        )
        if greeting.agent_info is not None:
            self.version = greeting.agent_info.version
        if self.wishes.login:
            await connection.authenticate(method_id=self.wishes.login)
        opened = await connection.new_session(
            cwd=str(self.session.workspace.inside), mcp_servers=[]
        )
        name = opened.session_id
        if self.wishes.mode:
            await connection.set_session_mode(session_id=name, mode_id=self.wishes.mode)
        if self.wishes.model:
            await connection.set_config_option(
                config_id="model", session_id=name, value=self.wishes.model
            )
        self.began = True
        prompt = TextContentBlock(type="text", text=self.session.brief.prompt)
        self._end(await connection.prompt(session_id=name, prompt=[prompt]))

    def _end(self, response: PromptResponse) -> None:
        self.over = True
        if response.usage is not None:
            self._usage = response.usage.model_dump(by_alias=True)
        if response.stop_reason in _STOPS:
            ending, limit = _STOPS[response.stop_reason]
            message = f"it stopped: {response.stop_reason.replace('_', ' ')}"
            self.failure = Failure(message=message, ending=ending, limit=limit)
        elif response.stop_reason != "end_turn":
            self.failure = crash(f"it stopped: {response.stop_reason}")
