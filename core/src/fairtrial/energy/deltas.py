"""
How much energy a counter counted between two readings, or why nobody can say.

A counter only goes up until it wraps at its modulus. A step back is a wrap, or the counter began
anew; a cap on the power tells the one from the other, and samples in between keep the cap sharp.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from attrs import frozen

from fairtrial.api.reading import Counter

DEFAULT_CAP_W = 1000.0
"""Power that no package or board reaches; believed only where the meter names no cap itself."""

DRAM_CAP_W = 100.0
"""The same for memory behind one socket: a wrong unit shows as a factor of four or more."""

NS = 1_000_000_000


@frozen(kw_only=True)
class Sample:
    """
    One count and when it was read.

    Attributes:
        at_ns: Monotonic nanoseconds, the middle of the read.
        count: As the counter showed it.
    """

    at_ns: int
    count: int


@frozen(kw_only=True)
class Delta:
    """
    What a counter counted over a window.

    Attributes:
        microjoules: The energy; None where nothing valid can be said.
        flags: What happened on the way, in machine words. Where `microjoules` is None, the last
            one is the reason.
        at_least: Whether `microjoules` is only a lower bound.
        peak_w: The highest mean power between two samples; 0 for fewer than two.
    """

    microjoules: int | None
    flags: tuple[str, ...] = ()
    at_least: bool = False
    peak_w: float = 0.0


@frozen(kw_only=True)
class _Step:
    counts: int | None
    flag: str = ""
    watts: float = 0.0


def cap_w(counter: Counter) -> float:
    """Returns the power in watts above which a counter is not believed."""
    if counter.max_watts is not None:
        return counter.max_watts
    if all(atom.startswith("dram") for atom in counter.atoms):
        return DRAM_CAP_W * len(counter.atoms)
    return DEFAULT_CAP_W


def delta(samples: Sequence[Sample], counter: Counter) -> Delta:
    """
    Adds up what a counter of energy counted from the first sample to the last.

    Args:
        samples: In the order in which they were read; the first and last are the window's edges.
        counter: What was read; its `modulus`, `max_watts` and `update_s` are used.

    Returns:
        The sum with flags: `wrapped`, `wrap-ambiguous` (it may have wrapped more than once
        between two samples, so the sum is a lower bound), `dip-dropped` (one reading was far off
        and the next was not). Without a sum the last flag is `missing-reading`,
        `clock-backwards`, `wrap-uncorrectable`, `counter-reset` or `implausible-power`.
    """
    if len(samples) < 2:  # noqa: PLR2004 - an interval has two ends
        return Delta(microjoules=None, flags=("missing-reading",))
    total, peak_w = 0, 0.0
    flags: dict[str, None] = {}
    left = samples[0]
    for index, right in enumerate(samples[1:], start=1):
        step = _step(left, right, counter)
        if step.counts is None:
            after = samples[index + 1] if index + 1 < len(samples) else None
            if after is None or not _is_outlier(left, right, after, counter):
                return Delta(microjoules=None, flags=(*flags, step.flag))
            flags["dip-dropped"] = None
            continue
        flags |= dict.fromkeys(step.flag.split())
        total += step.counts
        peak_w = max(peak_w, step.watts)
        left = right
    return Delta(
        microjoules=round(total * Fraction(counter.microjoules_per_count)),
        flags=tuple(flags),
        at_least="wrap-ambiguous" in flags,
        peak_w=peak_w,
    )


def _step(left: Sample, right: Sample, counter: Counter) -> _Step:
    """Counts between two samples; without counts, the flag is the reason."""
    span_ns = right.at_ns - left.at_ns
    counts = right.count - left.count
    if span_ns == 0 and counts == 0:
        return _Step(counts=0)
    if span_ns <= 0:
        return _Step(counts=None, flag="clock-backwards")
    flags = []
    most = _most_counts(span_ns, counter)
    if counts < 0:
        if not counter.modulus:
            return _Step(counts=None, flag="wrap-uncorrectable")
        counts += counter.modulus
        if not 0 <= counts <= most:
            return _Step(counts=None, flag="counter-reset")
        flags.append("wrapped")
    if counts > most:
        return _Step(counts=None, flag="implausible-power")
    if counter.modulus and most >= counter.modulus:
        flags.append("wrap-ambiguous")
    watts = counts * counter.microjoules_per_count * 1000 / span_ns
    return _Step(counts=counts, flag=" ".join(flags), watts=watts)


def _most_counts(span_ns: int, counter: Counter) -> int:
    # A counter that is updated every τ can show one update more than the span has room for.
    span_s = span_ns / NS + (counter.update_s or 0.0)
    return math.ceil(cap_w(counter) * span_s * 1e6 / counter.microjoules_per_count)


def _is_outlier(left: Sample, odd: Sample, right: Sample, counter: Counter) -> bool:
    """Whether leaving out `odd` is safe: the climb from it to `right` can't have been real."""
    around = _step(left, right, counter)
    if around.counts is None or around.flag:
        return False
    onward = right.count - odd.count
    return abs(onward) > _most_counts(right.at_ns - odd.at_ns, counter)
