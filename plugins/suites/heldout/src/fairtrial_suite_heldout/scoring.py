"""Scoring one tree by one companion: laid where its tool chain looks, run, taken out again."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from attrs import frozen
from fairtrial.api.sandbox import EndedBy, Workspace
from fairtrial.stacks import STACKS, Stack, detect, runner_of
from fairtrial.stacks.watched import Expected, watch

PINNED = {"TZ": "UTC", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}


@frozen(kw_only=True)
class Held:
    """
    A companion as it was read before the run.

    Attributes:
        id: Its id.
        content: Its bytes.
    """

    id: str
    content: bytes


def score(held: Held, stack: str, workspace: Workspace, timeout_s: float) -> bool | None:
    """
    Says whether a tree passes a companion; what it prints is read here and thrown away.

    A tree of no known tool chain, or one with a link where the companion belongs, fails, and
    nothing is written through the link. None where no test ran, or its program isn't there.

    Args:
        held: The companion.
        stack: The tool chain as the task names it; empty to look for its marker.
        workspace: Holds the tree, and nobody else was in it.
        timeout_s: Seconds after which it has failed.
    """
    chain = STACKS.get(stack) or detect(workspace.root)
    if chain is None or not _lay(held.content, workspace.root, chain):
        return False
    place = chain.companion.place
    try:
        argv = tuple(part.replace("{check}", str(place)) for part in chain.companion.command)
        return _run(argv, held, chain, workspace, timeout_s)
    except FileNotFoundError:
        return None
    except RecursionError:
        # What the code told, or left in the tree, is nested deeper than anything honest.
        return False
    finally:
        target = workspace.root / place
        # Where the code has put a folder in its place, the companion is gone already.
        with suppress(OSError):
            if not target.parent.is_symlink():
                target.unlink(missing_ok=True)


def _run(
    argv: tuple[str, ...], held: Held, chain: Stack, workspace: Workspace, timeout_s: float
) -> bool | None:
    environment = {**PINNED, **chain.environment}
    text = held.content.decode("utf-8", "replace")
    outcome = watch(
        argv,
        workspace,
        timeout_s=timeout_s,
        env=environment,
        expected=Expected(files={chain.companion.place: text}),
    )
    if outcome is not None:
        return outcome.passed
    return _by_status(argv, workspace, environment, timeout_s)


def _by_status(
    argv: tuple[str, ...], workspace: Workspace, environment: Mapping[str, str], timeout_s: float
) -> bool | None:
    finished = workspace.run(argv, timeout_s=timeout_s, env=environment)
    if finished.ended_by in (EndedBy.INTERRUPT, EndedBy.CALLER):
        return None
    if finished.ended_by is not EndedBy.EXIT or finished.code != 0:
        return False
    runner = runner_of(argv)
    # Code under test that ends the process with status 0 has not passed.
    return runner is None or bool(
        runner.ran((finished.stdout + b"\n" + finished.stderr).decode("utf-8", "replace"))
    )


def _lay(content: bytes, root: Path, chain: Stack) -> bool:
    target = root / chain.companion.place
    folder = root
    for part in chain.companion.place.parent.parts:
        folder /= part
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            return False
        folder.mkdir(exist_ok=True)
    if target.is_symlink() or target.is_dir():
        return False
    target.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(target, flags, 0o644), "wb") as file:
        file.write(content)
    return True
