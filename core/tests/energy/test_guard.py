import itertools
import threading
import time
from enum import Enum

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


@pytest.mark.parametrize("session", ["no close", "one that raises"])
def test_a_session_that_cant_be_closed_costs_nothing(rig, meter, session) -> None:
    class Unclosed:
        def __init__(self, own):
            self.counters, self.read = own.counters, own.read

        def __getattr__(self, name):
            raise SystemExit(3) if session == "one that raises" else AttributeError(name)

    class Opened(meter):
        def open(self, host, /):
            return Unclosed(super().open(host))

    own = rig(Opened())
    with own.ledger, own.ledger.window("a") as window:
        own.passes(10, pkg0=5)

    assert 5e-6 == window.energies()[0].joules


@pytest.mark.parametrize("twice", [True, False])
def test_what_was_opened_and_is_not_used_is_closed(rig, meter, counter, twice) -> None:
    closed: list[bool] = []

    class Opened(meter):
        def close(self):
            closed.append(True)

    with rig(Opened(counters=(counter(), counter()) if twice else (3,))).ledger:
        pass

    assert [True] == closed


def test_an_exception_without_words_is_no_hanging(guarded, meter) -> None:
    class Untold(Exception):
        def __str__(self):
            raise RuntimeError

    def fail() -> None:
        raise Untold

    own = guarded(meter(on_read=fail))
    own.open()

    assert ("Untold, of which nothing can be told",) == own.read().faults


def test_readings_without_an_end_are_given_up(guarded, meter) -> None:
    class Endless(meter):
        def read(self):
            return itertools.repeat(RawReading(counter="pkg0", count=1, before_ns=0, after_ns=0))

    own = guarded(Endless())
    own.open()

    assert ("ValueError: it names more than 1024 readings",) == own.read().faults


def test_a_reading_is_known_by_a_name_that_is_spelt_otherwise(guarded) -> None:
    class Zone(str, Enum):  # noqa: UP042 - one whose text and spelling differ
        PACKAGE = "pkg0"

    own = guarded(counts={Zone.PACKAGE: 1})
    own.open()

    assert [(str, "pkg0")] == [(type(each.counter), each.counter) for each in own.read().readings]


def test_a_count_that_reckons_otherwise_is_none(guarded) -> None:
    class Odd(int):
        def __sub__(self, other):
            raise RuntimeError

    own = guarded(counts={"pkg0": Odd(7)})
    own.open()

    assert ("“pkg0” showed 7, which is no count",) == own.read().faults


def test_a_probe_may_list_its_counters_in_any_way(guarded, counter) -> None:
    assert 1 == len(guarded(counters=(own for own in (counter(),))).probe().counters)


def test_a_ledger_is_spelt_without_what_plugins_say_of_themselves(rig, meter) -> None:
    class Untold(meter):
        def __repr__(self):
            raise RuntimeError

    own = rig(Untold())
    with own.ledger:
        assert "EnergyLedger" in repr(own.ledger)
