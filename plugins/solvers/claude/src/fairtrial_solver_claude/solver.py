"""How Claude Code is started, and where it keeps what its stream doesn't tell."""

import json
from collections.abc import Iterator
from typing import ClassVar, Literal

from attrs import field, frozen
from attrs.validators import ge, optional
from fairtrial.agents import AgentCommand, Launch, Place, Tool, Transcript
from fairtrial.agents.faults import Failure, failure, never_began
from fairtrial.agents.picking import at, text
from fairtrial.agents.sessions import documents, session_files
from fairtrial.agents.tokens import Tokens, from_anthropic
from fairtrial.api import Brief, Solver

from fairtrial_solver_claude.transcript import ClaudeTranscript

SESSIONS = ".claude/projects/**/*.jsonl"
_QUIET = {
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_TELEMETRY": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    # Root may not pass over permissions unless it says that this is a sandbox.
    "IS_SANDBOX": "1",
}


@frozen(kw_only=True)
class ClaudeSolver(AgentCommand):
    """
    Runs Claude Code without a terminal, all permissions given, in a home of its own.

    Its question tool is answered by the run's answerer. What it says that it cost is `reported`;
    for a model that it doesn't know it takes another one's price, and then the cost is unknown.
    """

    tool: ClassVar[Tool] = Tool(
        name="claude",
        program="claude",
        package="@anthropic-ai/claude-code (npm)",
        keys=("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"),
        addresses=("ANTHROPIC_BASE_URL",),
        oldest=(2, 0, 0),
        sessions=(SESSIONS,),
    )

    effort: Literal["", "low", "medium", "high", "xhigh", "max"] = ""
    """How hard it tries; empty for the agent's default."""

    max_turns: int | None = field(default=None, validator=optional(ge(1)))
    """Most turns of one attempt; what is on disk then is graded all the same."""

    questions: bool = True
    """Whether it may ask; its question tool is offered only then."""

    instructions: str = ""
    """Text that is put after its own system prompt."""

    deny_tools: tuple[str, ...] = ()
    """Tools that it may not use, such as `WebFetch`."""

    provider_retries: int = field(default=3, validator=ge(0))
    """How often it tries a request again by itself; its own default of 10 can take minutes."""

    def launch(self, brief: Brief, place: Place, /) -> Launch:
        """Gives it the prompt as a message of its two-way stream, or as plain text."""
        prompt = brief.prompt.encode(errors="replace")
        return Launch(
            argv=(*self._options(brief), *self.args),
            env={
                **_QUIET,
                **self._models(place),
                "CLAUDE_CONFIG_DIR": str(place.home / ".claude"),
                "CLAUDE_CODE_MAX_RETRIES": str(self.provider_retries),
            },
            stdin=_message(brief.prompt) if self.questions else prompt,
            talks=self.questions,
        )

    def transcript(self) -> ClaudeTranscript:
        """Returns a parser of its stream."""
        return ClaudeTranscript()

    def settle(self, transcript: Transcript, place: Place, /) -> None:
        """
        Reads its session files where the stream has no totals, as after a kill.

        The stream's own figures are those of a message's beginning: their output is not final.
        """
        if not isinstance(transcript, ClaudeTranscript) or transcript.totals:
            return
        told = Tokens()
        for path in session_files(place.home, (SESSIONS,)):
            for row in documents(path):
                model = text(row, "message", "model")
                if row.get("type") == "assistant" and not model.startswith("<"):
                    usage = from_anthropic(at(row, "message", "usage"), model or None)
                    told.tell(text(row, "message", "id") or text(row, "uuid"), usage)
        if told:
            transcript.tokens = told
            transcript.partial = False

    def exited(self, code: int, stderr: str, /) -> Failure | None:
        """Says what it means that it left without a result: by its words, or that it crashed."""
        judged = failure(stderr)
        if "cannot be used with root" in stderr:
            return never_began(stderr)
        return None if judged.ending == "crashed" else judged

    def _options(self, brief: Brief) -> Iterator[str]:
        yield from ("--print", "--verbose", "--output-format=stream-json")
        yield "--permission-mode=bypassPermissions"
        if self.questions:
            yield from ("--input-format=stream-json", "--permission-prompt-tool=stdio")
        if brief.budget_usd is not None:
            yield f"--max-budget-usd={brief.budget_usd:.6f}"
        pairs = {
            "model": self.model,
            "effort": self.effort,
            "max-turns": self.max_turns,
            "append-system-prompt": self.instructions,
            "disallowedTools": ",".join(self.deny_tools),
        }
        yield from (f"--{name}={value}" for name, value in pairs.items() if value)

    def _models(self, place: Place) -> dict[str, str]:
        """Returns what makes a stranger's model serve for all that it asks on the side."""
        if not self.model or "claude" in self.model or "ANTHROPIC_BASE_URL" not in place.env:
            return {}
        tiers = ("OPUS", "SONNET", "HAIKU")
        return {
            **{f"ANTHROPIC_DEFAULT_{tier}_MODEL": self.model for tier in tiers},
            "CLAUDE_CODE_SUBAGENT_MODEL": self.model,
        }


def _message(prompt: str) -> bytes:
    content = {"role": "user", "content": prompt}
    return json.dumps({"type": "user", "message": content}).encode() + b"\n"


_: type[Solver] = ClaudeSolver
