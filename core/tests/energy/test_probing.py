import pytest
from fairtrial.api import Label, Probe
from fairtrial.energy.probing import ask, look


@pytest.fixture
def liar(meter, counter):
    return meter(counters=(counter(sensor="tdp-model", label=Label.HARDWARE_SHUNT),))


OVERCLAIM = "“pkg0” claims to be “measured-hardware-shunt” and is shown as “estimator”"


def test_a_meter_that_claims_too_strong_a_label_is_told_of(liar, host) -> None:
    probe, faults = ask("m", liar, host)

    assert (OVERCLAIM,) == faults
    assert [Label.ESTIMATOR] == [own.label for own in probe.counters]


def test_a_meter_that_shows_no_count_is_told_of(meter, host) -> None:
    probe, faults = ask("m", meter(counts={"pkg0": float("nan")}), host)

    assert ["pkg0"] == [own.id for own in probe.counters]
    assert ("“pkg0” showed nan, which is no count",) == faults


def test_a_meter_that_raises_at_a_read_is_told_of(meter, host) -> None:
    def fail() -> None:
        raise OSError("the bus is gone")

    assert ("OSError: the bus is gone",) == ask("m", meter(on_read=fail), host)[1]


def test_a_meter_that_leaves_a_counter_out_is_told_of(meter, host) -> None:
    assert ("“pkg0” gave no reading",) == ask("m", meter(counts={}), host)[1]


def test_a_meter_that_cant_be_closed_is_told_of(meter, host) -> None:
    class Unclosed(meter):
        def close(self):
            raise SystemExit(3)

    assert ("it can't be closed: SystemExit: 3",) == ask("m", Unclosed(), host)[1]


def test_a_meter_that_opens_other_counters_than_it_named_is_told_of(meter, counter, host) -> None:
    class Fickle(meter):
        def probe(self, host, /):
            weak = counter("weak", label=Label.ESTIMATOR)
            return Probe(counters=(counter("gone"), weak))

    own = Fickle(counters=(counter("weak"), counter("new")), counts={"weak": 0, "new": 0})

    assert (
        "“weak” was opened as another counter than it was named",
        "“new” was opened and not named before",
        "“gone” was named and not opened",
    ) == ask("m", own, host)[1]


def test_a_counter_that_gives_no_reading_any_more_is_told_of(meter, counter, host) -> None:
    own = meter(counters=(counter(), counter("pkg1")), counts={"pkg0": 0, "pkg1": 0})

    def leave_out() -> None:
        if own.reads > 3:
            own.counts.pop("pkg1", None)

    own.on_read = leave_out
    (seen,) = look({"m": own}, host, host.clock.advance)

    assert ["", "it gave no reading"] == [each.problem for each in seen.counters]


def test_a_sound_meter_has_no_fault(meter, host) -> None:
    assert () == ask("m", meter(), host)[1]


def test_a_close_look_names_what_is_wrong_beside_the_counter(meter, liar, host) -> None:
    broken = meter(counts={"pkg0": -3})

    seen = look({"broken": broken, "liar": liar}, host, host.clock.advance)

    problems = [own.problem for each in seen for own in each.counters]
    assert ["“pkg0” showed -3, which is below 0", OVERCLAIM] == problems
