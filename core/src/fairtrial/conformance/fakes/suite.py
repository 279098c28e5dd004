"""Three tasks that are seeded and graded in no time, without a process."""

import hashlib
from collections.abc import Iterable
from pathlib import PurePosixPath

from attrs import frozen

from fairtrial.api import Brief, Change, Check, CheckKind, Patch, Task, Verdict, Workspace

ANSWERS = {"add": "5\n", "length": "4\n", "upper": "ECHO\n"}
QUESTIONS = {
    "add": "Write the sum of 2 and 3 into answer.txt.",
    "length": "Write the number of letters of “echo” into answer.txt.",
    "upper": "Write “echo” in capitals into answer.txt.",
}
ANSWER = "answer.txt"


def sample_task(name: str = "add", **changes: object) -> Task:
    """Returns one of the three tasks, with some fields changed."""
    fields: dict[str, object] = {
        "id": name,
        "family": name,
        "brief": Brief(prompt=QUESTIONS[name], timeout_s=60.0),
        "digest": hashlib.sha256(f"{name}{ANSWERS[name]}".encode()).hexdigest(),
        "protected": ("tests/**",),
        "allowed": (ANSWER,),
    }
    return Task(**{**fields, **changes})  # type: ignore[arg-type]  # attrs checks what it is given


@frozen(kw_only=True)
class ThreeTaskSuite:
    """
    The tasks `add`, `length` and `upper`: one word in `answer.txt` is right.

    Attributes:
        timeout_s: Seconds that each attempt may take.
    """

    timeout_s: float = 60.0

    @property
    def version(self) -> str:
        """Never changes."""
        return "three-1"

    def tasks(self) -> Iterable[Task]:
        """Yields the three."""
        for name, prompt in QUESTIONS.items():
            yield sample_task(name, brief=Brief(prompt=prompt, timeout_s=self.timeout_s))

    def seed(self, task: Task, workspace: Workspace, /) -> None:
        """Lays down an empty answer and a note that is protected."""
        (workspace.root / ANSWER).write_bytes(b"")
        (workspace.root / "tests").mkdir()
        (workspace.root / "tests" / "note.txt").write_text("Nothing to see.\n", encoding="utf-8")

    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        """Compares the answer."""
        place = workspace.root / ANSWER
        given = place.read_text(encoding="utf-8", errors="replace") if place.is_file() else ""
        right = given.strip() == ANSWERS[task.id].strip()
        check = Check(
            name="answer",
            kind=CheckKind.VISIBLE,
            passed=right,
            code="" if right else "hidden-check",
            why="" if right else f"“{given.strip()}” is not the answer",
        )
        return Verdict(checks=(check,), suite_version=self.version)

    def reference(self, task: Task, /) -> Patch | None:
        """Returns the right answer."""
        change = Change(path=PurePosixPath(ANSWER), after=ANSWERS[task.id].encode())
        return Patch(changes=(change,))
