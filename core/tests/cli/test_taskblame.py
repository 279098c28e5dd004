import errno
from collections.abc import Callable, Sequence

import pytest
from attrs import frozen
from fairtrial.api import (
    ConfigError,
    MachineError,
    SandboxDied,
    Suite,
    SuiteError,
    Task,
)
from fairtrial.cli.taskblame import blamed, made_ready
from fairtrial.conformance.fakes import ThreeTaskSuite

(TASK, *_) = ThreeTaskSuite().tasks()


def of_task(task: Task) -> Exception:
    return SuiteError(problem="it can't be fetched", way_on="see the network", task=task.id)


def of_nobody(_: Task) -> Exception:
    return ValueError("odd")


@frozen(kw_only=True)
class Unready(ThreeTaskSuite):
    """Can't make ready for the second of its tasks."""

    error: Callable[[Task], BaseException]

    def preflight(self, tasks: Sequence[Task], /) -> None:
        second = tuple(self.tasks())[1]
        if second in tasks:
            raise self.error(second)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (of_task, "it can't be fetched; see the network"),
        (of_nobody, "unexpected ValueError: odd"),
        (lambda _: SystemExit(0), "unexpected SystemExit: 0"),
    ],
)
def test_a_task_that_can_not_be_made_ready_hides_no_other(
    error: Callable[[Task], BaseException], said: str
) -> None:
    suite: Suite = Unready(error=error)
    tasks = tuple(suite.tasks())
    found = list(made_ready(suite, tasks))
    assert [(tasks[0], ""), (tasks[1], said), (tasks[2], "")] == found


@pytest.mark.parametrize(
    "error", [ConfigError(problem="x"), SuiteError(problem="no open issue for a, b")]
)
def test_what_is_wrong_with_all_of_a_suite_ends_the_check(error: Exception) -> None:
    suite: Suite = Unready(error=lambda _: error)
    with pytest.raises(type(error)):
        list(made_ready(suite, tuple(suite.tasks())))


def test_a_suite_that_makes_nothing_ready_hinders_no_task() -> None:
    suite: Suite = ThreeTaskSuite()
    assert ["", "", ""] == [why for _, why in made_ready(suite, tuple(suite.tasks()))]


@pytest.mark.parametrize(
    "error",
    [
        MachineError(problem="the sandbox can't be used here"),
        OSError(errno.ENOSPC, "No space left on device"),
    ],
)
def test_no_task_is_blamed_for_the_machine(error: Exception) -> None:
    with pytest.raises(type(error)):
        blamed(TASK, error)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (SandboxDied(problem="it died"), "it died"),
        (OSError(errno.E2BIG, "Argument list too long"), "Argument list too long"),
        (PermissionError(errno.EACCES, "Permission denied", "x"), "Permission denied: x"),
        (RecursionError("too deep"), "unexpected RecursionError: too deep"),
    ],
)
def test_whatever_else_comes_up_is_told_of_the_task(error: Exception, said: str) -> None:
    assert said == blamed(TASK, error)
