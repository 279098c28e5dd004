import json
from collections.abc import Sequence
from typing import Any  # noqa: TID251 - parsed JSON

import pytest
from attrs import evolve, frozen
from fairtrial.api import Boundary, Energy, Label, RunRecord, Selection
from fairtrial.conformance.fakes.records import (
    big_run,
    empty_run,
    silent_run,
    three_trial_run,
    two_runs,
)
from fairtrial_reporter_json import JsonReporter
from fairtrial_reporter_json.report import Report
from fairtrial_reporter_json.reporter import schema_text
from fairtrial_reporter_json.schema import schema_of
from jsonschema import Draft202012Validator


def report(*runs: RunRecord, trials: bool = False) -> dict[str, Any]:
    (document,) = JsonReporter(trials=trials, resamples=200).report(runs)
    found: dict[str, Any] = json.loads(document.body)
    return found


def odd_energy() -> RunRecord:
    run = three_trial_run()
    energy = Energy(joules=float("nan"), boundary=Boundary.HOST, label=Label.ESTIMATOR)
    return evolve(run, trials=tuple(evolve(trial, energy=(energy,)) for trial in run.trials))


@pytest.mark.parametrize(
    "runs",
    [(), (empty_run(),), (silent_run(),), two_runs(), (big_run(1000),), (odd_energy(),)],
    ids=["none", "empty", "silent", "two", "big", "not-a-number"],
)
def test_every_report_keeps_to_the_published_schema(runs: Sequence[RunRecord]) -> None:
    validator = Draft202012Validator(json.loads(schema_text()))
    validator.validate(report(*runs, trials=True))
    validator.validate(report(*runs))


def test_the_published_schema_is_the_form_s() -> None:
    assert json.loads(schema_text()) == schema_of(Report)
    Draft202012Validator.check_schema(json.loads(schema_text()))


def test_the_schema_refuses_a_key_that_it_does_not_know() -> None:
    found = report(three_trial_run())
    found["runs"][0]["nonsense"] = 1
    assert list(Draft202012Validator(json.loads(schema_text())).iter_errors(found))


def test_the_schema_comes_along_where_it_is_asked_for() -> None:
    names = [document.name for document in JsonReporter(schema=True).report([three_trial_run()])]
    assert names == ["report.json", "report.schema.json"]


def test_the_figures_are_the_run_s() -> None:
    (run,) = report(three_trial_run())["runs"]
    (point,) = run["frontier"]["points"]
    assert point["counts"]["planned"] == 3
    assert point["counts"]["infra"] == 1
    assert point["resolution"] is None
    assert point["refusal"]
    assert run["trials"] is None


def test_an_unfinished_run_is_said_to_be_one_and_has_no_share() -> None:
    (run,) = report(evolve(three_trial_run(), rollouts=2), trials=True)["runs"]
    assert {"label": "three", "planned": 6, "trials": 3} == run["unfinished"]
    (point,), (curve,), (honesty,) = run["frontier"]["points"], run["best_of_k"], run["honesty"]
    assert (2, None, None) == (
        point["counts"]["resolved"] + point["counts"]["failed"],
        point["resolution"],
        point["interval"],
    )
    refusals = [part["refusal"] for part in (point, curve, honesty, run["trials"][0])]
    assert [point["refusal"]] * 4 == refusals
    assert point["refusal"].startswith("4 of 6 trials (67%)")
    assert (None, None) == (honesty["pass_rate"], honesty["clean_rate"])


def test_what_is_in_no_sum_stands_beside() -> None:
    (run,) = report(three_trial_run())["runs"]
    (aside,) = run["asides"]
    assert ("cheap", "infra", 1) == (aside["solver"], aside["kind"], aside["attempts"])
    assert (12.0, 0.03) == (aside["energies"][0]["known_j"], aside["cost"]["known_usd"])


def test_selections_stand_beside_the_solvers_that_they_chose_from() -> None:
    chosen = Selection(selector="vote", solver="cheap", picks=())
    found = report(evolve(three_trial_run(), selections=(chosen,)))

    Draft202012Validator(json.loads(schema_text())).validate(found)
    (selected,) = found["runs"][0]["selections"]
    assert ("cheap", "vote") == (selected["solver"], selected["selector"])


def test_trials_are_listed_on_demand() -> None:
    (run,) = report(three_trial_run(), trials=True)["runs"]
    assert [trial["task"] for trial in run["trials"]] == ["add", "length", "upper"]


def test_what_is_not_a_number_is_null() -> None:
    (run,) = report(odd_energy())["runs"]
    assert run["frontier"]["points"][0]["energies"][0]["joules"]["known_j"] is None


def test_a_type_without_a_json_form_has_no_schema() -> None:
    @frozen
    class Odd:
        value: bytes

    with pytest.raises(TypeError, match="no JSON form"):
        schema_of(Odd)
