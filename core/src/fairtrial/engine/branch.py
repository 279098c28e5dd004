"""
A branch of an agent's repository, read without trusting the repository.

Of the agent's `.git` only the name's commit id and the object files are taken, into a bare
repository that the engine has written itself. Git then runs in a clean room, without a network, on
that: no configuration, hook, filter, attribute, alternate or remote of the agent's has any say.
"""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from fairtrial.api import NeedMissing, Workspace
from fairtrial.engine.snapshot import LARGEST_PATCH

NAME = re.compile(r"(?!.*(?:\.\.|//|/\.|\.lock(?:/|$)))[A-Za-z0-9_][A-Za-z0-9_./+-]*(?<![./])")
COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
TIMEOUT_S = 120.0
_LINKS = 5

CONFIG = """\
[core]
\trepositoryformatversion = 0
\tbare = true
\thooksPath = /dev/null
\tfsmonitor = false
\tautocrlf = false
\tsymlinks = true
\tattributesFile = /dev/null
[gc]
\tauto = 0
[maintenance]
\tauto = false
[protocol]
\tallow = never
"""

ATTRIBUTES = "* -text -eol -ident -filter -working-tree-encoding\n"
"""Wins over every `.gitattributes` in the tree, so that bytes come out as they went in."""

ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_TERMINAL_PROMPT": "0",
}


class NoBranch(Exception):
    """The branch can't be had; the message says why, for a reader."""


def commit_of(root: Path, name: str) -> str:
    """
    Returns the commit that a branch of the repository at a root names; runs nothing.

    Raises:
        NoBranch: There is no such repository or branch.
    """
    folder = root / ".git"
    if folder.is_symlink() or not folder.is_dir():
        raise NoBranch("the workspace holds no repository of its own")
    if not NAME.fullmatch(name):
        raise NoBranch(f"“{name}” can't be a branch's name")
    reference = f"refs/heads/{name}"
    for _ in range(_LINKS):
        found = _loose(folder, reference) or _packed(folder, reference)
        if found.startswith("ref: refs/heads/") and NAME.fullmatch(found[16:]):
            reference = found[5:]
            continue
        if COMMIT.fullmatch(found):
            return found
        break
    raise NoBranch(f"the repository in the workspace has no branch “{name}”")


def _loose(folder: Path, reference: str) -> str:
    place = folder
    for part in reference.split("/"):
        place /= part
        if place.is_symlink():
            return ""
    return _text(place, 1000).strip()


def _packed(folder: Path, reference: str) -> str:
    for line in _text(folder / "packed-refs", 2**24).splitlines():
        commit, _, name = line.partition(" ")
        if name == reference:
            return commit
    return ""


def _text(path: Path, most: int) -> str:
    try:
        return (_bytes(path, most) or b"").decode("ascii", "replace")
    except OSError:
        return ""


def _bytes(path: Path, most: int) -> bytes | None:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > most:
            return None
        return file.read(most + 1)


def make_bare(place: Path) -> Path:
    """Writes an empty bare repository of the engine's own, and returns its directory."""
    for folder in ("objects/pack", "refs/heads", "info"):
        (place / folder).mkdir(parents=True)
    (place / "HEAD").write_text("ref: refs/heads/main\n", encoding="ascii")
    (place / "config").write_text(CONFIG, encoding="ascii")
    (place / "info/attributes").write_text(ATTRIBUTES, encoding="ascii")
    return place


def take_objects(objects: Path, bare: Path) -> None:
    """
    Copies the objects of a repository: loose ones and packs, and nothing that points elsewhere.

    Raises:
        NoBranch: They are more than is taken along.
    """
    left = LARGEST_PATCH
    for path, kept in _object_files(objects):
        data = _bytes(path, left)
        if data is None:
            raise NoBranch("its history is larger than what is taken along")
        left -= len(data)
        target = bare / "objects" / kept
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(data)


def _object_files(objects: Path) -> Iterator[tuple[Path, str]]:
    kinds = {"pack": r"pack-[0-9a-f]+\.(pack|idx)"}
    if objects.is_symlink() or not objects.is_dir():
        return
    for folder in sorted(os.listdir(objects)):  # noqa: PTH208 - names only
        pattern = kinds.get(folder, r"[0-9a-f]{38,62}")
        place = objects / folder
        if not re.fullmatch(r"pack|[0-9a-f]{2}", folder) or place.is_symlink():
            continue
        if place.is_dir():
            for name in sorted(os.listdir(place)):  # noqa: PTH208 - names only
                path = place / name
                if re.fullmatch(pattern, name) and path.is_file() and not path.is_symlink():
                    yield path, f"{folder}/{name}"


def check_out(bare: Path, commit: str, workspace: Workspace) -> Path:
    """
    Lays a commit's tree below a clean room's root, and returns the directory.

    Args:
        bare: A repository as `make_bare` makes it, below the workspace's root.
        commit: A full id.
        workspace: Without a network; no solver has been in it.

    Raises:
        NoBranch: The tree can't be read whole.
        NeedMissing: There is no git.
    """
    tree = workspace.root / "tree"
    tree.mkdir()
    where = (f"--git-dir={bare.relative_to(workspace.root)}", "--work-tree=tree")
    steps = (("read-tree", commit), ("checkout-index", "--all", "--force", "--quiet"))
    for step in steps:
        try:
            done = workspace.run(["git", *where, *step], timeout_s=TIMEOUT_S, env=ENVIRONMENT)
        except FileNotFoundError as error:
            raise NeedMissing(
                problem="a branch was delivered, and there is no git to read it with",
                need="git",
                way_on="install git",
            ) from error
        if done.code != 0:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise NoBranch(f"its tree can't be read: {said[-1][:200] if said else 'git died'}")
    return tree
