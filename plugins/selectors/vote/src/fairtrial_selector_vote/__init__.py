"""A selector for fairtrial: the tree that most attempts agree on, byte by byte."""

from collections import Counter

from attrs import frozen
from fairtrial.api import SelectionSession, Selector


@frozen(kw_only=True)
class VoteSelector:
    """
    Picks the first attempt of the tree that most attempts left.

    Attempts that changed nothing don't vote, unless all did. Of trees with as many votes, the one
    that was there first wins.
    """

    def select(self, session: SelectionSession, /) -> int | None:
        """Picks an attempt."""
        candidates = session.candidates
        voters = [candidate for candidate in candidates if candidate.changed] or candidates
        votes = Counter(candidate.tree for candidate in voters)
        return max(voters, key=lambda one: (votes[one.tree], -one.rollout)).rollout


_: type[Selector] = VoteSelector
