"""What a repository may hold that is handed out with a task: one commit, and no past."""

import re
import zlib

from fairtrial.conformance.tree import Tree

PLAIN = re.compile(r"HEAD|config|index|description|info/exclude|refs/heads/[\w.-]+")
LOOSE = re.compile(r"objects/[0-9a-f]{2}/[0-9a-f]{38,62}")


def past_one_commit(tree: Tree) -> list[str]:
    """
    Returns the files of `.git` in which more than one commit could be hidden.

    That is everything but loose objects, one branch and plain settings: packs, logs, tags, stashes,
    notes, alternates, worktrees and modules; and every commit, where there are several.
    """
    files = {
        name.removeprefix(".git/"): content
        for name, (kind, _, content) in tree.items()
        if name.startswith(".git/") and kind != "directory"
    }
    strange = [name for name in files if not (PLAIN.fullmatch(name) or LOOSE.fullmatch(name))]
    branches = [name for name in files if name.startswith("refs/heads/")]
    commits = [name for name in files if LOOSE.fullmatch(name) and _is_commit(files[name])]
    several = [one for found in (branches, commits) if len(found) != 1 for one in found]
    return [f".git/{name}" for name in sorted({*strange, *several})]


def _is_commit(content: bytes) -> bool:
    try:
        return zlib.decompress(content).startswith((b"commit ", b"tag "))
    except zlib.error:
        return True
