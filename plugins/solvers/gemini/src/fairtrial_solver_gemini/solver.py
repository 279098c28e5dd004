"""How the Gemini CLI is started, and where it keeps what its stream doesn't tell."""

import json
import re
from collections.abc import Iterator
from typing import ClassVar

from attrs import field, frozen
from attrs.validators import ge, optional
from fairtrial.agents import AgentCommand, Launch, Place, Tool, Transcript
from fairtrial.agents.faults import Failure, crash, never_began
from fairtrial.agents.picking import text
from fairtrial.agents.sessions import documents, session_files
from fairtrial.api import Brief, Ending, Solver

from fairtrial_solver_gemini.transcript import GeminiTranscript, call_usage

SESSIONS = ".gemini/tmp/**/session-*.json*"
_WEB_TOOLS = ["google_web_search", "web_fetch"]
# The exit statuses that it documents, for an end without a result.
_NOT_BEGUN = {
    41: "no way to log in",
    42: "the input was refused",
    44: "its own sandbox failed",
    52: "its settings were refused",
    55: "the workspace is not trusted",
}
_AGAIN = re.compile(r"^(?P<why>Attempt \d+ failed.*?)\.? *Retrying with backoff", re.MULTILINE)
_TURNS = 53
_FATAL_TOOL = 54


@frozen(kw_only=True)
class GeminiSolver(AgentCommand):
    """
    Runs the Gemini CLI without a terminal, every tool approved, in a home of its own.

    It tells no dollars. It can't ask by itself; `fairtrial-ask` is on its PATH.
    """

    tool: ClassVar[Tool] = Tool(
        name="gemini",
        program="gemini",
        package="@google/gemini-cli (npm)",
        keys=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        addresses=("GOOGLE_GEMINI_BASE_URL",),
        oldest=(0, 40, 0),
        sessions=(SESSIONS,),
    )

    web: bool = False
    """Whether it may search the web and fetch pages."""

    max_turns: int | None = field(default=None, validator=optional(ge(1)))
    """Most turns of one attempt; what is on disk then is graded all the same."""

    provider_retries: int = field(default=3, validator=ge(0))
    """How often it tries a request again by itself; its own default can take minutes."""

    def launch(self, brief: Brief, place: Place, /) -> Launch:
        """Writes its settings, since it can't show a dialog, and gives it the prompt."""
        settings = place.home / ".gemini" / "settings.json"
        settings.parent.mkdir(exist_ok=True)
        settings.write_text(json.dumps(self._settings(place)), encoding="utf-8")
        model = (f"--model={self.model}",) if self.model else ()
        return Launch(
            argv=("--output-format=stream-json", "--approval-mode=yolo", *model, *self.args),
            env={
                # Without trust, its approval mode is set back without a word.
                "GEMINI_CLI_TRUST_WORKSPACE": "true",
                "GEMINI_CLI_NO_RELAUNCH": "true",
                "NO_COLOR": "1",
            },
            stdin=brief.prompt.encode(errors="replace"),
        )

    def transcript(self) -> GeminiTranscript:
        """Returns a parser of its stream."""
        return GeminiTranscript()

    def settle(self, transcript: Transcript, place: Place, /) -> None:
        """Reads its session files: thoughts are apart there, and a killed run is counted too."""
        for path in session_files(place.home, (SESSIONS,)):
            for row in documents(path):
                if row.get("type") == "gemini" and row.get("tokens"):
                    # A later row of the same id stands in the place of an earlier one.
                    transcript.tokens.tell(text(row, "id"), call_usage(row))

    def aside(self, stderr: str, /) -> Iterator[str]:
        """Yields a line for each request that it tried again; its stream is silent about them."""
        for found in _AGAIN.finditer(stderr):
            yield f"request tried again: {' '.join(found['why'].split())}"

    def exited(self, code: int, stderr: str, /) -> Failure | None:
        """Says what its exit status means, as far as it is documented."""
        if code in _NOT_BEGUN:
            return never_began(f"{_NOT_BEGUN[code]} (exit status {code}): {stderr}")
        if code == _TURNS:
            message = "it used all of its turns"
            return Failure(message=message, ending=Ending.FINISHED, limit="turns")
        return crash(f"a tool failed for good: {stderr}") if code == _FATAL_TOOL else None

    def _settings(self, place: Place) -> dict[str, object]:
        vertex = place.env.get("GOOGLE_GENAI_USE_VERTEXAI", "").lower() in {"1", "true"}
        return {
            "security": {
                "auth": {"selectedType": "vertex-ai" if vertex else "gemini-api-key"},
                "folderTrust": {"enabled": False},
            },
            "general": {
                "disableAutoUpdate": True,
                "enableAutoUpdate": False,
                "maxAttempts": self.provider_retries + 1,
            },
            "model": {"maxSessionTurns": self.max_turns or -1},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "tools": {"exclude": [] if self.web else _WEB_TOOLS},
        }


_: type[Solver] = GeminiSolver
