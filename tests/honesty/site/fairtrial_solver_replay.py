"""A solver that replays what an agent once did: its looks, its questions, its edits."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import frozen
from fairtrial.api import (
    AssistantText,
    Attempt,
    Ending,
    Option,
    Question,
    Session,
    Solver,
    ToolCall,
    ToolResult,
    TurnEnd,
    UserMessage,
)


@frozen(kw_only=True)
class ReplaySolver:
    """
    Does in the workspace what its scripts hold for a task, and records it as an agent would.

    Attributes:
        scripts: TOML files; a task is known by the first line of its prompt, and what several
            files hold of it is done one after the other.
    """

    scripts: tuple[Path, ...]

    def solve(self, session: Session, /) -> Attempt:
        """Replays, in order: looks, questions, edits."""
        session.record(UserMessage(id="initial", text=session.brief.prompt))
        title = session.brief.prompt.splitlines()[0]
        for number, step in enumerate(self._steps(title)):
            self._do(session, step, f"call-{number + 1}")
        session.record(AssistantText(text="Done."))
        session.record(TurnEnd(result="Done."))
        return Attempt(ending=Ending.FINISHED)

    def _steps(self, title: str) -> Iterator[Mapping[str, object]]:
        for script in self.scripts:
            table = tomllib.loads(script.read_text(encoding="utf-8"))
            yield from table.get(title, {}).get("steps", [])

    def _do(self, session: Session, step: Mapping[str, object], call: str) -> None:
        if "ask" in step:
            options = step["options"]
            assert isinstance(options, Sequence)
            labels = tuple(Option(label=str(each)) for each in options)
            session.ask(Question(text=str(step["ask"]), options=labels))
        elif "tool" in step:
            given = step["input"]
            assert isinstance(given, Mapping)
            session.record(ToolCall(tool_call_id=call, name=str(step["tool"]), input=given))
            session.record(ToolResult(tool_call_id=call, output=str(step.get("output", ""))))
        else:
            self._edit(session, step, call)

    def _edit(self, session: Session, step: Mapping[str, object], call: str) -> None:
        path, old, new = (str(step[key]) for key in ("edit", "old", "new"))
        place = session.workspace.root / path
        text = place.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{path}: {old!r}"
        given = {"file_path": path, "old_string": old, "new_string": new}
        session.record(ToolCall(tool_call_id=call, name="Edit", input=given))
        place.write_text(text.replace(old, new), encoding="utf-8")
        session.record(ToolResult(tool_call_id=call, output="edited"))


_: type[Solver] = ReplaySolver
