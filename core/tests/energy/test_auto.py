import pytest
from attrs import define
from fairtrial.api import (
    Boundary,
    ConfigError,
    Host,
    Label,
    MachineError,
    MeterSession,
    Probe,
)
from fairtrial.energy.auto import candidates, choose, doing

INSTALLED = ("cgroup", "estimator", "rapl", "mine")


@pytest.fixture
def meters(meter, counter):
    guess = counter("wall", atoms=frozenset({"pkg*"}), label=Label.ESTIMATOR, sensor="tdp-model")
    return {
        "rapl": meter(),
        "nvml": meter(counters=(counter("gpu0", boundary=Boundary.GPU),)),
        "estimator": meter(counters=(guess,)),
        "blind": meter(counters=(), unavailable={"pkg0": "only root may read it; run chmod"}),
    }


def test_auto_looks_at_counters_that_are_installed_and_at_the_estimate() -> None:
    assert ("rapl", "estimator") == candidates(["auto"], INSTALLED, {})
    assert ("rapl",) == candidates(["measured"], INSTALLED, {})
    assert ("mine", "rapl", "estimator") == candidates(["mine", "auto"], INSTALLED, {})
    assert () == candidates([], INSTALLED, {})


def test_auto_looks_at_meters_that_have_a_table_too() -> None:
    tables = {"plug": "mine", "quick": "estimator"}

    assert ("rapl", "plug", "quick") == candidates(["auto"], INSTALLED, tables)
    assert ("rapl", "plug") == candidates(["measured"], INSTALLED, tables)
    assert ("mine",) == candidates(["mine"], INSTALLED, tables)


def test_a_table_stands_for_its_plugin_which_is_not_looked_at_twice() -> None:
    assert ("platform", "estimator") == candidates(["auto"], INSTALLED, {"platform": "rapl"})
    assert ("rapl", "estimator") == candidates(["auto"], INSTALLED, {"rapl": "rapl"})


def test_auto_takes_a_counter_of_the_host_and_leaves_the_estimate(meters, host) -> None:
    own = {name: meters[name] for name in ("rapl", "estimator")}

    choice = choose(["auto"], own, host)

    assert ["rapl"] == list(choice.meters)
    assert (
        "auto: rapl reads pkg0 (measured-hardware-shunt)",
        "auto: not estimator: a counter covers the host",
    ) == choice.notes


def test_auto_falls_back_on_the_estimate_and_says_why(meters, host) -> None:
    own = {"rapl": meters["blind"], "estimator": meters["estimator"]}

    choice = choose(["auto"], own, host)

    assert ["estimator"] == list(choice.meters)
    assert (
        "auto: estimator estimates host (tdp-model)",
        "auto: not rapl: only root may read it; run chmod",
    ) == choice.notes


def test_where_nothing_can_be_read_the_reason_is_not_that_an_estimate_lacks(meters, host) -> None:
    alone = choose(["auto"], {"rapl": meters["blind"]}, host)
    both = choose(["auto"], {"rapl": meters["blind"], "estimator": meters["blind"]}, host)

    assert "auto: nothing can be read and no estimate is installed" == alone.notes[0]
    assert "auto: nothing can be read" == both.notes[0]


def test_auto_estimates_the_host_beside_a_measured_gpu(meters, host) -> None:
    own = {name: meters[name] for name in ("nvml", "estimator")}

    assert ["nvml", "estimator"] == list(choose(["auto"], own, host).meters)


def test_a_counter_of_a_meter_that_has_a_table_wins_over_the_estimate(
    meters, host, meter, counter
) -> None:
    plug = meter(counters=(counter("outlet", boundary=Boundary.WALL),))
    own = {"rapl": meters["blind"], "plug": plug, "estimator": meters["estimator"]}

    for asked in (["auto"], ["measured"], ["auto", "plug"]):
        assert ["plug"] == list(choose(asked, own, host).meters)
    choice = choose(["auto"], own, host)
    assert ("rapl", "plug") == choice.searched
    assert not choice.estimate
    assert "auto: plug reads outlet (measured-hardware-shunt)" == choice.notes[0]


def test_of_several_estimates_one_is_taken_and_one_named_besides_is_enough(meters, host) -> None:
    guess = meters["estimator"]
    own = {"rapl": meters["blind"], "mine": guess, "estimator": guess}

    choice = choose(["auto"], own, host)

    assert (["mine"], "mine") == (list(choice.meters), choice.estimate)
    assert "auto: not estimator: another estimate was taken" in choice.notes
    named = choose(["auto", "estimator"], own, host)
    assert (["estimator"], "") == (list(named.meters), named.estimate)


def test_joules_are_shared_out_only_where_that_is_asked_for_by_name(
    meters, host, meter, counter
) -> None:
    time = counter("host", label=Label.ESTIMATOR, is_cpu_time=True)
    own = {"rapl": meters["rapl"], "cgroup": meter(counters=(time,))}

    choice = choose(["auto"], own, host)

    assert ["rapl"] == list(choice.meters)
    why = "it shares joules out, for which it must be named in [run] meters itself"
    assert f"auto: not cgroup: {why}" in choice.notes
    assert ["rapl", "cgroup"] == list(choose(["auto", "cgroup"], own, host).meters)
    with pytest.raises(MachineError) as caught:
        choose(["measured"], {"cgroup": own["cgroup"]}, host)
    assert (("cgroup", why),) == caught.value.facts


def test_measured_without_a_counter_is_an_error_with_the_fix(meters, host) -> None:
    with pytest.raises(MachineError) as caught:
        choose(["measured"], {"rapl": meters["blind"]}, host)

    assert "“measured” was asked for, and no counter can be read here" == caught.value.problem
    assert (("rapl", "only root may read it; run chmod"),) == caught.value.facts
    assert 3 == caught.value.exit_code


VIRTUAL = "no-counter:virtualised: a virtual machine has none"
OUTSIDE = "run outside of the virtual machine, or "
TAKE = "where a line above names a way, take it; else "
ESTIMATE = 'write meters = ["auto"] for an estimate'


@pytest.mark.parametrize(
    ("whys", "way_on"),
    [
        ({"rapl": VIRTUAL}, OUTSIDE + ESTIMATE),
        ({"rapl": VIRTUAL, "nvml": "install the driver"}, TAKE + OUTSIDE + ESTIMATE),
        ({"rapl": "only root may read it; run chmod"}, TAKE + ESTIMATE),
        ({}, ESTIMATE),
    ],
)
def test_the_way_on_fits_what_was_found_and_words_for_programs_are_left_out(
    host, meter, whys, way_on
) -> None:
    blind = {own: meter(counters=(), unavailable={own: why}) for own, why in whys.items()}

    with pytest.raises(MachineError) as caught:
        choose(["measured"], blind, host)

    assert way_on == caught.value.way_on
    assert "no-counter" not in str(caught.value.facts)
    told = dict(caught.value.facts).get("rapl", "")
    assert (VIRTUAL in whys.values()) is (told == "a virtual machine has none")
    assert not [note for note in choose(["auto"], blind, host).notes if "no-counter" in note]
    with pytest.raises(MachineError) as caught:
        choose(["measured"], blind, host, otherwise="do without")
    assert way_on.replace(ESTIMATE, "do without") == caught.value.way_on


def test_a_named_meter_without_a_counter_is_an_error(meters, host) -> None:
    with pytest.raises(MachineError) as caught:
        choose(["blind"], {"blind": meters["blind"]}, host)

    assert "meter “blind” has no counter to read here" == caught.value.problem


@define(kw_only=True, eq=False)
class Misset:
    """A meter that refuses what a person set, or fails for another reason."""

    error: Exception

    def probe(self, host: Host, /) -> Probe:
        return Probe(unavailable={"estimator": "it says"})

    def open(self, host: Host, /) -> MeterSession:
        raise self.error


@pytest.mark.parametrize("asked", ["auto", "estimator"])
@pytest.mark.parametrize("beside", [(), ("nvml",)])
def test_a_setting_that_can_not_be_used_is_an_error_where_it_is_needed(
    meters, host, asked, beside
) -> None:
    wrong = ConfigError(problem="WATTS is “x”", way_on="unset it")
    own = {**{name: meters[name] for name in beside}, "estimator": Misset(error=wrong)}

    with pytest.raises(ConfigError) as caught:
        choose([asked], own, host)

    assert wrong is caught.value
    unneeded = choose(["auto"], {"rapl": meters["rapl"], **own}, host)
    assert ["rapl", *beside] == list(unneeded.meters)


def test_a_meter_that_fails_for_another_reason_is_no_wrong_setting(host) -> None:
    own = {"estimator": Misset(error=MachineError(problem="it is gone", way_on="wait"))}

    assert {} == choose(["auto"], own, host).meters
    with pytest.raises(MachineError, match="has no counter to read here"):
        choose(["estimator"], own, host)


def test_what_a_meter_does_is_said_and_an_estimate_is_no_reading(meters, counter) -> None:
    time = counter("group", label=Label.ESTIMATOR, is_cpu_time=True)
    (guess,) = meters["estimator"].counters

    assert "reads CPU time, to share joules out" == doing(Probe(counters=(time,)))
    assert ("reads pkg0, pkg1 (measured-hardware-shunt), estimates host (tdp-model)") == doing(
        Probe(counters=(counter("pkg0"), counter("pkg1"), guess))
    )
    assert "reads nothing" == doing(Probe())


def test_no_meter_asked_for_is_no_meter(host) -> None:
    assert {} == choose([], {}, host).meters
