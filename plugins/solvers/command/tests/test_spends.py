"""Whether a run of it needs a budget."""

from collections.abc import Mapping

import pytest
from fairtrial import serial
from fairtrial_solver_command import CommandSolver


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, None),
        ({"pass_env": ["MY_KEY"]}, True),
        ({"pointers": {"cost": "/usd"}}, True),
        ({"pointers": {"model": "/model", "output_tokens": "/out"}}, None),
        ({"pointers": {"cost": "/usd"}, "spends": False}, False),
        ({"pass_env": ["MY_KEY"], "spends": False}, False),
    ],
)
def test_who_has_a_key_or_tells_a_cost_can_spend(
    fields: Mapping[str, object], expected: bool | None
) -> None:
    table = {"argv": ["my-agent"], "result": "stdout", **fields}
    assert expected is serial.structure(CommandSolver, table, where="[solvers.mine]").spends
