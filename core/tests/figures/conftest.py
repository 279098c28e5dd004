from collections.abc import Callable
from typing import Any  # noqa: TID251 - a builder of records takes any field of theirs

import pytest
from fairtrial.api.attempt import Ending
from fairtrial.api.energy import Energy
from fairtrial.api.finding import Finding
from fairtrial.api.reading import Boundary, Label
from fairtrial.api.record import PlannedTask, RunRecord, Trial
from fairtrial.api.usage import CostSource, Usage
from fairtrial.api.verdict import Check, CheckKind, Verdict


def _verdict(resolved: bool | None, heldout: bool | None) -> Verdict:
    checks = [Check(name="visible", kind=CheckKind.VISIBLE, passed=resolved, code="hidden-check")]
    if heldout is not None:
        checks.append(Check(name="companion", kind=CheckKind.HELD_OUT, passed=heldout))
    return Verdict(checks=tuple(checks), suite_version="1")


def _findings(clean: bool | None) -> tuple[Finding, ...] | None:
    if clean is None:
        return None
    return () if clean else (Finding(rule="weakened-test", enforcing=True),)


def _energy(energy_j: float | None) -> tuple[Energy, ...]:
    if energy_j is None:
        return ()
    return (
        Energy(joules=energy_j, boundary=Boundary.HOST, label=Label.HARDWARE_SHUNT, meter="rapl"),
    )


def _usage(cost_usd: float | None) -> tuple[Usage, ...]:
    if cost_usd is None:
        return ()
    return (Usage(cost_usd=cost_usd, cost_source=CostSource.REPORTED),)


def build_trial(task: str = "t1", resolved: bool | None = True, **fields: Any) -> Trial:
    heldout, clean = fields.pop("heldout", None), fields.pop("clean", None)
    values: dict[str, Any] = {
        "task": task,
        "digest": task,
        "family": task,
        "solver": "x",
        "ending": Ending.FINISHED,
        "verdict": _verdict(resolved, heldout),
        "findings": _findings(clean),
        "wall_s": 1.0,
        "energy": _energy(fields.pop("energy_j", None)),
        "usage": _usage(fields.pop("cost_usd", None)),
    }
    return Trial(**(values | fields))


def build_run(*trials: Trial, **fields: Any) -> RunRecord:
    tasks = dict.fromkeys((trial.task, trial.family, trial.digest) for trial in trials)
    values: dict[str, Any] = {
        "label": "run",
        "suite": "smoke",
        "solvers": tuple(dict.fromkeys(trial.solver for trial in trials)),
        "rollouts": max((trial.rollout for trial in trials), default=1),
        "tasks": tuple(
            PlannedTask(id=task, family=family, digest=digest) for task, family, digest in tasks
        ),
        "trials": trials,
    }
    return RunRecord(**(values | fields))


@pytest.fixture
def make_trial() -> Callable[..., Trial]:
    return build_trial


@pytest.fixture
def make_run() -> Callable[..., RunRecord]:
    return build_run
