"""The file of answers."""

import tomllib
from pathlib import Path

from attrs import frozen
from fairtrial.api import Question, Task

_KEYS = {"when", "task", "pick", "text"}


@frozen(kw_only=True)
class Line:
    """
    One answer of the file.

    Attributes:
        when: Words that the question or its heading holds; empty for any question.
        task: The task's id; empty for any.
        pick: Words of labels, in order.
        text: Free text.
    """

    when: str = ""
    task: str = ""
    pick: tuple[str, ...] = ()
    text: str = ""

    def fits(self, question: Question, task: Task) -> bool:
        """Whether it is meant for this question of this task."""
        asked = f"{question.header}\n{question.text}".casefold()
        return self.when.casefold() in asked and self.task in {"", task.id}


def read_script(path: Path) -> tuple[Line, ...]:
    """
    Reads the file.

    Raises:
        ValueError: It can't be read, or holds what it mustn't; the message says where.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"“{path}” can't be read: {error.strerror or error}") from error
    except ValueError as error:
        raise ValueError(f"“{path}” is no TOML: {error}") from error
    entries = data.get("answer")
    if not isinstance(entries, list) or data.keys() != {"answer"}:
        raise ValueError(f"“{path}” must hold [[answer]] tables and nothing else")
    return tuple(_line(path, number, entry) for number, entry in enumerate(entries, start=1))


def _line(path: Path, number: int, entry: object) -> Line:
    where = f"“{path}”, answer {number}"
    if not isinstance(entry, dict) or not entry.keys() <= _KEYS:
        raise ValueError(f"{where}: its keys can be {', '.join(sorted(_KEYS))}")
    pick = entry.get("pick", [])
    picked = [pick] if isinstance(pick, str) else pick
    texts = [entry.get(name, "") for name in ("when", "task", "text")]
    if not isinstance(picked, list) or not all(
        isinstance(text, str) for text in (*texts, *picked)
    ):
        raise ValueError(f"{where}: every value must be a text, and `pick` a text or a list")
    if not picked and not texts[2]:
        raise ValueError(f"{where}: it needs `pick` or `text`")
    return Line(when=texts[0], task=texts[1], pick=tuple(picked), text=texts[2])
