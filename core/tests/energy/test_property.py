"""For random power, samplings, wraps and resets: the truth, or nothing."""

import itertools
import math
from fractions import Fraction

from fairtrial.api import Boundary, Counter, Label
from fairtrial.energy.deltas import NS, Sample, delta
from fairtrial.energy.gross import gross
from fairtrial.energy.log import Log, Snapshot
from hypothesis import given, settings
from hypothesis import strategies as st

CAP_W = 400
UJ_PER_MS_AT_CAP = CAP_W * 1000

# (milliseconds, milliwatts): an interval between two readings
stretches = st.lists(
    st.tuples(st.integers(1, 60_000), st.integers(0, CAP_W * 1000)), min_size=1, max_size=12
)


def counter(modulus: int | None, **more: object) -> Counter:
    return Counter(
        id="pkg0",
        microjoules_per_count=1.0,
        modulus=modulus,
        atoms=frozenset({"pkg0"}),
        label=Label.HARDWARE_SHUNT,
        boundary=Boundary.HOST,
        sensor="vr-telemetry",
        max_watts=float(CAP_W),
        **more,
    )


def climb(parts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Returns milliseconds and true microjoules at each reading."""
    points = [(0, 0)]
    for length_ms, milliwatts in parts:
        at_ms, total = points[-1]
        points.append((at_ms + length_ms, total + length_ms * milliwatts))
    return points


@settings(max_examples=300, deadline=None)
@given(
    parts=stretches,
    modulus=st.integers(10**6, 7 * 10**10),
    times=st.one_of(st.none(), st.fractions(Fraction(1, 4), 4)),
    start=st.integers(0, 10**11),
)
def test_wraps_give_the_truth_or_say_that_it_is_a_lower_bound(
    parts, modulus, times, start
) -> None:
    """A range may be anything, or about what can be counted between two readings."""
    if times is not None:
        modulus = math.ceil(max(length for length, _ in parts) * UJ_PER_MS_AT_CAP * times)
    points = climb(parts)
    truth = points[-1][1]
    samples = [
        Sample(at_ns=at_ms * 1_000_000, count=(start + total) % modulus) for at_ms, total in points
    ]

    found = delta(samples, counter(modulus))

    assert found.microjoules is not None
    if found.at_least:
        assert found.microjoules <= truth
    else:
        assert truth == found.microjoules


@settings(max_examples=300, deadline=None)
@given(
    parts=stretches.filter(lambda parts: len(parts) > 1),
    modulus=st.one_of(st.none(), st.integers(6 * 10**10, 3 * 10**11)),
    height=st.integers(0, 10**10),
    data=st.data(),
)
def test_a_reset_gives_nothing_and_never_a_wrong_figure(parts, modulus, height, data) -> None:
    """A reset that leaves room for doubt: the counter stood higher than it can climb again."""
    points = climb(parts)
    at = data.draw(st.integers(1, len(points) - 1))
    reach = (points[at][0] - points[at - 1][0]) * UJ_PER_MS_AT_CAP
    start = max(reach, *(b - a for (_, a), (_, b) in itertools.pairwise(points))) + 1 + height
    if modulus is not None:
        start = min(start, modulus - reach - 1 - points[-1][1])
        if start <= reach:
            return  # so close to its range that a reset looks like a wrap
    counts = [
        start + total if index < at else total - points[at - 1][1]
        for index, (_, total) in enumerate(points)
    ]
    samples = [
        Sample(at_ns=at_ms * 1_000_000, count=count)
        for (at_ms, _), count in zip(points, counts, strict=True)
    ]

    found = delta(samples, counter(modulus))

    assert found.microjoules is None or found.at_least


@settings(max_examples=300, deadline=None)
@given(
    powers=st.lists(st.integers(80, 125), min_size=1, max_size=8),
    lag=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    updates=st.integers(9, 500),
)
def test_a_slow_counter_is_right_within_three_uncertainties(powers, lag, updates) -> None:
    """Each end shows the counter as it was at its last update, somewhere in one update before."""
    update_s = 0.1
    wall_s = updates * update_s
    share_s = wall_s / len(powers)
    truth = sum(watts * share_s for watts in powers)
    begin = -powers[0] * lag[0] * update_s
    end = truth - powers[-1] * lag[1] * update_s
    key = "m/pkg0"
    log = Log(counters={key: counter(None, update_s=update_s)})
    for at_s, joules in ((0.0, begin), (wall_s, end)):
        at, count = round(at_s * NS), round((joules + 100) * 1e6)
        log.snapshots.append(
            Snapshot(before_ns=at, after_ns=at, boot_ns=at, counts={key: (count, at, at)})
        )

    (figure,) = gross(log, 0, 1)

    assert "below-floor" not in figure.flags
    assert figure.microjoules is not None
    assert figure.u_uj is not None
    assert abs(figure.microjoules / 1e6 - truth) <= 3 * figure.u_uj / 1e6
