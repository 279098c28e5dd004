import threading
import time

import pytest
from fairtrial.api import MachineError, RawReading
from fairtrial.energy.guard import Answer, GuardedMeter

NS = 1_000_000_000


@pytest.fixture
def guarded(host, meter):
    def make(own=None, **settings):
        return GuardedMeter(name="m", meter=own or meter(**settings), host=host)

    return make


def test_a_meter_that_hangs_is_given_up_and_not_asked_again(guarded, meter) -> None:
    own = guarded(meter(on_read=lambda: time.sleep(0.2)))
    assert "" == own.open()

    first = own.read(patience_s=0.02)
    again = own.read(patience_s=0.02)

    assert ("it did not answer within 0.02 s",) == first.faults
    assert ("it hung before and was given up",) == again.faults


def test_a_reading_that_waits_for_another_one_is_not_taken_for_hanging(guarded, meter) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow() -> None:
        begun.set()
        assert go_on.wait(5)

    own = guarded(meter(on_read=slow))
    own.open()
    answers: list[Answer] = []
    first = threading.Thread(target=own.read)
    first.start()
    assert begun.wait(5)
    second = threading.Thread(target=lambda: answers.append(own.read(patience_s=0.25)))
    second.start()
    second.join(0.3)
    go_on.set()
    for thread in (first, second):
        thread.join(5)

    assert [()] == [each.faults for each in answers]


def test_a_probe_that_raises_says_what_it_raised(guarded) -> None:
    class Broken:
        def probe(self, host, /):
            raise MachineError(problem="no bus", way_on="plug it in")

        open = probe

    own = guarded(Broken())

    assert {"m": "no bus; plug it in"} == own.probe().unavailable
    assert "no bus; plug it in" == own.open()


def test_a_probe_that_answers_something_else_has_no_counter(guarded) -> None:
    class Chatty:
        def probe(self, host, /):
            return "all fine"

    assert {"m": "TypeError: it answered a probe with something else"} == guarded(
        Chatty()
    ).probe().unavailable


def test_two_counters_of_one_id_are_refused(guarded, counter) -> None:
    assert "two of its counters have one id" == guarded(counters=(counter(), counter())).open()


def test_readings_of_unknown_counters_are_left_out(guarded) -> None:
    own = guarded(counts={"pkg0": 1, "pkg9": 2})
    own.open()

    answer = own.read()

    assert ["pkg0"] == [reading.counter for reading in answer.readings]
    assert ("it read “pkg9”, which is none of its counters",) == answer.faults


@pytest.fixture
def reading(guarded, meter):
    """Reads once a meter that answers what it is told to, at times around now."""

    def make(*spans_s):
        class Told(meter):
            def read(self):
                now = self.host.monotonic_ns()
                return [
                    RawReading(
                        counter="pkg0",
                        count=1,
                        before_ns=now + before_s * NS,
                        after_ns=now + after_s * NS,
                    )
                    for before_s, after_s in spans_s
                ]

        own = guarded(Told())
        own.open()
        return own.read()

    return make


def test_a_counter_that_is_read_twice_at_once_has_no_reading(reading) -> None:
    assert ((), ("“pkg0” was read twice",)) == (
        reading((0, 0), (0, 0)).readings,
        reading((0, 0), (0, 0)).faults,
    )


@pytest.mark.parametrize("span_s", [(-1, 0), (0, 1), (1, 1), (0, -1)])
def test_a_reading_is_no_older_and_no_newer_than_the_read(reading, span_s) -> None:
    assert ((), ("“pkg0” was not read when it says",)) == (
        reading(span_s).readings,
        reading(span_s).faults,
    )


def test_a_counter_that_was_left_out_is_told_of_with_the_figure(rig) -> None:
    rig = rig()
    with rig.ledger, rig.ledger.window("a") as window:
        rig.passes(10)
        rig.meter.counts.clear()

    (energy,) = window.energies()
    assert "a reading at the window's edge is missing; “pkg0” gave no reading" == energy.why
    assert ("m: “pkg0” gave no reading",) == rig.ledger.concerns()


def test_closing_twice_is_fine_and_a_closed_meter_reads_nothing(guarded) -> None:
    own = guarded()
    own.open()
    own.close()
    own.close()

    assert () == own.read().readings


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({"boundary": "host"}, "'host'"),
        ({"sensor": None}, "None"),
        ({"update_s": float("inf")}, "inf"),
        ({"max_watts": float("inf")}, "inf"),
        ({"identity": 7}, "7"),
        ({"modulus": 10.5}, "10.5"),
        ({"modulus": 10**5000}, "a number of 16610 bits"),
        ({"microjoules_per_count": 5e-324}, "5e-324"),
        ({"max_watts": 1e308}, "1e+308"),
        ({"update_s": 1e300}, "1e+300"),
        ({"atoms": frozenset({0})}, "0"),
    ],
)
def test_a_counter_of_nonsense_costs_the_meter_and_not_the_run(
    rig, meter, counter, change, shown
) -> None:
    own = rig(meter(counters=(counter(**change),)))

    with own.ledger, own.ledger.window("a") as window:
        pass

    (energy,) = window.energies()
    assert None is energy.joules
    assert f"TypeError: counter “pkg0” is described by {shown}" in energy.why


def test_what_is_no_counter_at_all_is_named(guarded) -> None:
    assert "TypeError: 'pkg0' is no counter" == guarded(counters=("pkg0",)).open()


@pytest.mark.parametrize("modulus", [None, 2**40])
def test_a_count_too_long_to_be_written_down_is_a_missing_reading(
    rig, meter, counter, modulus
) -> None:
    own = rig(meter(counters=(counter(modulus=modulus),)))
    with own.ledger, own.ledger.window("a") as window:
        own.host.clock.advance(10)
        own.meter.counts["pkg0"] = 10**5000

    (energy,) = window.energies()
    assert (None, ("missing-reading",)) == (energy.joules, energy.flags)
    assert "“pkg0” showed a number of 16610 bits, which is above its range" in energy.why


def test_a_meter_that_wants_to_end_the_program_only_loses_its_figure(rig) -> None:
    def leave() -> None:
        if own.meter.reads > 1:
            raise SystemExit(3)

    own = rig()
    own.meter.on_read = leave
    with own.ledger, own.ledger.window("a") as window:
        own.host.clock.advance(10)

    (energy,) = window.energies()
    assert None is energy.joules
    assert "SystemExit: 3" in energy.why
