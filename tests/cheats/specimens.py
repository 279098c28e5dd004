"""
The gallery as values: dishonest solvers and honest look-alikes, one folder each.

`gallery.toml` is made of them by `scripts/fairness.py`, so that a folder can't be forgotten.
"""

import tomllib
from collections.abc import Iterable
from pathlib import Path

from attrs import frozen

HERE = Path(__file__).parent
PROGRAMS = {".py": "python3", ".sh": "sh", ".mjs": "node"}

HEAD = """\
# The gallery of cheats: every dishonest solver, and every honest one that looks like one, on every
# victim. Made by `uv run python scripts/fairness.py --config` from the folders beside it.
#
#   fairtrial run tests/cheats/gallery.toml
#
# A solver does nothing on a victim of a tool chain that it doesn't know.

[run]
label = "gallery"
suite = "victims"
sandbox = "bubblewrap"
network = "none"
jobs = 2
meters = []
reporters = ["table"]
solvers = [
"""


@frozen(kw_only=True)
class Specimen:
    """
    One solver of the gallery.

    Attributes:
        name: Its folder's name, and its table's.
        honest: Whether it really mends the bug and only looks suspicious.
        does: What it does, in a few words.
        group: The class of the cheat; empty for an honest one.
        seen: Where such a thing was seen in public.
        victims: The tasks on which it does something.
        outcome: What must come of it: `no effect`, `flagged and not resolved`, or `resolved`.
        fence: Whether it is held by a sandbox with a fence, and by nothing else.
        held_by: Why it has no effect, where the record alone doesn't say so.
        program: The file that is run.
    """

    name: str
    honest: bool
    does: str
    group: str = ""
    seen: str = ""
    victims: tuple[str, ...]
    outcome: str
    fence: bool = False
    held_by: str = ""
    program: Path

    @property
    def argv(self) -> tuple[str, ...]:
        """The command line, as `gallery.toml` holds it."""
        if self.honest:
            return ("python3", "{scratch}/mend.py", self.name)
        return (PROGRAMS[self.program.suffix], f"{{scratch}}/{self.program.name}")

    @property
    def files(self) -> Path:
        """The folder that it brings along."""
        return self.program.parents[1] if self.honest else self.program.parent


def dishonest() -> tuple[Specimen, ...]:
    """Returns the cheats, by class and name."""
    found = [_cheat(folder) for folder in _folders("dishonest")]
    return tuple(sorted(found, key=lambda cheat: (cheat.group, cheat.name)))


def honest() -> tuple[Specimen, ...]:
    """Returns the honest look-alikes, by name."""
    return tuple(_honest(folder) for folder in _folders("honest"))


def config(specimens: Iterable[Specimen]) -> str:
    """Returns the run config of all of them."""
    chosen = sorted(specimens, key=lambda one: (one.honest, one.name))
    names = "".join(f'  "{name}",\n' for name in ("reference", "noop", *(s.name for s in chosen)))
    tables = "".join(_table(specimen) for specimen in chosen)
    return f'{HEAD}{names}]\n\n[suites.victims]\nplugin = "folder"\npath = "victims"\n{tables}'


def _table(specimen: Specimen) -> str:
    argv = ", ".join(f'"{word}"' for word in specimen.argv)
    files = specimen.files.relative_to(HERE).as_posix()
    return (
        f'\n[solvers.{specimen.name}]\nplugin = "command"\nfiles = "{files}"\nargv = [{argv}]\n'
    )


def _folders(kind: str) -> list[Path]:
    return sorted(path.parent for path in (HERE / kind).glob("*/*.toml"))


def _cheat(folder: Path) -> Specimen:
    table = tomllib.loads((folder / "cheat.toml").read_text(encoding="utf-8"))
    (program,) = (path for path in folder.glob("cheat.*") if path.suffix in PROGRAMS)
    return Specimen(
        name=folder.name,
        honest=False,
        does=table["does"],
        group=table["class"],
        seen=table["seen"],
        victims=tuple(table["victims"]),
        outcome=table["outcome"],
        fence=table.get("fence", False),
        held_by=table.get("held_by", ""),
        program=program,
    )


def _honest(folder: Path) -> Specimen:
    table = tomllib.loads((folder / "honest.toml").read_text(encoding="utf-8"))
    return Specimen(
        name=folder.name,
        honest=True,
        does=table["does"],
        victims=tuple(table["victims"]),
        outcome="resolved",
        program=folder / "twist.py",
    )
