"""An agent that is fenced in, without a network and as another user, can ask all the same."""

from pathlib import Path

from fairtrial.agents.desk import Desk, lay_helper
from fairtrial.api import Brief, Fence, Network
from fairtrial.conformance.fakes import CannedAnswers, FakeSession
from fairtrial_sandbox_bubblewrap import BubblewrapSandbox


def test_a_program_behind_a_fence_can_ask(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir(mode=0o700)
    fence = Fence(network=Network.NONE, writable=(scratch,), path=(lay_helper(scratch),))
    with BubblewrapSandbox().open("test", fence) as workspace:
        session = FakeSession(
            brief=Brief(prompt="x", timeout_s=30.0),
            workspace=workspace,
            scratch=scratch,
            answerer=CannedAnswers(labels={"Which way?": "down"}),
        )
        with Desk(session):
            done = workspace.run(["fairtrial-ask", "Which way?", "up", "down"], timeout_s=20)
    assert (0, b"down\n", b"") == (done.code, done.stdout, done.stderr)
    assert ["Which way?"] == [question.text for question in session.questions]
