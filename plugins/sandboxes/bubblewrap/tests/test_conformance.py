import pytest
from fairtrial.conformance import SandboxConformance
from fairtrial_sandbox_bubblewrap import BubblewrapSandbox


class TestBubblewrap(SandboxConformance):
    entry_point = "bubblewrap"
    python = "python3"
    keeps_network = True
    keeps_files = True

    @pytest.fixture
    def sandbox(self) -> BubblewrapSandbox:
        return BubblewrapSandbox()
