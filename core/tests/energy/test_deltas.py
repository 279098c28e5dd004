import pytest
from fairtrial.energy.deltas import NS, Delta, Sample, cap_w, delta

R_INTEL = 262143328850
R_AMD = 65532610987


def samples(*points: tuple[float, int]) -> list[Sample]:
    return [Sample(at_ns=round(at_s * NS), count=count) for at_s, count in points]


def said(found: Delta) -> tuple[int | None, tuple[str, ...]]:
    return found.microjoules, found.flags


def test_v1_a_plain_bracket_is_the_difference(counter) -> None:
    assert (100_000_000, ()) == said(delta(samples((0, 1_000_000), (10, 101_000_000)), counter()))


def test_v2_a_wrap_is_undone_with_the_counters_own_range(counter) -> None:
    found = delta(samples((0, 262142328850), (10, 4_000_000)), counter())

    assert (5_000_000, ("wrapped",)) == said(found)


def test_row_3_and_v2_a_wrap_is_undone_within_a_millisecond_too(counter) -> None:
    found = delta(samples((0, R_INTEL - 100), (0.001, 400)), counter())

    assert (500, ("wrapped",)) == said(found)


def test_v3_a_reset_is_no_wrap_because_nothing_draws_six_kilowatts(counter) -> None:
    found = delta(samples((0, 200 * 10**9), (10, 3 * 10**6)), counter())

    assert (None, ("counter-reset",)) == said(found)


def test_v3b_a_reset_in_a_long_bracket_is_only_a_lower_bound(counter) -> None:
    found = delta(samples((0, 200 * 10**9), (600, 3 * 10**6)), counter())

    assert (62_146_328_850, ("wrapped", "wrap-ambiguous")) == said(found)
    assert found.at_least


def test_v3c_a_keepalive_finds_the_reset_of_a_long_bracket(counter) -> None:
    found = delta(samples((0, 200 * 10**9), (590, 212 * 10**9), (600, 3 * 10**6)), counter())

    assert found.microjoules is None
    assert "counter-reset" == found.flags[-1]


def test_v4_a_step_back_without_a_range_is_unknown_and_not_zero(counter) -> None:
    found = delta(samples((0, 4 * 10**9), (10, 10**4)), counter(modulus=None))

    assert (None, ("wrap-uncorrectable",)) == said(found)


def test_v8_each_zone_is_unwrapped_by_itself(counter) -> None:
    wrapped = delta(samples((0, R_INTEL - 10**6), (10, 4 * 10**6)), counter("pkg0"))
    plain = delta(samples((0, 0), (10, 80 * 10**6)), counter("pkg1"))

    assert [5_000_000, 80_000_000] == [wrapped.microjoules, plain.microjoules]


def test_v8b_two_wraps_in_one_bracket_are_ambiguous(counter) -> None:
    amd = counter(modulus=R_AMD, max_watts=400.0)

    found = delta(samples((0, 60 * 10**9), (500, 10 * 10**9)), amd)

    assert (15_532_610_987, ("wrapped", "wrap-ambiguous")) == said(found)


def test_v8b_keepalives_find_both_wraps(counter) -> None:
    amd = counter(modulus=R_AMD, max_watts=400.0)
    counts = [60 * 10**9 + add - wraps * R_AMD for add, wraps in _AMD_CLIMB]

    found = delta(samples(*zip((0, 100, 250, 300, 350, 400), counts, strict=True)), amd)

    assert (80_000_000_000, ("wrapped",)) == said(found)


_AMD_CLIMB = [
    (0, 0),
    (20 * 10**9, 1),
    (50 * 10**9, 1),
    (60 * 10**9, 1),
    (70 * 10**9, 1),
    (80 * 10**9, 2),
]


def test_v13_a_gpus_millijoules_become_joules(counter) -> None:
    gpu = counter("gpu0", microjoules_per_count=1000.0, modulus=None)

    found = delta(samples((0, 123_456_000_000), (3, 123_456_789_000)), gpu)

    assert 789_000_000 == found.microjoules


def test_v14_a_spike_is_implausible(counter) -> None:
    found = delta(samples((0, 0), (10, 3 * 10**12)), counter(modulus=None))

    assert (None, ("implausible-power",)) == said(found)


def test_v14_a_driver_that_was_loaded_again_leaves_no_figure(counter) -> None:
    gpu = counter("gpu0", microjoules_per_count=1000.0, modulus=2**64 - 1)

    found = delta(samples((0, 5 * 10**9), (1, 1200)), gpu)

    assert (None, ("counter-reset",)) == said(found)


@pytest.mark.parametrize("modulus", [None, 2**64 - 1])
def test_row_37_a_dip_of_one_reading_is_left_out(counter, modulus) -> None:
    card = counter("gpu0", modulus=modulus)
    found = delta(samples((0, 22 * 10**12), (10, 2 * 10**8), (20, 22_000_300_000_000)), card)

    assert (300_000_000, ("dip-dropped",)) == said(found)


def test_a_real_reset_is_never_taken_for_a_dip(counter) -> None:
    found = delta(samples((0, 10**6), (10, 0), (20, 2 * 10**6)), counter(modulus=None))

    assert (None, ("wrap-uncorrectable",)) == said(found)


def test_row_38_memory_has_a_cap_of_its_own(counter) -> None:
    found = delta(samples((0, 0), (10, 2002 * 10**6)), counter("dram0"))

    assert (None, ("implausible-power",)) == said(found)


def test_a_named_cap_is_used_before_the_default(counter) -> None:
    assert [60.0, 1000.0, 100.0] == [
        cap_w(counter(max_watts=60.0)),
        cap_w(counter()),
        cap_w(counter("dram0")),
    ]


def test_a_slow_counter_may_show_a_whole_update_at_once(counter) -> None:
    slow = counter(update_s=2.1, max_watts=50.0)

    found = delta(samples((0, 0), (0.001, 40 * 10**6)), slow)

    assert (40_000_000, ()) == said(found)


def test_a_clock_that_runs_backwards_leaves_no_figure(counter) -> None:
    found = delta(samples((10, 0), (9, 5)), counter())

    assert (None, ("clock-backwards",)) == said(found)


@pytest.mark.parametrize("points", [(), ((0, 5),)])
def test_one_reading_is_no_interval(counter, points) -> None:
    assert (None, ("missing-reading",)) == said(delta(samples(*points), counter()))


def test_fractions_of_a_microjoule_are_counted_exactly(counter) -> None:
    perf = counter(microjoules_per_count=1e6 / 2**32, modulus=None)

    found = delta(samples((0, 0), (10, 2**32 * 7)), perf)

    assert 7_000_000 == found.microjoules


@pytest.mark.parametrize(("seconds", "flags"), [(9.9, ()), (10.1, ("wrap-ambiguous",))])
def test_a_second_wrap_is_thought_of_as_soon_as_the_cap_allows_a_whole_range(
    counter, seconds, flags
) -> None:
    small = counter(modulus=4 * 10**9, max_watts=400.0)

    assert (5, flags) == said(delta(samples((0, 0), (seconds, 5)), small))


def test_a_reading_far_off_is_not_left_out_beside_a_wrap(counter) -> None:
    points = samples((0, R_INTEL - 10**6), (10, 130 * 10**9), (20, 4 * 10**6))

    assert (None, ("counter-reset",)) == said(delta(points, counter()))


def test_memory_behind_two_sockets_may_draw_twice_as_much(counter) -> None:
    assert 200.0 == cap_w(counter("dram", atoms=frozenset({"dram0", "dram1"})))


def test_the_highest_power_between_two_samples_is_told(counter) -> None:
    climb = samples((0, 0), (10, 100 * 10**6), (20, 500 * 10**6), (30, 510 * 10**6))

    assert 40.0 == delta(climb, counter()).peak_w
