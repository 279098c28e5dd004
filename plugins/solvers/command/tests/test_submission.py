"""Where a program delivers: by the config, or by its own result."""

from collections.abc import Iterator

import pytest
from fairtrial.api import Brief, Fence
from fairtrial.conformance.fakes.session import FakeSession
from fairtrial.conformance.fakes.workspace import open_local
from fairtrial_solver_command import CommandSolver
from fairtrial_solver_command.result import Pointers


@pytest.fixture
def session(tmp_path) -> Iterator[FakeSession]:
    with open_local("test", Fence()) as workspace:
        brief = Brief(prompt="do it", timeout_s=20.0)
        yield FakeSession(brief=brief, workspace=workspace, scratch=tmp_path)


def test_the_tree_is_the_delivery_unless_something_else_is_said(session: FakeSession) -> None:
    assert CommandSolver(argv=("true",)).solve(session).submission is None


def test_a_branch_is_delivered_as_the_config_says(session: FakeSession) -> None:
    solver = CommandSolver(argv=("true",), submission="branch:work")
    assert "branch:work" == solver.solve(session).submission


@pytest.mark.parametrize(
    ("printed", "delivered"),
    [
        ('{"pr": "https://example.org/pull/3"}', "https://example.org/pull/3"),
        ('{"pr": ""}', "branch:work"),
        ('{"pr": 3}', "branch:work"),
        ("nothing", "branch:work"),
    ],
)
def test_what_the_result_says_wins(session: FakeSession, printed: str, delivered: str) -> None:
    solver = CommandSolver(
        argv=("printf", "%s", printed.replace("{", "{{").replace("}", "}}")),
        result="stdout",
        pointers=Pointers(submission="/pr"),
        submission="branch:work",
    )
    assert delivered == solver.solve(session).submission
