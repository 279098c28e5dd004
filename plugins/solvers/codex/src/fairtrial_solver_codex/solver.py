"""How the Codex CLI is started."""

import json
from collections.abc import Iterator
from typing import ClassVar, Literal

from attrs import field, frozen
from attrs.validators import ge
from fairtrial.agents import AgentCommand, Launch, Place, Tool, Transcript
from fairtrial.agents.sessions import session_files
from fairtrial.api import Brief, Solver

from fairtrial_solver_codex.rollouts import rollout_usages
from fairtrial_solver_codex.transcript import CodexTranscript

SESSIONS = ".codex/sessions/**/rollout-*.jsonl"
KEY = "CODEX_API_KEY"
"""The variable that its headless mode reads."""


@frozen(kw_only=True)
class CodexSolver(AgentCommand):
    """
    Runs `codex exec` without its own sandbox and approvals, in a home of its own.

    The run's sandbox stands in their place. It tells no dollars. It can't ask by itself;
    `fairtrial-ask` is on its PATH.
    """

    tool: ClassVar[Tool] = Tool(
        name="codex",
        program="codex",
        package="@openai/codex (npm)",
        keys=("CODEX_API_KEY", "OPENAI_API_KEY"),
        addresses=("OPENAI_BASE_URL",),
        oldest=(0, 118, 0),
        sessions=(SESSIONS,),
    )

    effort: Literal["", "minimal", "low", "medium", "high", "xhigh"] = ""
    """How hard it reasons; empty for the agent's default."""

    web: bool = False
    """Whether it may search the web."""

    provider_retries: int = field(default=3, validator=ge(0))
    """How often it tries a request, or a stream that broke, again by itself."""

    def launch(self, brief: Brief, place: Place, /) -> Launch:
        """Writes its settings, and gives it the prompt on stdin."""
        home = place.home / ".codex"
        home.mkdir(mode=0o700, exist_ok=True)
        (home / "config.toml").write_text("\n".join(self._config(place)) + "\n", encoding="utf-8")
        key = place.env.get(KEY) or place.env.get("OPENAI_API_KEY")
        model = ("--model", self.model) if self.model else ()
        return Launch(
            argv=(
                "exec", "--json", "--color=never", "--skip-git-repo-check",
                "--dangerously-bypass-approvals-and-sandbox", *model, *self.args, "-",
            ),
            env={"CODEX_HOME": str(home), **({KEY: key} if key else {})},
            stdin=brief.prompt.encode(errors="replace"),
        )  # fmt: skip

    def transcript(self) -> CodexTranscript:
        """Returns a parser of its stream."""
        return CodexTranscript(model=self.model or None)

    def settle(self, transcript: Transcript, place: Place, /) -> None:
        """Reads its rollout files: they name models, and count subagents and killed runs."""
        if isinstance(transcript, CodexTranscript):
            transcript.totals = rollout_usages(session_files(place.home, (SESSIONS,)))
            if transcript.totals:
                transcript.model = transcript.totals[0].model or transcript.model

    def _config(self, place: Place) -> Iterator[str]:
        yield "check_for_update_on_startup = false"
        # A login shell reads the system's profile, which sets PATH anew: the task's tools are lost.
        yield "allow_login_shell = false"
        yield f"web_search = {json.dumps('live' if self.web else 'disabled')}"
        if self.effort:
            yield f"model_reasoning_effort = {json.dumps(self.effort)}"
        address = place.env.get("OPENAI_BASE_URL")
        if address:
            yield 'model_provider = "gateway"'
            # Its own provider would try a web socket first, and mind no retries of ours.
            yield "[model_providers.gateway]"
            yield 'name = "gateway"'
            yield f"base_url = {json.dumps(address)}"
            yield f'env_key = "{KEY}"'
            yield 'wire_api = "responses"'
            yield f"request_max_retries = {self.provider_retries}"
            yield f"stream_max_retries = {self.provider_retries}"
        yield "[analytics]"
        yield "enabled = false"


_: type[Solver] = CodexSolver
