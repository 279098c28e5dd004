"""What each flag means, in words for a reader, and which ones forbid ranking."""

import re
from collections.abc import Iterable, Mapping

MOST_TOLD = 3
"""Faults of one meter that are told; a counter of garbage shows other garbage at each read."""

VIRTUALISED = "no-counter:virtualised"
"""The word by which a program knows that a machine is virtual and has no counter for that."""

_WORDS = re.compile(rf"\b(?:{VIRTUALISED}|no-counter|unmounted-symlink): ")

PARTIAL = "partial:"
"""How the flag begins that names a part which can't be read."""

REASONS: Mapping[str, str] = {
    "below-floor": "the window is shorter than the counter can tell",
    "below-min-window": "the counter did not move in so short a window",
    "checks-inside": "setting up and grading other trials meanwhile is inside",
    "clock-backwards": "the clock ran backwards between two readings",
    "concurrent-run": "another run was metering this host at the same time",
    "concurrent-trial": "another trial was set up or graded meanwhile",
    "concurrent-window": "another window was open on the same counters",
    "counter-identity-changed": "the counter was gone for a while, or another stood in its place",
    "counter-reset": "the counter began anew inside the window",
    "follows-clock": "the counter claims to measure and only follows the clock",
    "foreign-cpu": "other processes kept the machine busy meanwhile",
    "implausible-power": "the counter climbed faster than the hardware can draw",
    "mirror-unproven": "too few samples to tell whether two dies show one counter",
    "missing-reading": "a reading at the window's edge is missing",
    "sample-gap": "too long a gap between two readings of a power",
    "share-above-host": "the attempt's CPU time is above the whole machine's",
    "share-unknown": "the attempt's CPU time is not known, so nothing can be shared out",
    "shared-counter": "others may have used the same part meanwhile",
    "slow-read": "reading the counters took too long for so short a window",
    "stalled-counter": "the counter stood still although it should have moved",
    "suspended": "the machine slept inside the window",
    "wrap-ambiguous": "the counter may have wrapped more than once between two readings",
    "wrap-uncorrectable": "the counter stepped back and its range is not known",
}
"""Sentences for the flags that take a figure away or out of ranking."""

UNRANKED = frozenset(
    {
        "below-floor",
        "concurrent-run",
        "foreign-cpu",
        "mirror-unproven",
        "shared-counter",
        "slow-read",
        "wrap-ambiguous",
    }
)
"""Flags that leave a figure standing but not comparable: it is shown with `~`."""


def worded(why: str) -> str:
    """Returns why a counter can't be read without the words in it that are for programs."""
    return _WORDS.sub("", why)


def said(flags: Iterable[str]) -> str:
    """Returns the sentences for flags that have one, joined."""
    return "; ".join(filter(None, map(_sentence, flags)))


def _sentence(flag: str) -> str:
    if flag.startswith(PARTIAL):
        return f"{flag.removeprefix(PARTIAL)} can't be read and is not inside"
    return REASONS.get(flag, "")


def told(whys: Iterable[str]) -> str:
    """Returns different faults joined: the first few, and how many others there were."""
    found = list(dict.fromkeys(whys))
    rest = len(found) - MOST_TOLD
    more = [f"and {rest} more of the kind"] if rest > 0 else []
    return "; ".join([*found[:MOST_TOLD], *more])
