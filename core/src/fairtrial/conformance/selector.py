"""The kit of the kind `selector`."""

from collections.abc import Sequence
from typing import ClassVar

from fairtrial.api import Candidate, Ending, FairtrialError, Selector
from fairtrial.conformance.base import Conformance
from fairtrial.conformance.fakes.selecting import FakeSelectionSession
from fairtrial.conformance.promise import may_only_raise, promise, same
from fairtrial.conformance.watch import watch

ENDINGS = (Ending.FINISHED, Ending.TIMED_OUT, Ending.OVER_BUDGET, Ending.CRASHED)


def attempts(count: int, *, trees: int = 3) -> tuple[Candidate, ...]:
    """Returns attempts that ended in all ways, with some trees in common, the first one empty."""
    return tuple(
        Candidate(
            rollout=rollout,
            ending=ENDINGS[rollout % len(ENDINGS)],
            tree=f"tree {rollout % trees}",
            changed=("answer.txt",) if rollout % trees else (),
            tests_passed=(None, True, False)[rollout % 3],
        )
        for rollout in range(1, count + 1)
    )


def session(candidates: Sequence[Candidate], *, broke: bool = False) -> FakeSelectionSession:
    """Returns a session with these attempts, of which every other one resolved the task."""
    return FakeSelectionSession(
        candidates=candidates,
        diffs={one.rollout: f"+ {one.tree} «é🦊»\n" * one.rollout for one in candidates},
        verdicts={one.rollout: one.rollout % 2 == 0 for one in candidates},
        codes={one.rollout: one.rollout % 2 for one in candidates},
        answers=("2\n",) * len(candidates),
        broke=broke,
    )


class RequiredSelector(Conformance):
    """What every selector promises."""

    kind: ClassVar[str] = "selector"

    def test_it_picks_one_of_those_it_was_given(self, selector: Selector) -> None:
        """It returns a rollout that is among the attempts, or None."""
        for count in (1, 2, 5, 40):
            picked = self._pick(selector, session(attempts(count)))
            promise(picked is None or 1 <= picked <= count, f"of {count}, it picked {picked!r}")

    def test_gaps_in_the_rollouts_are_minded(self, selector: Selector) -> None:
        """An attempt that left no tree is not there; its number is not to be picked."""
        candidates = [one for one in attempts(6) if one.rollout not in {1, 2, 5}]
        picked = self._pick(selector, session(candidates))
        promise(picked in {3, 4, 6, None}, f"it picked {picked!r}, of 3, 4 and 6")

    def test_the_same_attempts_give_the_same_pick(self, selector: Selector) -> None:
        """Neither time nor an earlier call changes what is picked."""
        first, second = (self._pick(selector, session(attempts(7))) for _ in range(2))
        same(first, second, "the same attempts, another pick")

    def test_attempts_that_changed_nothing_can_be_chosen_from(self, selector: Selector) -> None:
        """Where no attempt changed anything, it still comes back."""
        self._pick(selector, session(attempts(4, trees=1)))

    def test_no_money_left_is_told_and_nothing_else(self, selector: Selector) -> None:
        """Where a solver can't be asked, that error is let through; a pick is fine too."""
        with may_only_raise(FairtrialError, words="only a FairtrialError may be raised"):
            try:
                selector.select(session(attempts(5), broke=True))
            except FairtrialError:
                return

    def test_it_touches_nothing_but_its_session(self, selector: Selector) -> None:
        """It reads no file, writes none, starts no program and connects to nothing by itself."""
        self._pick(selector, session(attempts(3)))  # what it imports late is read here
        with watch() as seen:
            self._pick(selector, session(attempts(3)))
        touched = [*seen.read, *seen.written, *seen.children, *seen.connected]
        same([], touched, "it touched the machine")

    def _pick(self, selector: Selector, chosen_from: FakeSelectionSession) -> int | None:
        with may_only_raise(words="a selector must not raise"):
            picked = selector.select(chosen_from)
        promise(picked is None or type(picked) is int, f"{picked!r} is no rollout")
        return picked


class OptionalSelector(RequiredSelector):
    """What a selector promises besides, by its capabilities."""

    is_upper_bound: ClassVar[bool] = False
    """Whether it looks at what the hidden checks said, which no true selector can."""

    def test_it_peeks_only_if_it_says_so(self, selector: Selector) -> None:
        """What the hidden checks said is asked for by a selector that is declared a bound."""
        chosen_from = session(attempts(5))
        self._pick(selector, chosen_from)
        same(self.declared("is_upper_bound"), bool(chosen_from.peeked), "whether it peeks")


class SelectorConformance(OptionalSelector):
    """The kit: give it a fixture `selector`."""
