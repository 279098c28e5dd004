"""What the lines of the Gemini CLI's `stream-json` output mean."""

from collections.abc import Iterable, Iterator

from attrs import define, evolve, field
from fairtrial.agents import Failure, Transcript, canonical, failure
from fairtrial.agents.picking import Json, count, table, text
from fairtrial.agents.tokens import from_google, nothing
from fairtrial.agents.transcript import cut
from fairtrial.api import AssistantText, Ending, Event, LogMessage, ToolCall, ToolResult, Usage

TOOLS = {
    "ask_user": "AskUserQuestion",
    "edit": "Edit",
    "glob": "Glob",
    "google_web_search": "WebSearch",
    "grep_search": "Grep",
    "list_directory": "LS",
    "read_file": "Read",
    "read_many_files": "Read",
    "replace": "Edit",
    "run_shell_command": "Bash",
    "search_file_content": "Grep",
    "web_fetch": "WebFetch",
    "write_file": "Write",
    "write_todos": "TodoWrite",
}
"""Its tools' canonical names."""
_LONGEST_TEXT = 64 * 1024


@define(kw_only=True)
class GeminiTranscript(Transcript):
    """
    Reads `gemini --output-format stream-json`, and pieces its messages together.

    Attributes:
        totals: What its last line says was used, by model; empty until then.
    """

    totals: tuple[Usage, ...] = ()
    _pieces: list[str] = field(factory=list)
    _size: int = 0

    def read(self, document: dict[str, object], /) -> Iterable[Event]:
        """Returns what one line means."""
        kind = document.get("type")
        if kind == "message":
            return self._message(document)
        return [*self.flush(), *self._other(kind, document)]

    def flush(self) -> Iterator[Event]:
        """Yields the message whose pieces came so far."""
        if self._pieces:
            self.result = "".join(self._pieces)
            self._pieces, self._size = [], 0
            yield AssistantText(text=self.result)

    def usages(self) -> tuple[Usage, ...]:
        """Returns what its calls sum up to; where its files tell none, the totals of its stream."""
        return self.tokens.usages() or self.totals

    def _message(self, document: Json) -> Iterable[Event]:
        if text(document, "role") != "assistant":
            return ()
        piece = text(document, "content")
        self._pieces.append(piece)
        self._size += len(piece)
        whole = document.get("delta") is not True or self._size > _LONGEST_TEXT
        return list(self.flush()) if whole else ()

    def _other(self, kind: object, document: Json) -> Iterator[Event]:
        if kind == "init":
            self.model = text(document, "model") or self.model
        elif kind == "tool_use":
            yield ToolCall(
                tool_call_id=text(document, "tool_id"),
                name=canonical(text(document, "tool_name"), TOOLS),
                input=table(document, "parameters"),
            )
        elif kind == "tool_result":
            said = text(document, "output") or text(document, "error", "message")
            yield ToolResult(
                tool_call_id=text(document, "tool_id"),
                output=cut(said),
                is_error=text(document, "status") == "error",
            )
        elif kind == "error":
            level = "error" if text(document, "severity") == "error" else "warn"
            yield LogMessage(level=level, message=text(document, "message"))
        elif kind == "result":
            self._result(document)

    def _result(self, document: Json) -> None:
        self.done = True
        for model, told in table(document, "stats", "models").items():
            if not nothing(told):
                self.totals += (_total(model, told),)
        if text(document, "status") == "error":
            self.failure = _failure(text(document, "error", "message"))


def _failure(message: str) -> Failure:
    """Judges a failure; of some faults of the API it tells no status, only that it is one."""
    judged = failure(message)
    if (
        judged.ending is Ending.CRASHED
        and message.startswith("[API Error: ")
        and "400" not in message
    ):
        return evolve(judged, ending=Ending.INFRA, passing=True)
    return judged


def call_usage(row: Json) -> Usage:
    """
    Returns what one call used, out of a row of a session file.

    There, `input` is the whole prompt, cached part included, and thoughts and the tokens of tools
    are apart from the output.
    """
    told = table(row, "tokens")
    thoughts, tool = count(told, "thoughts"), count(told, "tool")
    spoken = count(told, "output")
    output = None if spoken is None else spoken + (thoughts or 0) + (tool or 0)
    usage = from_google(count(told, "input"), count(told, "cached"), output)
    return evolve(usage, model=text(row, "model") or None, reasoning=thoughts)


def _total(model: str, told: object) -> Usage:
    """
    Returns one model's totals out of the stream's last line.

    There, `input_tokens` is the whole prompt and `output_tokens` only what was spoken: what is
    missing from `total_tokens` are thoughts and tokens of tools, which are billed as output.
    """
    whole, prompt = count(told, "total_tokens"), count(told, "input_tokens")
    spoken = count(told, "output_tokens")
    output = spoken if whole is None or prompt is None else max(0, whole - prompt)
    usage = from_google(prompt, count(told, "cached"), output)
    hidden = None if output is None or spoken is None else max(0, output - spoken)
    return evolve(usage, model=model, reasoning=hidden)
