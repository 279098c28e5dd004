"""What a solver did in one trial: how it ended, and the tree that it left."""

import enum
from pathlib import PurePosixPath

from attrs import field, frozen
from attrs.validators import ge

from fairtrial.api.usage import Usage


class Ending(enum.StrEnum):
    """How an attempt came to its end."""

    FINISHED = "finished"
    TIMED_OUT = "timed-out"
    """A limit of time fired; what is on disk is graded all the same, but can't pass."""
    OVER_BUDGET = "over-budget"
    CRASHED = "crashed"
    """The agent's own failure; graded on what is on disk."""
    INFRA = "infra"
    """Ours or the provider's fault: shown apart, never a failure of the agent."""
    INTERRUPTED = "interrupted"
    """The user stopped the run while the attempt was under way."""
    SKIPPED = "skipped-budget"
    """Never started, since it could not be paid for."""


@frozen(kw_only=True)
class Attempt:
    """
    What a solver returns.

    Attributes:
        ending: How it ended, as far as the solver can tell; the engine may overrule it.
        limit: Which limit fired, in a machine word (`timeout`, `idle`, `output`); else empty.
        submission: Where the work was delivered: `branch:NAME` for a branch of the repository in
            the workspace, or an address that the suite can fetch, such as a pull request's; None
            where the tree that was left is the delivery.
        usage: Tokens and dollars, one entry a model, as the agent itself tells them.
        model: The model that did the work, where one can be named.
        agent_version: The agent's version as it prints it.
        note: One line for a reader, such as why it crashed.
    """

    ending: Ending
    limit: str = ""
    submission: str | None = None
    usage: tuple[Usage, ...] = ()
    model: str | None = None
    agent_version: str | None = None
    note: str = ""


@frozen(kw_only=True)
class Change:
    """
    One path that differs from the tree the solver was given.

    Attributes:
        path: Relative to the workspace, with forward slashes, never absolute, never with `..`.
        after: The new bytes; None where the path was deleted or is a link.
        mode: Permission bits of a regular file.
        link: The target of a symbolic link, as written; else None.
    """

    path: PurePosixPath
    after: bytes | None
    mode: int = field(default=0o644, validator=ge(0))
    link: str | None = None

    @property
    def deleted(self) -> bool:
        """Whether nothing is left at the path."""
        return self.after is None and self.link is None


@frozen(kw_only=True)
class Patch:
    """The difference between two trees, by content; ordered by path."""

    changes: tuple[Change, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything changed."""
        return bool(self.changes)

    @property
    def paths(self) -> tuple[str, ...]:
        """The changed paths, as text."""
        return tuple(str(change.path) for change in self.changes)
