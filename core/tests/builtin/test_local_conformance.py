import pytest
from fairtrial.builtin.local import LocalSandbox
from fairtrial.conformance import SandboxConformance


class TestLocal(SandboxConformance):
    entry_point = "local"

    @pytest.fixture
    def sandbox(self) -> LocalSandbox:
        return LocalSandbox()
