"""One reply as the forms render it, and the tools that a step calls, fitted to the request."""

import itertools
import json
from collections.abc import Iterator, Mapping

from attrs import frozen

from fairtrial.conformance.models.asked import Asked
from fairtrial.conformance.models.script import Call, ScriptedUsage, Step

SHELLS = (
    "Bash",
    "bash",
    "run_shell_command",
    "exec_command",
    "shell_command",
    "shell",
    "local_shell",
)
"""Names under which agents offer a shell."""
_LINES = ("command", "cmd", "script", "code")


@frozen(kw_only=True)
class Reply:
    """
    What one request is answered with, ready to be rendered.

    Attributes:
        number: Makes ids; no two replies of a server have the same.
        model: The model's name.
        step: What is said.
        calls: The tools that are called.
        usage: Tokens; None where the reply tells none.
    """

    number: int
    model: str
    step: Step
    calls: tuple[Call, ...]
    usage: ScriptedUsage | None

    def call_id(self, place: int) -> str:
        """Returns the id of one of its calls."""
        return f"call_{self.number:06d}_{place}"

    def texts(self) -> Iterator[str]:
        """Yields the text in the pieces of a stream."""
        return pieces(self.step.text, self.step.pieces)


def pieces(text: str, count: int) -> Iterator[str]:
    """Cuts a text into at most `count` parts of about the same length, none empty."""
    size = max(1, -(-len(text) // count))
    return (text[start : start + size] for start in range(0, len(text), size))


def fitted(step: Step, asked: Asked) -> tuple[Call, ...] | None:
    """Returns the calls of a step for the tools that are offered; None where they don't fit."""
    if step.acts and not asked.tools:
        return None
    if not step.shell:
        return step.calls
    name = next((shell for shell in SHELLS if shell in asked.tools), None)
    if name is None:
        return None
    return (*step.calls, Call(name=name, arguments=_arguments(step.shell, asked.tools[name])))


def compact(value: object) -> str:
    """Returns JSON without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def event(data: object, name: str = "") -> bytes:
    """Returns one server-sent event."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {compact(data)}\n\n".encode()


def counter() -> Iterator[int]:
    """Yields the numbers of replies."""
    return itertools.count(1)


def _arguments(line: str, schema: Mapping[str, object]) -> dict[str, object]:
    """Puts a shell line where the tool wants it, and a word wherever it wants a text besides."""
    properties = schema.get("properties")
    about = properties if isinstance(properties, Mapping) else {}
    place = next((key for key in _LINES if key in about), "command")
    found = about.get(place)
    kind = found.get("type") if isinstance(found, Mapping) else None
    needed = schema.get("required")
    arguments: dict[str, object] = {
        str(key): "scripted"
        for key in (needed if isinstance(needed, list) else [])
        if key != place and _is_text(about.get(key))
    }
    arguments[place] = ["bash", "-lc", line] if str(kind).lower() == "array" else line
    return arguments


def _is_text(about: object) -> bool:
    return isinstance(about, Mapping) and str(about.get("type", "string")).lower() == "string"
