"""
Which counters may be added: each part of the machine is counted once.

Counters overlap: a package holds its cores, a platform counter holds the packages, a Grace Hopper
module holds the CPU. Each counter names the atoms that it covers; a sum takes counters whose atoms
are disjoint, measured ones first, then the ones that cover most.
"""

from collections.abc import Mapping, Sequence

from attrs import frozen

from fairtrial.api.reading import Counter, Label
from fairtrial.energy.labels import STRENGTH

PLATFORM = "board"
"""Atom of what only a platform counter (`psys`) covers."""


@frozen(kw_only=True)
class Choice:
    """
    Counters to add, and what became of the others.

    Attributes:
        chosen: Keys of counters with disjoint atoms.
        rejected: Keys of the others, each with the key of the counter that overlaps it.
    """

    chosen: tuple[str, ...]
    rejected: Mapping[str, str]


def overlap(one: str, other: str) -> bool:
    """Returns whether two atoms share a part of the machine."""
    return covers(one, other) or covers(other, one)


def covers(whole: str, part: str) -> bool:
    """
    Returns whether one atom holds all of another (`pkg0` holds `pkg0/core`).

    `host` holds all that is not a GPU, so that a simple meter need not name its parts.
    """
    if whole == "host":
        return not part.startswith(("gpu", "*"))
    if whole.endswith("*"):
        return part.startswith(whole[:-1])
    return part == whole or part.startswith(f"{whole}/")


def choose(counters: Mapping[str, Counter]) -> Choice:
    """
    Picks counters that may be added.

    Args:
        counters: By key; labels as the core granted them.

    Returns:
        Measured before estimated, larger coverage before smaller, counters of energy before
        those of power, stronger label, larger modulus (the same zone is often offered twice), then by key.
    """
    everything = frozenset[str]().union(*(counter.atoms for counter in counters.values()))

    def rank(key: str) -> tuple[bool, int, bool, int, int, str]:
        counter = counters[key]
        reach = sum(any(covers(atom, part) for atom in counter.atoms) for part in everything)
        estimated = counter.label in {Label.ESTIMATOR, Label.UNAVAILABLE}
        return (
            estimated,
            -reach,
            counter.is_power,
            STRENGTH.index(counter.label),
            -(counter.modulus or 0),
            key,
        )

    chosen: list[str] = []
    rejected: dict[str, str] = {}
    for key in sorted(counters, key=rank):
        rival = next((own for own in chosen if shares(counters[own], counters[key])), None)
        if rival is None:
            chosen.append(key)
        else:
            rejected[key] = rival
    return Choice(chosen=tuple(chosen), rejected=rejected)


def shares(one: Counter, other: Counter) -> bool:
    """Returns whether two counters have a part of the machine in common."""
    return any(overlap(atom, part) for atom in one.atoms for part in other.atoms)


def is_platform(counter: Counter) -> bool:
    """Returns whether this is a vendor's platform counter, which can be less than its parts."""
    return PLATFORM in counter.atoms and counter.label is not Label.ESTIMATOR


def mirrored(one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]) -> bool | None:
    """
    Tells whether two dies' counters show one and the same package.

    Some AMD parts repeat a package's counter for each of its dies. Real dies differ by more than
    one part in a thousand over a second.

    Args:
        one: For each interval, counts and the counts that one update can be worth.
        other: The same intervals of the other die.

    Returns:
        None where fewer than two intervals counted anything, so that nobody can tell.
    """
    pairs = [
        (left, right, 2 * max(tick, other_tick, 1))
        for (left, tick), (right, other_tick) in zip(one, other, strict=True)
        if left > 0 or right > 0
    ]
    if len(pairs) < 2:  # noqa: PLR2004 - one equal interval may be chance
        return None
    return all(abs(a - b) <= max(0.001 * max(a, b), slack) for a, b, slack in pairs)
