"""Joules of several kinds, in words of meters that forge nothing."""

from attrs import evolve
from fairtrial.api import Boundary, Energy, Label, RunRecord, Selection, Trial
from fairtrial.conformance.fakes.records import big_run
from fairtrial_reporter_table import TableReporter

HOSTILE = "model, 15 W\x1b[31m\n## Forged"


def estimated_by(**sensors: str) -> RunRecord:
    """A run of two rollouts, in which each solver's joules were estimated by another sensor."""

    def metered(trial: Trial) -> Trial:
        sensor = sensors[trial.solver]
        joules = Energy(joules=5.0, boundary=Boundary.HOST, label=Label.ESTIMATOR, sensor=sensor)
        return evolve(trial, energy=(joules,))

    run = big_run(400)
    picked = tuple(Selection(selector="vote", solver=solver) for solver in run.solvers)
    return evolve(run, trials=tuple(map(metered, run.trials)), selections=picked)


def test_nothing_of_a_meter_s_text_reaches_the_terminal_or_forges_a_heading() -> None:
    run = estimated_by(cheap=HOSTILE, dear="model, 30 W")
    (document,) = TableReporter(resamples=100).report([run])
    lines = document.body.decode().split("\n")
    kind = r"host, estimator, gross, by model, 15 W␛\[31m ## Forged"
    assert 2 == lines.count(f"### Joules: {kind}")
    assert 1 == lines.count(f"joules: {kind}")
    assert not [line for line in lines if "\x1b" in line or line.startswith("## Forged")]
