from collections.abc import Callable

import pytest

from fairtrial.api.attempt import Ending
from fairtrial.api.finding import Finding
from fairtrial.api.reading import Boundary, Energy, Label
from fairtrial.api.record import PlannedTask, RunRecord, Trial
from fairtrial.api.usage import CostSource, Usage
from fairtrial.api.verdict import Check, CheckKind, Verdict

MakeTrial = Callable[..., Trial]
MakeRun = Callable[..., RunRecord]


def _verdict(resolved: bool | None, heldout: bool | None) -> Verdict:
    checks = [Check(name="visible", kind=CheckKind.VISIBLE, passed=resolved, code="hidden-check")]
    if heldout is not None:
        checks.append(Check(name="companion", kind=CheckKind.HELD_OUT, passed=heldout))
    return Verdict(checks=tuple(checks), suite_version="1")


def _findings(clean: bool | None) -> tuple[Finding, ...] | None:
    if clean is None:
        return None
    return () if clean else (Finding(rule="weakened-test", enforcing=True),)


@pytest.fixture
def make_trial() -> MakeTrial:
    def make(
        task: str = "t1",
        resolved: bool | None = True,
        *,
        solver: str = "x",
        rollout: int = 1,
        energy_j: float | None = None,
        cost_usd: float | None = None,
        clean: bool | None = None,
        heldout: bool | None = None,
        **fields: object,
    ) -> Trial:
        values: dict[str, object] = {
            "digest": task,
            "family": task,
            "ending": Ending.FINISHED,
            "verdict": _verdict(resolved, heldout),
            "findings": _findings(clean),
            "wall_s": 1.0,
        }
        if energy_j is not None:
            joules = Energy(
                joules=energy_j, boundary=Boundary.HOST, label=Label.HARDWARE_SHUNT, meter="rapl"
            )
            values["energy"] = (joules,)
        if cost_usd is not None:
            values["usage"] = (Usage(cost_usd=cost_usd, cost_source=CostSource.REPORTED),)
        values |= fields
        return Trial(task=task, solver=solver, rollout=rollout, **values)  # type: ignore[arg-type] - a test's own fields

    return make


@pytest.fixture
def make_run() -> MakeRun:
    def make(*trials: Trial, **fields: object) -> RunRecord:
        tasks = dict.fromkeys((trial.task, trial.family, trial.digest) for trial in trials)
        values: dict[str, object] = {
            "label": "run",
            "suite": "smoke",
            "solvers": tuple(dict.fromkeys(trial.solver for trial in trials)),
            "rollouts": max((trial.rollout for trial in trials), default=1),
            "tasks": tuple(
                PlannedTask(id=task, family=family, digest=digest)
                for task, family, digest in tasks
            ),
            "trials": trials,
        }
        values |= fields
        return RunRecord(**values)  # type: ignore[arg-type] - a test's own fields

    return make
