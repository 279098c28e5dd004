"""Joules that only a batch has, and who carries them."""

import pytest
from attrs import evolve
from fairtrial.api import Boundary, Ending, Energy, Label, Trial
from fairtrial.engine.batches import batched
from fairtrial.engine.journal import key_of

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
