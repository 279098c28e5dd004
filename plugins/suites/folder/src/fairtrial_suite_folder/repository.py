"""
A fresh repository around a tree: one commit, and nothing else that git could find.

It is written here, byte for byte, and no git runs: so there is no hook, filter, template or setting
of anybody's that could run or be obeyed, and the same tree gives the same bytes each time.
The forms are those of git's own documentation: `gitformat-index`, `gitrepository-layout`, and
“Git Internals – Git Objects” of the book.
"""

import hashlib
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from fairtrial.api.errors import SuiteError

from fairtrial_suite_folder.tree import Leaf, Tree, lay

BRANCH = "main"
WHEN = "946684800 +0000"
WHO = "Nobody <nobody@example.invalid>"

# An agent may commit, so that it needs a name; nothing may be packed away or fetched meanwhile.
CONFIG = """\
[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
[user]
\tname = Agent
\temail = agent@example.invalid
[gc]
\tauto = 0
[maintenance]
\tauto = false
"""

_FOLDER = "40000"


def begin(tree: Tree, root: Path, task: str) -> None:
    """
    Makes the tree that was just laid at a root a repository of one commit, and proves it.

    Raises:
        SuiteError: There is something of git's in the tree already.
    """
    git = root / ".git"
    if strange := _strays(root):
        raise _fault(task, strange)
    git.mkdir()
    lay(repository(tree), git)
    for folder in ("objects/info", "objects/pack", "refs/tags"):
        (git / folder).mkdir(parents=True, exist_ok=True)
    if strange := faults(tree, root):
        raise _fault(task, strange)


def faults(tree: Tree, root: Path) -> tuple[str, ...]:
    """
    Returns every file in which git could keep more than the tree's one commit.

    An object, ref, stash, reflog, note, alternate, worktree or module that is not of this commit
    is a file that this commit doesn't need; and so is a second repository further down.
    """
    wanted = {str(path): leaf.data for path, leaf in repository(tree).items()}
    found = {
        path.relative_to(root / ".git").as_posix(): path
        for path in (root / ".git").rglob("*")
        if path.is_symlink() or not path.is_dir()
    }
    changed = [
        name
        for name, data in wanted.items()
        if name not in found or found[name].is_symlink() or found[name].read_bytes() != data
    ]
    strange = [f".git/{name}" for name in sorted({*(found.keys() - wanted.keys()), *changed})]
    return (*strange, *_strays(root))


def _strays(root: Path) -> tuple[str, ...]:
    """Returns repositories, or files that lead to one, other than the root's own."""
    own = root / ".git"
    names = (path for path in root.rglob("*") if path.name.casefold() == ".git")
    return tuple(str(path.relative_to(root)) for path in sorted(names) if path != own)


def repository(tree: Tree) -> dict[PurePosixPath, Leaf]:
    """Returns the files of a `.git` folder whose one commit holds a tree."""
    objects: dict[str, bytes] = {}
    blobs = {path: _object(objects, b"blob", _content(leaf)) for path, leaf in tree.items()}
    top = _folder(objects, _nested(blobs), tree, PurePosixPath())
    text = f"tree {top}\nauthor {WHO} {WHEN}\ncommitter {WHO} {WHEN}\n\nStart\n"
    commit = _object(objects, b"commit", text.encode())
    files = {
        "HEAD": f"ref: refs/heads/{BRANCH}\n".encode(),
        "config": CONFIG.encode(),
        f"refs/heads/{BRANCH}": f"{commit}\n".encode(),
        "index": _index(tree, blobs),
    }
    files |= {f"objects/{name[:2]}/{name[2:]}": data for name, data in objects.items()}
    return {PurePosixPath(name): Leaf(data=data) for name, data in files.items()}


_Node = dict[str, "str | _Node"]


def _nested(blobs: Mapping[PurePosixPath, str]) -> _Node:
    top: _Node = {}
    for path, name in blobs.items():
        here = top
        for part in path.parts[:-1]:
            below = here.setdefault(part, {})
            assert isinstance(below, dict)  # noqa: S101 - no path lies below a file
            here = below
        here[path.name] = name
    return top


def _folder(objects: dict[str, bytes], node: _Node, tree: Tree, place: PurePosixPath) -> str:
    entries = []
    for name, below in node.items():
        if isinstance(below, dict):
            entries.append(
                (name + "/", _FOLDER, name, _folder(objects, below, tree, place / name))
            )
        else:
            entries.append((name, f"{_mode(tree[place / name]):o}", name, below))
    # Git sorts a folder as if its name ended with a slash.
    lines = b"".join(
        f"{mode} ".encode() + _bytes(name) + b"\0" + bytes.fromhex(digest)
        for _, mode, name, digest in sorted(entries, key=lambda entry: _bytes(entry[0]))
    )
    return _object(objects, b"tree", lines)


def _index(tree: Tree, blobs: Mapping[PurePosixPath, str]) -> bytes:
    """Writes version 2 of the index, without a file's times, so that it is the same each time."""
    paths = sorted(tree, key=lambda path: _bytes(str(path)))
    body = struct.pack(">4sLL", b"DIRC", 2, len(paths)) + b"".join(
        _entry(path, tree[path], blobs[path]) for path in paths
    )
    return body + hashlib.sha1(body, usedforsecurity=False).digest()


def _entry(path: PurePosixPath, leaf: Leaf, blob: str) -> bytes:
    name = _bytes(str(path))
    fixed = struct.pack(">6L", 0, 0, 0, 0, 0, 0) + struct.pack(">4L", _mode(leaf), 0, 0, 0)
    entry = fixed + bytes.fromhex(blob) + struct.pack(">H", min(len(name), 0xFFF)) + name
    return entry + b"\0" * (8 - len(entry) % 8)


def _object(objects: dict[str, bytes], kind: bytes, content: bytes) -> str:
    whole = kind + f" {len(content)}".encode() + b"\0" + content
    name = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
    objects.setdefault(name, zlib.compress(whole, 1))
    return name


def _content(leaf: Leaf) -> bytes:
    return leaf.data if leaf.link is None else _bytes(leaf.link)


def _mode(leaf: Leaf) -> int:
    if leaf.link is not None:
        return 0o120000
    return 0o100755 if leaf.executable else 0o100644


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _fault(task: str, strange: tuple[str, ...]) -> SuiteError:
    return SuiteError(
        problem=f"task “{task}”: its tree would come with a history",
        facts=(("found", ", ".join(strange[:5])),),
        way_on="take it out of the task's tree",
        task=task,
    )
