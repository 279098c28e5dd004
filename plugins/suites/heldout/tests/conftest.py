"""A work tree with a suite of one Python task, and a held-out set beside it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import frozen
from fairtrial_suite_folder import FolderSuite
from fairtrial_suite_heldout import HeldoutSuite
from fairtrial_suite_heldout.keeping import Keeper

RIGHT = "def double(n):\n    return n * 2\n"
WRONG = "def double(n):\n    return n + 2\n"
VISIBLE = "from twice import double\nassert double(3) == 6\n"
COMPANION = "from twice import double\n\n\ndef test_others():\n    assert double(7) == 14\n"


@frozen
class Place:
    root: Path
    set: Path
    cache: Path

    @property
    def keeper(self) -> Keeper:
        return Keeper(directory=self.set, root=self.root)

    @property
    def inner(self) -> FolderSuite:
        return FolderSuite(path=self.root / "tasks", cache=self.cache)

    @property
    def suite(self) -> HeldoutSuite:
        return HeldoutSuite(inner=self.inner, companions=self.set, root=self.root, timeout_s=20.0)

    def companion(self, text: str = COMPANION, family: str = "twice") -> None:
        source = self.root.parent / "more.py"
        source.write_text(text)
        self.keeper.add(family, source)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    root = tmp_path / "work"
    task = root / "tasks/twice"
    for path, text in {
        "task.toml": (
            'name = "twice"\nprompt = "double(n) must be n times two"\nstack = "python"\n'
            'check = "check/check.py"\n'
        ),
        "before/pyproject.toml": '[project]\nname = "twice"\nversion = "1"\n',
        "before/twice.py": WRONG,
        "reference/twice.py": RIGHT,
        "check/check.py": VISIBLE,
    }.items():
        (task / path).parent.mkdir(parents=True, exist_ok=True)
        (task / path).write_text(text)
    return Place(root=root, set=tmp_path / "set", cache=tmp_path / "cache")


MakeCompanion = Callable[..., None]
