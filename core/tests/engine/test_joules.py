"""What is said of a run's meters."""

from pathlib import Path

import pytest
import structlog
from attrs import evolve
from fairtrial.api import (
    Boundary,
    Counter,
    Host,
    Label,
    MeterSession,
    Probe,
)
from fairtrial.config import Table
from fairtrial.engine.joules import meters_of
from fairtrial.engine.prepare import Prepared


class Counting:
    """A meter with one counter, which nobody opens."""

    def __init__(self, label: Label = Label.HARDWARE_SHUNT) -> None:
        self.counter = Counter(
            id="pkg0",
            microjoules_per_count=1.0,
            atoms=frozenset({"pkg0"}),
            label=label,
            boundary=Boundary.HOST,
            sensor="vr-telemetry",
        )

    def probe(self, _host: Host, /) -> Probe:
        return Probe(counters=(self.counter,))

    def open(self, _host: Host, /) -> MeterSession:
        raise NotImplementedError


class Blind(Counting):
    """A meter that has nothing to read."""

    def probe(self, _host: Host, /) -> Probe:
        return Probe(unavailable={"x": "it is not here"})


def automatic(prepared: Prepared) -> Prepared:
    """Asks for what can be read, whatever the meters are called."""
    run = evolve(prepared.config.run, meters=("auto",))
    return evolve(prepared, config=evolve(prepared.config, run=run))


@pytest.mark.parametrize(
    ("jobs", "solvers", "order", "way_on"),
    [
        (1, "a b", "tasks", None),
        (2, "a noop", "tasks", "joules of single trials need jobs = 1"),
        (2, "a b", "solvers", "joules of single trials need jobs = 1"),
        (2, "a b", "tasks", 'order = "solvers" for joules of each solver'),
    ],
)
def test_who_shares_counters_is_told_whose_joules_that_costs(
    prepare, jobs, solvers, order, way_on
) -> None:
    names = tuple(solvers.split())
    found = prepare(meters={"counting": Counting()}, solvers=names, jobs=jobs, order=order)
    with structlog.testing.capture_logs() as logs:
        assert ["counting"] == list(meters_of(found))

    told = [log["way_on"] for log in logs if log["event"] == "trials at once share the counters"]
    assert ([] if way_on is None else [True]) == [str(each).startswith(way_on) for each in told]


@pytest.mark.parametrize(
    ("meters", "told"),
    [
        ({"rapl": Counting()}, []),
        (
            {
                "rapl": Blind(),
                "nvml": Blind(),
                "fancy": Blind(),
                "guess": Counting(Label.ESTIMATOR),
            },
            [("guess", "no counter of rapl, nvml or fancy covers it")],
        ),
        ({"rapl": Blind(), "fancy": Blind()}, [(None, "nothing can be read by rapl or fancy")]),
        ({"guess": Counting(Label.ESTIMATOR)}, [("guess", "no counter of any meter covers it")]),
    ],
)
def test_who_has_no_counter_is_told_which_meters_were_tried(prepare, meters, told) -> None:
    found = automatic(prepare(meters=meters, solvers=("a",)))
    with structlog.testing.capture_logs() as logs:
        meters_of(found)

    warnings = [log for log in logs if log["log_level"] == "warning"]
    assert told == [(log.get("by"), log["because"]) for log in warnings]


def test_the_command_that_shows_what_can_be_read_is_given_the_config_with_the_meters(
    prepare,
) -> None:
    table = Table(kind="meters", name="fancy", plugin="fancy")
    plain = automatic(prepare(meters={"fancy": Blind()}, solvers=("a",)))
    files = (Path("my runs/a.toml"), Path("b.toml"))
    config = evolve(plain.config, tables={"meters": {"fancy": table}}, files=files)
    with structlog.testing.capture_logs() as logs:
        meters_of(plain)
        meters_of(evolve(plain, config=config))

    assert [
        "`fairtrial energy probe` says why",
        "`fairtrial energy probe -c 'my runs/a.toml' -c b.toml` says why",
    ] == [log["way_on"] for log in logs if log["log_level"] == "warning"]
