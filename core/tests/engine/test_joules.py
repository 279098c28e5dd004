"""Joules that only a batch has, and who carries them; what is said of a run's meters."""

from pathlib import Path

import pytest
import structlog
from attrs import evolve
from fairtrial.api import (
    Boundary,
    Counter,
    Ending,
    Energy,
    Host,
    Label,
    MeterSession,
    Probe,
    Trial,
)
from fairtrial.config import Table
from fairtrial.engine.joules import batched, meters_of
from fairtrial.engine.journal import key_of
from fairtrial.engine.prepare import Prepared

SHARED = Energy(
    joules=None,
    boundary=Boundary.HOST,
    label=Label.HARDWARE_SHUNT,
    flags=("concurrent-window",),
)
TOTAL = Energy(
    joules=3000.0, boundary=Boundary.HOST, label=Label.HARDWARE_SHUNT, granularity="batch"
)
GUESS = Energy(joules=9.0, boundary=Boundary.REMOTE, label=Label.ESTIMATOR)


class Books:
    """What a ledger says of each solver."""

    def __init__(self, **batches: Energy) -> None:
        self.batches = batches

    def batch(self, group: str) -> tuple[Energy, ...]:
        return (self.batches[group],)


def trial(task: str, *energy: Energy, solver: str = "fix") -> Trial:
    return Trial(
        task=task, digest="d", family="f", solver=solver, ending=Ending.FINISHED, energy=energy
    )


@pytest.mark.parametrize("flag", ["concurrent-window", "concurrent-trial"])
def test_the_first_trial_carries_the_batch_and_the_others_say_that_they_are_in_it(flag) -> None:
    own = evolve(SHARED, joules=70.0, flags=())
    shared = evolve(SHARED, flags=(flag,))
    trials = [trial("a", shared, GUESS), trial("b", shared, GUESS), trial("c", own)]

    found = list(batched(trials, Books(fix=TOTAL), ()))

    assert [(3000.0, "batch"), (None, "batch"), (None, "batch")] == [
        (each.energy[0].joules, each.energy[0].granularity) for each in found
    ]
    assert [GUESS, GUESS] == [each.energy[1] for each in found[:2]]


def test_a_trial_that_broke_carries_no_batch_while_another_one_was_finished() -> None:
    broken = [evolve(trial(task, SHARED), ending=Ending.INFRA) for task in "ab"]

    found = list(batched([*broken, trial("c", SHARED)], Books(fix=TOTAL), ()))
    alone = list(batched(broken, Books(fix=TOTAL), ()))

    assert [("c", 3000.0), ("a", None), ("b", None)] == [
        (each.task, each.energy[0].joules) for each in found
    ]
    assert [("a", 3000.0), ("b", None)] == [(each.task, each.energy[0].joules) for each in alone]


def test_a_share_or_an_estimate_is_its_own_and_carries_no_batch() -> None:
    share = evolve(SHARED, joules=70.0, label=Label.ESTIMATOR)

    found = list(batched([trial("a", share), trial("b", SHARED)], Books(fix=TOTAL), ()))

    assert [("b", 3000.0)] == [(each.task, each.energy[0].joules) for each in found]


@pytest.mark.parametrize("batch", [evolve(TOTAL, joules=None)])
def test_without_a_figure_of_the_batch_nothing_changes(batch) -> None:
    assert [] == list(batched([trial("a", SHARED)], Books(fix=batch), ()))


def test_trials_one_after_the_other_keep_their_own_joules() -> None:
    own = evolve(SHARED, joules=70.0, flags=())

    assert [] == list(batched([trial("a", own)], Books(fix=TOTAL), ()))


def test_trials_of_an_earlier_sitting_are_in_no_batch_of_this_one() -> None:
    early, late = trial("a", SHARED), trial("b", SHARED)

    found = list(batched([early, late], Books(fix=TOTAL), {key_of(early)}))

    assert ["b"] == [each.task for each in found]


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
