import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from attrs import define, field
from fairtrial.api import EndedBy, Fence, Usage, Workspace
from fairtrial.conformance.fakes import open_local
from fairtrial.engine.overdraft import ended_past_budget


@define
class Spent:
    exhausted: bool = True
    environment: Mapping[str, str] = field(factory=dict)
    socket: Path | None = None

    def usage(self) -> tuple[Usage, ...]:
        return ()

    def close(self) -> None:
        pass


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with open_local("test", Fence()) as workspace:
        yield workspace


def test_past_the_budget_programs_are_ended_also_those_that_start_later(
    workspace: Workspace,
) -> None:
    with ended_past_budget(Spent(), workspace, grace_s=0.05):
        ends = [workspace.run(["sleep", "60"], timeout_s=30.0) for _ in range(2)]
    assert [EndedBy.CALLER] * 2 == [end.ended_by for end in ends]
    assert all(end.wall_s < 10.0 for end in ends)


def test_who_leaves_by_itself_is_left_alone(workspace: Workspace) -> None:
    with ended_past_budget(Spent(), workspace, grace_s=20.0):
        end = workspace.run(["sh", "-c", "exit 3"], timeout_s=30.0)
    assert (EndedBy.EXIT, 3) == (end.ended_by, end.code)


@pytest.mark.parametrize("gateway", [None, Spent(exhausted=False)])
def test_within_the_budget_nothing_is_ended(workspace: Workspace, gateway: Spent | None) -> None:
    before = threading.active_count()
    with ended_past_budget(gateway, workspace, grace_s=0.0):
        end = workspace.run(["sh", "-c", "sleep 0.1; exit 3"], timeout_s=30.0)
    assert (EndedBy.EXIT, 3) == (end.ended_by, end.code)
    assert before == threading.active_count()
