"""Counters that are slower or quicker than they say, seen beside the first trial of a run."""

import threading

import pytest
from fairtrial.api import Label
from fairtrial.energy import EnergyLedger
from fairtrial.energy.verify import verify

J = 10**6
NS = 1_000_000_000


@pytest.fixture
def moving(meter, counter, host):
    """Makes a meter that is updated every so many seconds, by so many counts."""

    def make(update_s: float, declared_s: float | None, counts: int = 1000, **changes: object):
        own = meter(counters=(counter(update_s=declared_s, **changes),))
        step_ns = round(update_s * NS)
        own.on_read = lambda: own.counts.update(pkg0=host.clock.now_ns // step_ns * counts)
        return own

    return make


@pytest.mark.parametrize(
    ("update_s", "declared_s", "found"),
    [
        (2.1, 0.001, 2.1),
        (0.326, None, 0.326),
        (0.326, 2.23, 0.5),
        (0.02, 0.1, 0.03),
        (0.001, 0.001, 0.001),
        (0.1, 0.1, 0.1),
        (60, 0.001, 0.001),
    ],
)
def test_the_cadence_that_is_seen_is_used_where_it_is_not_what_the_counter_says(
    rig, moving, update_s, declared_s, found
) -> None:
    rig = rig(moving(update_s, declared_s))
    with rig.ledger:
        before_ns = rig.host.clock.now_ns
        rig.ledger.pace(rig.host.clock.advance, 10)

    assert found == pytest.approx(rig.ledger.log.counters["m/pkg0"].update_s, rel=0.15)
    assert rig.host.clock.now_ns - before_ns <= 10 * NS
    assert rig.meter.reads <= 150


def test_a_quick_counter_is_known_after_milliseconds(rig, moving) -> None:
    rig = rig(moving(0.001, 0.001))
    with rig.ledger:
        before_ns = rig.host.clock.now_ns
        rig.ledger.pace(rig.host.clock.advance, 10)

    assert rig.host.clock.now_ns - before_ns <= 0.05 * NS


@pytest.mark.parametrize("counts", [0, 1])
def test_a_counter_that_stands_still_or_moves_by_single_counts_says_nothing_of_its_updates(
    rig, moving, counts
) -> None:
    rig = rig(moving(1, 0.1, counts))
    with rig.ledger:
        rig.ledger.pace(rig.host.clock.advance, 10)

    assert 0.1 == rig.ledger.log.counters["m/pkg0"].update_s


def test_an_estimate_is_not_watched(rig, moving) -> None:
    rig = rig(moving(1, None, label=Label.ESTIMATOR, sensor="tdp-model"))
    with rig.ledger:
        reads = rig.meter.reads
        rig.ledger.pace(rig.host.clock.advance, 10)

    assert reads == rig.meter.reads


def test_a_watch_ends_when_it_is_told_to(rig, moving) -> None:
    rig = rig(moving(60, 0.1))
    with rig.ledger:
        reads = rig.meter.reads
        rig.ledger.pace(lambda _: True, 10)

    assert reads + 1 == rig.meter.reads


def test_a_window_below_the_floor_of_a_slow_counter_is_marked(rig, moving, tmp_path) -> None:
    rig = rig(moving(2.1, 0.001, 63 * J))
    found = []
    with rig.ledger:
        for _ in range(2):
            with rig.ledger.window("a") as window:
                rig.passes(10)
            found += window.energies()
            rig.ledger.pace(rig.host.clock.advance, 10)

    assert [((), True), (("below-floor",), False)] == [(own.flags, own.reliable) for own in found]
    assert "" == verify(tmp_path / "energy.jsonl").problem


def test_a_kept_calibration_knows_how_often_the_counters_move(rig, moving, host, tmp_path) -> None:
    host.put("proc/sys/kernel/random/boot_id", "first")
    own, kept = moving(0.5, 0.001, 12 * J), tmp_path / "idle.json"
    first = rig(own, path=None)
    with first.ledger:
        first.ledger.calibrate()
        first.ledger.keep_calibration(kept)
    later = rig(own, calibration=kept)
    with later.ledger:
        reads = own.reads
        later.ledger.pace(host.clock.advance, 10)

    assert reads == own.reads


def test_a_run_watches_its_counters_as_soon_as_they_are_open(host, moving) -> None:
    own, seen = moving(0.5, 0.001), threading.Event()
    own.on_read = lambda: own.reads > 4 and seen.set()
    with EnergyLedger(meters={"m": own}, host=host, paced=True):
        assert seen.wait(5)


def test_a_slow_counter_is_known_after_a_few_of_its_updates(rig, moving) -> None:
    rig = rig(moving(0.4, 0.001))
    with rig.ledger:
        before_ns = rig.host.clock.now_ns
        rig.ledger.pace(rig.host.clock.advance, 10)

    assert rig.host.clock.now_ns - before_ns <= 2.2 * NS
