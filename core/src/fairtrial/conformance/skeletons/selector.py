"""A selector for fairtrial: the attempt that changed the fewest files."""

from attrs import frozen

from fairtrial.api import SelectionSession, Selector


@frozen(kw_only=True)
class EchoSelector:
    """Picks the attempt with the fewest changed paths; one that changed nothing comes last."""

    skip_unchanged: bool = True
    """Whether an attempt that changed nothing comes last, and not first."""

    def select(self, session: SelectionSession, /) -> int | None:
        """Picks an attempt; the first of several that are as good."""

        def rank(place: int) -> tuple[bool, int]:
            changed = session.candidates[place].changed
            return self.skip_unchanged and not changed, len(changed)

        return session.candidates[min(range(len(session.candidates)), key=rank)].rollout


_: type[Selector] = EchoSelector
