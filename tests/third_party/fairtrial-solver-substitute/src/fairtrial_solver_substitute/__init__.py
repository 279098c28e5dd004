"""A solver that replaces text by text, in every file of a suffix."""

from collections.abc import Mapping
from pathlib import Path

from attrs import field, frozen
from fairtrial.api import Attempt, Ending, Session, Solver, ToolCall, UserMessage


@frozen(kw_only=True)
class SubstituteSolver:
    """Knows beforehand what is wrong."""

    replacements: Mapping[str, str] = field(factory=dict)
    """New text by old text."""

    suffix: str = ".py"
    """The suffix of the files that it looks at."""

    def solve(self, session: Session, /) -> Attempt:
        """Replaces what it knows."""
        session.record(UserMessage(id="initial", text=session.brief.prompt))
        root = session.workspace.root
        changed = [path for path in sorted(root.rglob(f"*{self.suffix}")) if self._mend(path)]
        for number, path in enumerate(changed, start=1):
            name = path.relative_to(root).as_posix()
            session.record(
                ToolCall(tool_call_id=str(number), name="Edit", input={"file_path": name})
            )
        return Attempt(ending=Ending.FINISHED, agent_version="2.1.0")

    def _mend(self, path: Path) -> bool:
        if path.is_symlink() or not path.is_file():
            return False
        before = after = path.read_text(encoding="utf-8", errors="surrogateescape")
        for old, new in self.replacements.items():
            after = after.replace(old, new)
        if after != before:
            path.write_text(after, encoding="utf-8", errors="surrogateescape")
        return after != before


_: type[Solver] = SubstituteSolver
