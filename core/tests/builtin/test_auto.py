"""The strongest sandbox that works, and a word where it is weak."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from fairtrial.api import Fence, MachineError, Network
from fairtrial.builtin import auto
from fairtrial.builtin.auto import AutoSandbox, chosen
from fairtrial.conformance import SandboxConformance
from fairtrial.processes import close


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    chosen.cache_clear()
    yield
    chosen.cache_clear()


@pytest.fixture(autouse=True, scope="module")
def _nursery() -> Iterator[None]:
    yield
    close()


class TestAuto(SandboxConformance):
    """The kit, with bubblewrap behind it."""

    entry_point = "auto"
    python = "python3"
    keeps_network = True
    keeps_files = True

    @pytest.fixture
    def sandbox(self) -> AutoSandbox:
        return AutoSandbox()


def test_where_bubblewrap_works_it_is_taken() -> None:
    with AutoSandbox().open("label", Fence(network=Network.NONE, required=True)) as workspace:
        assert "bubblewrap" == workspace.enforced["sandbox"]
        assert "fallback" not in workspace.enforced


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine whose bwrap is not allowed to make namespaces."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/bwrap").write_text("#!/bin/sh\necho 'bwrap: no permissions' >&2\nexit 1\n")
    (tmp_path / "bin/bwrap").chmod(0o755)
    path = "fairtrial_sandbox_bubblewrap.sandbox._SYSTEM_PATH"
    monkeypatch.setattr(path, f"{tmp_path}/bin:/usr/bin:/bin")


@pytest.mark.usefixtures("broken")
def test_where_it_does_not_work_local_is_taken_with_a_warning_and_a_label() -> None:
    with structlog.testing.capture_logs() as logs:
        for _ in range(2):
            with AutoSandbox().open("label", Fence(network=Network.NONE)) as workspace:
                assert 0 == workspace.run(["true"], timeout_s=9).code
                enforced = dict(workspace.enforced)
    because = "the sandbox “bubblewrap” can't be set up: bwrap: no permissions"
    assert ("local", "open", because) == tuple(
        enforced[key] for key in ("sandbox", "network", "fallback")
    )
    warned = [log for log in logs if log["event"] == "sandbox is weaker than asked"]
    assert [("warning", "local", because)] == [
        (log["log_level"], log["sandbox"], log["because"]) for log in warned
    ]


@pytest.mark.usefixtures("broken")
def test_where_it_does_not_work_and_a_fence_is_required_nothing_opens() -> None:
    with pytest.raises(MachineError) as caught, AutoSandbox().open("", Fence(required=True)):
        pass
    assert "a fence is required, and this machine can't have one" == caught.value.problem
    assert "bwrap: no permissions" in dict(caught.value.facts)["bubblewrap"]
    assert "fairtrial doctor" in caught.value.way_on


def test_a_plugin_that_is_not_installed_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "STRONG", "no-such-sandbox")
    strong, why_not = chosen()
    assert strong is None
    assert "no sandbox plugin called “no-such-sandbox” is installed" in why_not
