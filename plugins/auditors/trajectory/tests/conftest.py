"""What the tests of the trajectory auditor share: calls, and what a pattern set says of them."""

from collections.abc import Callable

import pytest
from fairtrial.api import Event, ToolCall
from fairtrial_auditor_trajectory.judging import scan

Ids = list[str]


def bash(command: str) -> ToolCall:
    return ToolCall(tool_call_id="c1", name="Bash", input={"command": command})


def fired(number: int, *events: Event) -> Ids:
    return [hit.pattern for hit in scan(number, events).hits]


@pytest.fixture
def first() -> Callable[..., Ids]:
    """Says which patterns of set 1 fire on a command, or on events."""
    return lambda *said: fired(1, *(bash(one) if isinstance(one, str) else one for one in said))


@pytest.fixture
def second() -> Callable[..., Ids]:
    """Says which patterns of set 2 fire on a command, or on events."""
    return lambda *said: fired(2, *(bash(one) if isinstance(one, str) else one for one in said))


def call(name: str, **given: object) -> ToolCall:
    return ToolCall(tool_call_id="c1", name=name, input=given)


@pytest.fixture
def tool() -> Callable[..., ToolCall]:
    """Makes a call of a tool."""
    return call
