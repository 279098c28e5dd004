"""The trials of two arms take turns."""

from attrs import evolve
from fairtrial.api import RunArm
from fairtrial.config import RunTable
from fairtrial.conformance.fakes import ThreeTaskSuite
from fairtrial.engine.directory import SLUG, SOLVER
from fairtrial.engine.plan import plan, shifts

ARMS = (
    RunArm(name="before", solvers=("mine@before", "other@before")),
    RunArm(name="after", solvers=("mine@after", "other@after")),
)
SOLVERS = ("noop", "mine@before", "mine@after", "other@before", "other@after")


def test_the_arm_that_comes_first_changes_from_task_to_task_and_from_rollout_to_rollout() -> None:
    run = RunTable(suite="s", solvers=SOLVERS, rollouts=2)
    cells = plan(ThreeTaskSuite().tasks(), run, arms=ARMS).cells
    swapped = ("noop", "mine@after", "mine@before", "other@after", "other@before")
    orders = [tuple(cell.solver for cell in cells[at : at + 5]) for at in range(0, len(cells), 5)]
    assert [SOLVERS, swapped, swapped, SOLVERS, SOLVERS, swapped] == orders
    # All of a task comes before the next one, so that both arms meet the same hours.
    tasks = [cell.task.id for cell in cells]
    assert tasks == sorted(tasks, key=list(dict.fromkeys(tasks)).index)


def test_without_arms_the_order_is_the_configs() -> None:
    cells = plan(ThreeTaskSuite().tasks(), RunTable(suite="s", solvers=("a", "b"))).cells
    assert ["a", "b"] * 3 == [cell.solver for cell in cells]


def test_solver_by_solver_all_of_one_comes_before_the_next() -> None:
    run = RunTable(suite="s", solvers=("b", "a"), rollouts=2, order="solvers")
    cells = plan(ThreeTaskSuite().tasks(), run).cells

    assert ["b"] * 6 + ["a"] * 6 == [cell.solver for cell in cells]
    assert [1, 2] * 6 == [cell.rollout for cell in cells]
    assert [cells[:6], cells[6:]] == [*shifts(cells, run)]
    assert [cells] == [*shifts(cells, evolve(run, order="tasks"))]


def test_an_arm_may_have_a_time_of_its_own() -> None:
    run = RunTable(suite="s", solvers=SOLVERS, timeout_s=30)
    cells = plan(ThreeTaskSuite().tasks(), run, arms=ARMS, timeouts={"mine@after": 60.0}).cells
    times = {(cell.solver, cell.task.brief.timeout_s) for cell in cells}
    assert {("mine@before", 30), ("mine@after", 60), ("noop", 30)} <= times
    assert len(SOLVERS) == len(times)
    assert 1 == len({cell.task.digest for cell in cells if cell.task.id == cells[0].task.id})


def test_only_a_solver_can_have_an_arm_in_its_name() -> None:
    assert SOLVER.match("mine@before")
    for name in ("@before", "mine@", "a@b@c", "a@../b", "mine@-x", "a@b\n", "a/b"):
        assert not SOLVER.match(name)
    assert not SLUG.match("mine@before")
