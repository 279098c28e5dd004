"""What the engine takes from where an attempt happens."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import cast

import pytest
from attrs import evolve, frozen
from fairtrial.api import Fence, Workspace
from fairtrial.builtin.local import LocalSandbox
from fairtrial.conformance.fakes import ScriptedSolver
from fairtrial.engine.plan import Cell
from fairtrial.engine.room import Room
from fairtrial.engine.trial import run_trial

MakeRoom = Callable[..., Room]
MakeCell = Callable[..., Cell]


@frozen(kw_only=True)
class Saying:
    """A workspace that says of itself what one of another sandbox would say."""

    inner: Workspace
    told: Mapping[str, str]

    @property
    def enforced(self) -> Mapping[str, str]:
        return {**self.inner.enforced, **self.told}

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)


@frozen(kw_only=True)
class SayingSandbox:
    told: Mapping[str, str]

    @contextmanager
    def open(self, label: str, fence: Fence, /) -> Iterator[Workspace]:
        with LocalSandbox().open(label, fence) as inner:
            yield cast("Workspace", Saying(inner=inner, told=self.told))


@pytest.mark.parametrize(
    ("told", "apart"),
    [
        ({}, False),
        ({"memory": "each:512"}, False),
        ({"memory": "all:512"}, True),
        ({"processes": "container"}, True),
    ],
)
def test_the_meters_are_told_where_programs_are_in_control_groups_of_their_own(
    make_room: MakeRoom, make_cell: MakeCell, told: Mapping[str, str], apart: bool
) -> None:
    room = evolve(make_room({"good": ScriptedSolver()}), sandbox=SayingSandbox(told=told))
    run_trial(make_cell("good"), room)
    assert [apart] == [span.apart for span in room.ledger.log.spans.values()]
