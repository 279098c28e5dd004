"""Trials that tell other joules than their receipts give."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from attrs import evolve
from fairtrial.api import (
    Boundary,
    Ending,
    Energy,
    Label,
    Pick,
    RunRecord,
    Selection,
    Stage,
    Trial,
    Usage,
)
from fairtrial.energy.agreement import Agreement, agreement
from fairtrial.energy.batches import covered
from fairtrial.energy.remote import side_by_side
from fairtrial.energy.verify import verify

J = 10**6
CLAUDE = Usage(model="claude-opus-4", input_uncached=5000, output=8000)


def attempt(task: str, energy: Sequence[Energy], **changes: object) -> Trial:
    parts: dict[str, object] = {
        "task": task,
        "digest": "d",
        "family": "f",
        "solver": "fix",
        "ending": Ending.FINISHED,
        "energy": tuple(energy),
    }
    return Trial(**{**parts, **changes})


@pytest.fixture
def told(rig, tmp_path: Path) -> Callable[..., Agreement]:
    """Meters windows, each by its label and joules, and compares what a test makes of them."""

    def compare(
        windows: Sequence[tuple[str, int]], record: Callable[..., dict[str, object]]
    ) -> Agreement:
        own = rig()
        found = []
        with own.ledger:
            for label, joules in windows:
                with own.ledger.window(label, group="fix") as window:
                    own.passes(10, pkg0=joules * J)
                found.append(window.energies())
        parts = record(*found)
        receipts = verify(tmp_path / "energy.jsonl")
        assert "" == receipts.problem
        return agreement(
            RunRecord(label="r", suite="s", solvers=("fix",), tasks=(), **parts), receipts
        )

    return compare


def test_trials_that_tell_what_their_receipts_give_agree(told) -> None:
    found = told(
        [("a·fix·1", 100), ("b·fix·1", 7)],
        lambda a, b: {"trials": (attempt("b", b), attempt("a", a))},
    )

    assert Agreement(compared=2) == found


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"joules": 0.5}, "joules is 0.5, by its receipts 100.0"),
        ({"joules": None}, "joules is –, by its receipts 100.0"),
        ({"gross_j": 90.0}, "gross_j is 90.0, by its receipts 100.0"),
        (
            {"label": Label.MODEL_BASED},
            "label is measured-model-based, by its receipts measured-hardware-shunt",
        ),
        ({"boundary": Boundary.WALL}, "boundary is wall, by its receipts host"),
        ({"reliable": False}, "reliable is False, by its receipts True"),
        ({"flags": ("wrapped",)}, "flags is wrapped, by its receipts –"),
        ({"granularity": "batch"}, "granularity is batch, by its receipts trial"),
    ],
)
def test_a_trial_whose_figure_was_edited_is_named(told, change, said) -> None:
    def edited(a, b):
        (own,) = b
        return {"trials": (attempt("a", a), attempt("b", [evolve(own, **change)], rollout=2))}

    found = told([("a·fix·1", 5), ("b·fix·2", 100)], edited)

    assert (f"b · fix #2: host: {said}",) == found.differences


def test_words_that_another_version_puts_differently_are_no_difference(told) -> None:
    found = told(
        [("a·fix·1", 100)],
        lambda a: {"trials": (attempt("a", [evolve(a[0], why="said otherwise")]),)},
    )

    assert () == found.differences


def test_each_attempt_at_one_trial_has_its_own_receipts(told) -> None:
    found = told(
        [("a·fix·1", 30), ("a·fix·1", 20), ("a·fix·1", 10)],
        lambda first, second, third: {
            "again": (
                attempt("a", first, ending=Ending.INFRA, started_at="1"),
                attempt("a", (), ending=Ending.INFRA, started_at="2"),
                attempt("a", second, ending=Ending.INTERRUPTED, started_at="3"),
            ),
            "trials": (attempt("a", third, started_at="4"),),
        },
    )

    assert ((), ("1 attempt without joules and without receipts",)) == (
        found.differences,
        found.notes,
    )


def test_the_joules_of_an_attempt_that_was_made_again_are_not_those_of_the_last(told) -> None:
    found = told(
        [("a·fix·1", 3), ("a·fix·1", 100)],
        lambda first, _: {"trials": (attempt("a", first),)},
    )

    assert ("a · fix: host: joules is 3.0, by its receipts 100.0",) == tuple(
        line.partition(";")[0] for line in found.differences
    )
    assert ("1 window of no attempt that is recorded",) == found.notes


def test_an_attempt_that_was_cut_off_before_it_was_recorded_is_only_told(told) -> None:
    found = told(
        [("a·fix·1", 3), ("a·fix·1", 100)],
        lambda _, last: {"trials": (attempt("a", last),)},
    )

    assert ((), ("1 window of no attempt that is recorded",)) == (found.differences, found.notes)


def test_joules_without_receipts_are_a_difference_and_nothing_without_them_is_none(told) -> None:
    found = told(
        [("a·fix·1", 3)],
        lambda a: {
            "trials": (attempt("a", a), attempt("b", a), attempt("c", (), ending=Ending.SKIPPED))
        },
    )

    assert ("b · fix: it has joules, and no receipts",) == found.differences
    assert ("1 attempt without joules and without receipts",) == found.notes


def test_a_trial_that_came_to_its_end_and_tells_no_joules_differs(told) -> None:
    found = told([("a·fix·1", 3)], lambda _: {"trials": (attempt("a", ()),)})

    assert ("a · fix: host: it has no figure",) == found.differences


def test_what_no_meter_saw_is_an_estimate_that_follows_from_the_tokens(told) -> None:
    def record(own):
        figures = side_by_side(own, [CLAUDE])
        local, remote = figures
        made_up = evolve(local, boundary=Boundary.GPU)
        edited = (
            figures,
            (local, evolve(remote, joules=1.0)),
            (local, evolve(remote, label=Label.HARDWARE_SHUNT)),
            (local, evolve(remote, meter="a later version", joules=1.0)),
            (local, made_up),
        )
        return {
            "trials": tuple(
                attempt("a", energy, usage=(CLAUDE,), solver=f"fix{number}")
                for number, energy in enumerate(edited)
            )
        }

    found = told([("a·fix·1", 3)], record)
    assert 5 == len(found.differences)  # none of these solvers has receipts

    def one(index: int):
        return lambda own: {"trials": (evolve(record(own)["trials"][index], solver="fix"),)}

    said = [told([("a·fix·1", 3)], one(index)).differences for index in range(5)]

    assert [
        (),
        ("a · fix: remote-inference: joules do not follow from its tokens",),
        ("a · fix: remote-inference, measured-hardware-shunt: a figure that is in no receipt",),
        (),
        ("a · fix: gpu, measured-hardware-shunt: a figure that is in no receipt",),
    ] == said


def test_one_attempt_carries_the_joules_of_a_batch_and_the_others_none(rig, tmp_path) -> None:
    own = rig()
    with own.ledger:
        windows = [own.ledger.begin(f"{task}·fix·1", group="fix") for task in "ab"]
        own.passes(10, pkg0=3000 * J)
        for window in windows:
            window.end()
        late = own.ledger.begin("c·fix·1", group="fix")
        own.passes(10, pkg0=70 * J)
        late.end()
        alone, (single,) = windows[0].energies(), late.energies()
        windows[1].energies()
        (total,) = own.ledger.batch("fix")
    receipts = verify(tmp_path / "energy.jsonl")

    def said(*energies: Energy) -> tuple[str, ...]:
        trials = tuple(attempt(task, [own]) for task, own in zip("abc", energies, strict=True))
        record = RunRecord(label="r", suite="s", solvers=("fix",), tasks=(), trials=trials)
        return tuple(
            line.partition(": granularity")[0] for line in agreement(record, receipts).differences
        )

    inside = covered(total)
    assert 3070.0 == total.joules
    assert () == said(inside, total, inside)
    assert ("fix: no trials carry the joules of its batch, and one should",) == said(
        inside, inside, inside
    )
    assert ("fix: 2 trials carry the joules of its batch, and one should",) == said(
        total, total, inside
    )
    assert (
        "c · fix: host",
        "fix: 2 trials carry the joules of its batch, and one should",
    ) == said(total, inside, single)
    assert ("a · fix: host",) == said(alone[0], total, inside)


def test_the_stages_of_an_attempt_are_compared_too(rig, tmp_path) -> None:
    own = rig()
    with own.ledger:
        whole = own.ledger.begin("a·fix·1", group="fix")
        parts = []
        for name, joules in (("cheap", 40), ("dear", 60)):
            part = own.ledger.begin(f"a·fix·1·{name}", group="fix", parent=whole)
            own.passes(10, pkg0=joules * J)
            part.end()
            stage = Stage(solver=name, ending=Ending.FINISHED, wall_s=10, energy=part.energies())
            parts.append(stage)
        whole.end()
        trial = attempt("a", whole.energies(), stages=tuple(parts))
    receipts = verify(tmp_path / "energy.jsonl")

    def said(*stages: Stage) -> tuple[str, ...]:
        trials = (evolve(trial, stages=stages),)
        record = RunRecord(label="r", suite="s", solvers=("fix",), tasks=(), trials=trials)
        return agreement(record, receipts).differences

    cheap, dear = parts
    assert () == said(cheap, dear)
    assert ("a · fix: its stages are not those of its receipts",) == said(dear)
    (difference,) = said(cheap, evolve(dear, energy=cheap.energy))
    assert difference.startswith(
        "a · fix, stage dear: host: joules is 40.0, by its receipts 60.0; gross_j is 40.0,"
    )


def test_what_selectors_used_is_compared_with_any_of_their_windows(told) -> None:
    made_up = Energy(joules=0.1, boundary=Boundary.HOST, label=Label.HARDWARE_SHUNT)
    windows = [("a·fix·1", 9), ("a·vote-on-fix", 3), ("a·vote-on-fix", 4)]

    def picked(energy: Callable[..., Sequence[Energy]]) -> Agreement:
        def record(trial, first, last):
            pick = Pick(task="a", rollout=1, energy=tuple(energy(first, last)))
            chosen = Selection(selector="vote", solver="fix", picks=(pick,))
            return {"trials": (attempt("a", trial),), "selections": (chosen,)}

        return told(windows, record)

    assert Agreement(compared=1) == picked(lambda first, _: first)
    (difference,) = picked(lambda *_: [made_up]).differences
    assert difference.startswith("a · vote on fix: host: joules is 0.1, by its receipts 4.0;")
