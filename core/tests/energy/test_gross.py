import pytest
from attrs import evolve
from fairtrial.api import Boundary, Label
from fairtrial.energy.deltas import NS
from fairtrial.energy.gross import gross

MODULE = frozenset({"gpu0", "pkg0", "dram0"})
PLATFORM = frozenset({"pkg*", "dram*", "board"})
J = 10**6


def only(log, begin=0, end=1):
    (figure,) = gross(log, begin, end)
    return figure


def test_v5_package_and_memory_make_110_joules(counter, log_of) -> None:
    names = ("pkg0", "pkg0/core", "dram0")
    log = log_of(
        [counter(name) for name in names],
        [
            (0, dict.fromkeys(names, 0)),
            (10, {"pkg0": 100 * J, "pkg0/core": 60 * J, "dram0": 10 * J}),
        ],
    )

    figure = only(log)

    assert (110 * J, ("dram0", "pkg0"), ()) == (
        figure.microjoules,
        figure.coverage,
        figure.flags,
    )


def test_v5_memory_that_can_not_be_read_makes_it_partial(counter, log_of) -> None:
    log = log_of([counter()], [(0, {"pkg0": 0}), (10, {"pkg0": 100 * J})])
    log.missing = {"m": {"dram0": "only root may read it", "pkg0/core": "so is this"}}

    assert (100 * J, ("partial:dram",)) == (only(log).microjoules, only(log).flags)


def test_v6_mirrored_dies_are_counted_once(counter, log_of) -> None:
    dies = ("pkg0/die0", "pkg0/die1")
    rows = [(0, 1), (5, 51), (10, 101)]
    log = log_of(
        [counter(name) for name in dies],
        [(at, dict.fromkeys(dies, joules * J)) for at, joules in rows],
    )

    figure = only(log, 0, 2)

    assert (100 * J, ("mirrored-zone",), ("m/pkg0/die0",)) == (
        figure.microjoules,
        figure.flags,
        figure.keys,
    )


def test_v6_dies_that_differ_are_both_counted(counter, log_of) -> None:
    dies = ("pkg0/die0", "pkg0/die1")
    counts = [(0, 0, 0), (5, 50, 40), (10, 100, 83)]
    log = log_of(
        [counter(name) for name in dies],
        [(at, {"pkg0/die0": left * J, "pkg0/die1": right * J}) for at, left, right in counts],
    )

    assert (183 * J, ()) == (only(log, 0, 2).microjoules, only(log, 0, 2).flags)


def test_v6_two_dies_seen_once_are_marked_as_not_proven(counter, log_of) -> None:
    dies = ("pkg0/die0", "pkg0/die1")
    log = log_of(
        [counter(name) for name in dies],
        [(0, dict.fromkeys(dies, 0)), (10, dict.fromkeys(dies, 50 * J))],
    )

    assert ("mirror-unproven",) == only(log).flags


def psys_log(counter, log_of, psys_j):
    return log_of(
        [counter("psys", atoms=PLATFORM), counter(), counter("pkg0/core")],
        [
            (0, {"psys": 0, "pkg0": 0, "pkg0/core": 0}),
            (10, {"psys": psys_j * J, "pkg0": 100 * J, "pkg0/core": 60 * J}),
        ],
    )


def test_v7_a_platform_counter_that_is_offered_replaces_the_package(counter, log_of) -> None:
    assert 150 * J == only(psys_log(counter, log_of, 150)).microjoules


def test_v7_a_platform_counter_below_its_package_is_not_believed(counter, log_of) -> None:
    figure = only(psys_log(counter, log_of, 80))

    assert (100 * J, ("psys-below-package",)) == (figure.microjoules, figure.flags)


def test_v8_two_sockets_are_added_after_each_was_unwrapped(counter, log_of) -> None:
    log = log_of(
        [counter("pkg0"), counter("pkg1")],
        [
            (0, {"pkg0": 262143328850 - J, "pkg1": 0}),
            (10, {"pkg0": 4 * J, "pkg1": 80 * J}),
        ],
    )

    assert (85 * J, ("wrapped",)) == (only(log).microjoules, only(log).flags)


def test_v12_a_window_below_the_floor_is_marked(counter, log_of) -> None:
    slow = counter("pkg0", update_s=2.1, modulus=None)
    log = log_of([slow], [(0, {"pkg0": 0}), (0.5, {"pkg0": 0}), (1.5, {"pkg0": 0})])
    log.snapshots += log_of([slow], [(4.2, {"pkg0": 80 * J})]).snapshots

    assert (None, "below-min-window") == (
        only(log, 1, 2).microjoules,
        only(log, 1, 2).flags[-1],
    )
    assert (80 * J, ("below-floor",)) == (only(log, 0, 3).microjoules, only(log, 0, 3).flags)


def test_v13_a_power_that_disagrees_is_flagged(counter, log_of) -> None:
    shape = {
        "boundary": Boundary.GPU,
        "modulus": None,
        "update_s": 1.0,
        "atoms": frozenset({"gpu0"}),
    }
    energy = counter("gpu0", microjoules_per_count=1000.0, **shape)
    power = counter("gpu0/power-instant", microjoules_per_count=1000.0, is_power=True, **shape)
    rows = [
        (at, {"gpu0": count, "gpu0/power-instant": 400_000})
        for at, count in ((0, 123_456_000_000), (3, 123_456_789_000))
    ]

    figure = only(log_of([energy, power], rows))

    assert (789 * J, True) == (figure.microjoules, "counter-power-mismatch" in figure.flags)


def test_v13_an_unmoved_counter_in_a_short_window_is_unknown_and_not_zero(counter, log_of) -> None:
    log = log_of([counter("gpu0", update_s=0.1)], [(0, {"gpu0": 5}), (0.05, {"gpu0": 5})])

    assert (None, ("below-floor", "below-min-window")) == (only(log).microjoules, only(log).flags)


def test_v13_the_tick_error_of_a_gpu_is_a_twelfth_of_a_second_of_power(counter, log_of) -> None:
    gpu = counter("gpu0", update_s=0.1, boundary=Boundary.GPU)
    log = log_of([gpu], [(0, {"gpu0": 0}), (4.08, {"gpu0": round(300 * 4.08 * J)})])

    u_j = (only(log).u_uj or 0) / 1e6
    tick_j = (u_j**2 - (0.05 * 300 * 4.08) ** 2) ** 0.5

    assert 12.25 == round(tick_j, 2)


def test_v15_a_modules_joules_are_not_added_to_its_processors(counter, log_of) -> None:
    module = counter("gpu0", atoms=MODULE, boundary=Boundary.MODULE, modulus=None)
    log = log_of(
        [module, counter("pkg0")],
        [(0, {"gpu0": 0, "pkg0": 0}), (10, {"gpu0": 900 * J, "pkg0": 300 * J})],
    )

    assert [(Boundary.MODULE, 900 * J)] == [(f.boundary, f.microjoules) for f in gross(log, 0, 1)]


def test_gpu_and_host_are_two_figures_side_by_side(counter, log_of) -> None:
    log = log_of(
        [counter("gpu0", boundary=Boundary.GPU), counter("pkg0")],
        [(0, {"gpu0": 0, "pkg0": 0}), (10, {"gpu0": 900 * J, "pkg0": 300 * J})],
    )

    assert [(Boundary.HOST, 300 * J), (Boundary.GPU, 900 * J)] == [
        (f.boundary, f.microjoules) for f in gross(log, 0, 1)
    ]


def test_row_33_a_processor_that_stands_still_while_busy_has_stalled(counter, log_of) -> None:
    log = log_of(
        [counter("pkg0"), counter("dram0")],
        [(0, {"pkg0": 7, "dram0": 0}), (10, {"pkg0": 7, "dram0": J})],
        busy_us=[0, 8_000_000],
    )

    assert (None, "stalled-counter") == (only(log).microjoules, only(log).flags[-1])


def test_row_35_a_window_that_slept_is_invalid(counter, log_of) -> None:
    log = log_of([counter()], [(0, {"pkg0": 0}), (20, {"pkg0": J})], asleep_s=[0, 600])

    assert (None, ("suspended",)) == (only(log).microjoules, only(log).flags)


def test_a_sum_takes_the_weakest_label_of_its_parts(counter, log_of) -> None:
    log = log_of(
        [counter("pkg0"), counter("dram0", label=Label.MODEL_BASED, sensor="dram-model")],
        [(0, {"pkg0": 0, "dram0": 0}), (10, {"pkg0": J, "dram0": J})],
    )

    assert (Label.MODEL_BASED, "vr-telemetry+dram-model") == (only(log).label, only(log).sensor)


def test_a_counter_that_is_gone_at_the_end_takes_the_figure_with_it(counter, log_of) -> None:
    log = log_of(
        [counter("pkg0"), counter("pkg1")], [(0, {"pkg0": 0, "pkg1": 0}), (10, {"pkg0": J})]
    )

    assert (None, ("missing-reading",)) == (only(log).microjoules, only(log).flags)


def test_a_counter_that_became_another_takes_the_figure_with_it(counter, log_of) -> None:
    log = log_of([counter()], [(0, {"pkg0": 0}), (10, {"pkg0": J})])
    log.changes.append((1, "m/pkg0"))

    assert (None, ("counter-identity-changed",)) == (only(log).microjoules, only(log).flags)


def test_dies_that_are_alike_over_short_intervals_alone_prove_nothing(counter, log_of) -> None:
    dies = ("pkg0/die0", "pkg0/die1")
    rows = [(at / 10, dict.fromkeys(dies, at * J)) for at in range(9)]

    figure = only(log_of([counter(name) for name in dies], rows), 0, 8)

    assert (16 * J, ("mirror-unproven",)) == (figure.microjoules, figure.flags)


@pytest.mark.parametrize(("slept_s", "flags"), [(0.4, ()), (0.6, ("suspended",))])
def test_half_a_second_of_sleep_is_no_suspend(counter, log_of, slept_s, flags) -> None:
    log = log_of([counter()], [(0, {"pkg0": 0}), (20, {"pkg0": J})], asleep_s=[0, slept_s])

    assert flags == only(log).flags


def read_slowly(log, index, took_s):
    old = log.snapshots[index]
    took_ns = round(took_s * NS)
    counts = {key: (count, at, at + took_ns) for key, (count, at, _) in old.counts.items()}
    log.snapshots[index] = evolve(old, counts=counts, after_ns=old.after_ns + took_ns)


@pytest.mark.parametrize("edge", [0, 1])
@pytest.mark.parametrize(
    ("wall_s", "took_s", "flags"),
    [
        (0.4, 0.0045, ()),
        (0.4, 0.006, ("slow-read",)),
        (10, 0.09, ()),
        (10, 0.11, ("slow-read",)),
    ],
)
def test_a_read_is_slow_above_five_milliseconds_and_a_hundredth_of_the_window(
    counter, log_of, edge, wall_s, took_s, flags
) -> None:
    log = log_of([counter()], [(0, {"pkg0": 0}), (wall_s, {"pkg0": J})])
    read_slowly(log, edge, took_s)

    assert flags == only(log).flags


def test_how_long_a_read_took_widens_the_uncertainty(counter, log_of) -> None:
    log = log_of([counter()], [(0, {"pkg0": 0}), (10, {"pkg0": 100 * J})])
    sharp_j = (only(log).u_uj or 0) / 1e6
    read_slowly(log, 1, 2)

    wide_j = (only(log).u_uj or 0) / 1e6
    assert 5.0 == sharp_j
    assert pytest.approx(100 / 11 * 2 / 12**0.5) == (wide_j**2 - sharp_j**2) ** 0.5


def test_gains_of_one_machine_add_up_and_a_chips_model_has_a_larger_one(counter, log_of) -> None:
    chip = {"label": Label.MODEL_BASED, "sensor": "soc-model"}
    log = log_of(
        [counter("pkg0"), counter("pkg1", **chip)],
        [(0, {"pkg0": 0, "pkg1": 0}), (10, {"pkg0": 100 * J, "pkg1": 100 * J})],
    )

    assert 5 * J + 15 * J == only(log).u_uj
