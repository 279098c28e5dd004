from collections.abc import Callable

from attrs import evolve
from fairtrial.api.attempt import Ending
from fairtrial.api.energy import Energy
from fairtrial.api.finding import Finding
from fairtrial.api.reading import Boundary, Label
from fairtrial.api.record import RunRecord, Trial
from fairtrial.api.usage import CostSource, Usage
from fairtrial.figures.basis import Basis
from fairtrial.figures.lines import lines
from fairtrial.figures.spending import cost_of, cost_source
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Make = Callable[..., Trial]
MakeRun = Callable[..., RunRecord]


def test_a_line_holds_the_trial_s_figures(make_trial: Make, make_run: MakeRun) -> None:
    trial = make_trial(
        "t1",
        True,
        usage=(Usage(cost_usd=0.5, cost_source=CostSource.REPORTED, output=3),),
        energy=(
            Energy(joules=700.0, boundary=Boundary.REMOTE, label=Label.ESTIMATOR),
            Energy(joules=5.0, boundary=Boundary.GPU, label=Label.HARDWARE_SHUNT),
        ),
        findings=(
            Finding(rule="weakened-test", enforcing=True),
            Finding(rule="remark", enforcing=False),
        ),
        heldout=False,
        changed=("a.py", "b.py"),
    )
    (line,) = lines(make_run(trial))
    assert (line.energy_j, line.energy_boundary, line.remote_energy_j) == (5, Boundary.GPU, 700)
    assert (line.energy_basis, line.energies) == (Basis.GROSS, trial.energy)
    assert (line.cost_usd, line.cost_source, line.output) == (0.5, CostSource.REPORTED, 3)
    assert (line.rules, line.clean, line.heldout, line.changed) == (
        "weakened-test",
        False,
        False,
        2,
    )
    assert line.counted == "attempted"


def test_every_trial_has_a_line_that_says_how_it_counts(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(
        make_trial("a"),
        make_trial("b", None, verdict=None, ending=Ending.INFRA, note="no disk"),
        make_trial("c", None, verdict=None, ending=Ending.SKIPPED),
        make_trial("d"),
        make_trial("e"),
    )
    tasks = (*run.tasks[:3], evolve(run.tasks[3], invalid="x"), evolve(run.tasks[4], digest="z"))
    found = {line.task: (line.counted, line.why) for line in lines(evolve(run, tasks=tasks))}
    assert found == {
        "a": ("attempted", ""),
        "b": ("infra", "infra: no disk"),
        "c": ("unfinished", "skipped-budget"),
        "d": ("apart", ""),
        "e": ("stale", ""),
    }


usages = st.lists(
    st.builds(
        Usage,
        cost_usd=st.one_of(st.none(), st.floats(0, 9)),
        cost_source=st.sampled_from(CostSource),
    ),
    max_size=3,
).map(tuple)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(usages, st.one_of(st.none(), usages))
def test_the_quick_sum_of_dollars_agrees_with_the_record_s(
    make_trial: Make, told: tuple[Usage, ...], metered: tuple[Usage, ...] | None
) -> None:
    trial = make_trial(usage=told, metered=metered)
    assert cost_of(trial) == trial.cost_usd
    assert (cost_source(trial) is None) is (trial.cost_usd is None)


def test_what_an_attempt_said_of_its_failure_follows_the_reasons_whole_and_once(
    make_trial: Make, make_run: MakeRun
) -> None:
    note = "exit status 2: " + "x" * 300
    (line,) = lines(make_run(make_trial("a", False, note=f"{note}\nand more")))
    assert f"hidden check failed; {note}" == line.why
    (line,) = lines(make_run(make_trial("a", False, note="check failed")))
    assert "hidden check failed" == line.why
    (line,) = lines(make_run(make_trial("a", True, note=note)))
    assert not line.why


def test_an_attempt_that_was_stopped_while_it_was_graded_says_so(
    make_trial: Make, make_run: MakeRun
) -> None:
    stopped = make_trial("a", verdict=None, note="exit status 2: no key")

    (line,) = lines(make_run(stopped))

    assert "not graded: the run was stopped meanwhile" == line.why
