"""Records of runs that never were: small ones, an empty one, one without figures, large ones."""

from collections.abc import Iterator

from attrs import evolve

from fairtrial.api import (
    Boundary,
    Check,
    CheckKind,
    CostSource,
    Ending,
    Energy,
    Label,
    PlannedTask,
    RunRecord,
    Trial,
    Usage,
    Verdict,
)

SOLVERS = ("cheap", "dear")
STARTED = "2026-01-01T00:00:00Z"


def _verdict(passed: bool | None) -> Verdict:
    code = "" if passed else "hidden-check"
    check = Check(name="answer", kind=CheckKind.VISIBLE, passed=passed, code=code)
    return Verdict(checks=(check,), suite_version="three-1")


def _planned(name: str) -> PlannedTask:
    return PlannedTask(id=name, family=name, digest=f"{name:0>64}")


def _trial(task: str, solver: str, rollout: int, *, passed: bool, number: int) -> Trial:
    joules = Energy(joules=10.0 + number, boundary=Boundary.HOST, label=Label.ESTIMATOR)
    usage = Usage(
        model="scripted-1",
        input_uncached=1_000 + number,
        output=100,
        cost_usd=0.01 * (1 + number % 7),
        cost_source=CostSource.PRICED,
    )
    return Trial(
        task=task,
        digest=f"{task:0>64}",
        family=task,
        solver=solver,
        rollout=rollout,
        ending=Ending.FINISHED,
        verdict=_verdict(passed),
        wall_s=1.0 + number % 13,
        usage=(usage,),
        energy=(evolve(joules, low_j=5.0, high_j=40.0, meter="estimator"),),
        findings=(),
        changed=("answer.txt",),
        diff_added=1,
        diff_removed=0,
        started_at=STARTED,
    )


def three_trial_run(label: str = "three") -> RunRecord:
    """Returns one solver on three tasks: one resolved, one not, one broken for a reason of ours."""
    trials = (
        _trial("add", "cheap", 1, passed=True, number=0),
        _trial("length", "cheap", 1, passed=False, number=1),
        evolve(
            _trial("upper", "cheap", 1, passed=False, number=2),
            ending=Ending.INFRA,
            verdict=None,
            note="the provider was away",
        ),
    )
    tasks = tuple(map(_planned, ("add", "length", "upper")))
    return RunRecord(
        label=label,
        suite="three",
        suite_version="three-1",
        started_at=STARTED,
        solvers=("cheap",),
        tasks=tasks,
        trials=trials,
    )


def two_runs() -> tuple[RunRecord, RunRecord]:
    """Returns two runs of one solver on the same tasks; the second one resolves one more."""
    before = three_trial_run("before")
    better = evolve(before.trials[1], verdict=_verdict(passed=True))
    trials = (before.trials[0], better, before.trials[2])
    return before, evolve(before, label="after", trials=trials)


def empty_run() -> RunRecord:
    """Returns a run that planned nothing and did nothing."""
    return RunRecord(label="empty", suite="three", solvers=(), tasks=())


def silent_run() -> RunRecord:
    """Returns a run of which nothing is known but that its trials ended."""
    trials = tuple(
        Trial(
            task=trial.task,
            digest=trial.digest,
            family=trial.family,
            solver=trial.solver,
            ending=Ending.FINISHED,
        )
        for trial in three_trial_run().trials
    )
    return evolve(three_trial_run("silent"), trials=trials)


def big_run(trials: int) -> RunRecord:
    """Returns a run of so many trials, of two solvers on a hundred tasks, two in three resolved."""
    names = [f"task-{number:03}" for number in range(100)]
    cells = len(names) * len(SOLVERS)
    return RunRecord(
        label="big",
        suite="hundred",
        suite_version="three-1",
        started_at=STARTED,
        solvers=SOLVERS,
        rollouts=max(1, -(-trials // cells)),
        tasks=tuple(map(_planned, names)),
        trials=tuple(_many(names, trials)),
    )


def _many(names: list[str], trials: int) -> Iterator[Trial]:
    for number in range(trials):
        rollout, cell = divmod(number, len(names) * len(SOLVERS))
        solver, task = divmod(cell, len(names))
        yield _trial(
            names[task], SOLVERS[solver], rollout + 1, passed=number % 3 > 0, number=number
        )
