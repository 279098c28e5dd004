import csv
import io

import pytest
from attrs import evolve
from fairtrial.api import Boundary, Energy, Label, RunRecord
from fairtrial.conformance.fakes.records import empty_run, silent_run, three_trial_run
from fairtrial_reporter_csv import CsvReporter
from fairtrial_reporter_csv.reporter import COLUMNS
from hypothesis import given
from hypothesis import strategies as st


def read(record: RunRecord, reporter: CsvReporter | None = None) -> list[dict[str, str]]:
    (document,) = (reporter or CsvReporter()).report([record])
    return list(csv.DictReader(io.StringIO(document.body.decode(), newline="")))


def test_every_trial_is_a_line_with_its_figures() -> None:
    lines = read(three_trial_run())
    assert [line["task"] for line in lines] == ["add", "length", "upper"]
    assert [line["resolved"] for line in lines] == ["true", "false", ""]
    assert [line["counted"] for line in lines] == ["attempted", "attempted", "infra"]
    assert (lines[0]["cost_usd"], lines[0]["cost_source"]) == ("0.01", "priced")
    assert (lines[0]["energy_j"], lines[0]["energy_label"]) == ("10.0", "estimator")
    assert lines[2]["why"] == "infra: the provider was away"


def test_the_joules_of_each_boundary_stand_in_columns_of_their_own() -> None:
    run = three_trial_run()
    shunt = Label.HARDWARE_SHUNT
    parts = (
        Energy(joules=None, boundary=Boundary.HOST, label=shunt, flags=("counter-reset",)),
        Energy(
            joules=3.0,
            gross_j=9.0,
            idle_j=6.0,
            boundary=Boundary.GPU,
            label=shunt,
            coverage=("gpu0", "gpu1"),
            sensor="shunt",
        ),
        Energy(joules=200.0, low_j=100.0, high_j=400.0, boundary=Boundary.REMOTE, label=shunt),
    )
    (line,) = read(evolve(run, trials=(evolve(run.trials[0], energy=parts),)))
    assert {
        "host_energy_j": "",
        "host_energy_gross_j": "",
        "host_energy_basis": "",
        "host_energy_label": "measured-hardware-shunt",
        "host_energy_granularity": "trial",
        "host_energy_reliable": "false",
        "host_energy_flags": "counter-reset",
        "host_energy_coverage": "",
        "host_energy_sensor": "",
        "gpu_energy_j": "3.0",
        "gpu_energy_gross_j": "9.0",
        "gpu_energy_basis": "net",
        "gpu_energy_label": "measured-hardware-shunt",
        "gpu_energy_granularity": "trial",
        "gpu_energy_reliable": "true",
        "gpu_energy_flags": "",
        "gpu_energy_coverage": "gpu0; gpu1",
        "gpu_energy_sensor": "shunt",
        "remote_energy_j": "200.0",
        "remote_energy_low_j": "100.0",
        "remote_energy_high_j": "400.0",
    } == {
        name: value
        for name, value in line.items()
        if name.startswith(("host_", "gpu_", "remote_"))
    }
    assert {""} == {line[name] for name in line if name.startswith(("module_", "wall_energy_"))}
    assert ("host", "") == (line["energy_boundary"], line["energy_basis"])


def test_new_columns_stand_behind_those_that_were_there() -> None:
    assert ("run", "suite", "task") == COLUMNS[:3]
    refusal = COLUMNS.index("refusal")
    assert ("remote_energy_low_j", "remote_energy_high_j", "energy_basis", "host_energy_j") == (
        COLUMNS[refusal + 1 : refusal + 5]
    )
    flags = COLUMNS.index("wall_energy_flags")
    assert ("host_energy_coverage", "host_energy_sensor") == COLUMNS[flags + 1 : flags + 3]
    assert "energies" not in COLUMNS


def test_each_line_says_where_its_solver_gets_no_headline() -> None:
    unfinished = evolve(three_trial_run(), rollouts=2, max_infra_share=0.3)
    said = {line["refusal"] for line in read(unfinished)}
    assert [True] == [each.startswith("4 of 6 trials (67%) say nothing") for each in said]
    assert {""} == {line["refusal"] for line in read(evolve(unfinished, max_infra_share=0.7))}


def test_what_is_not_known_is_an_empty_cell() -> None:
    for line in read(silent_run()):
        assert line["cost_usd"] == line["energy_j"] == line["wall_s"] == line["resolved"] == ""


def test_an_empty_run_has_the_headings_alone() -> None:
    (document,) = CsvReporter().report([empty_run()])
    assert document.body.decode() == ",".join(COLUMNS) + "\r\n"


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-2", "@SUM(A1)", " =x", "\t=x"])
def test_a_text_that_a_spreadsheet_would_run_is_made_a_text(text: str) -> None:
    run = three_trial_run()
    trials = (evolve(run.trials[0], model=text),)
    (line, *_) = read(evolve(run, trials=trials))
    assert line["model"].startswith("'")


@given(st.text(max_size=40))
def test_any_text_comes_back_as_one_cell_without_control_characters(text: str) -> None:
    run = three_trial_run()
    trials = (evolve(run.trials[0], model=text),)
    (line,) = read(evolve(run, trials=trials))
    assert line["model"].isprintable()
    assert line["digest"] == run.trials[0].digest


def test_columns_can_be_chosen_and_an_unknown_one_is_refused() -> None:
    (document,) = CsvReporter(columns=("task", "resolved")).report([three_trial_run()])
    assert document.body == b"task,resolved\r\nadd,true\r\nlength,false\r\nupper,\r\n"
    with pytest.raises(ValueError, match="in"):
        CsvReporter(columns=("nonsense",))


def test_control_arms_can_be_left_out() -> None:
    run = three_trial_run()
    trials = tuple(evolve(trial, solver="noop") for trial in run.trials)
    both = evolve(run, solvers=("cheap", "noop"), trials=(*run.trials, *trials))
    assert len(read(both)) == 6
    assert len(read(both, CsvReporter(controls=False))) == 3
