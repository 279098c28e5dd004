from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from fairtrial.api import Fence, Workspace
from fairtrial.processes import close
from fairtrial_sandbox_bubblewrap import BubblewrapSandbox

Open = Callable[..., Workspace]


@pytest.fixture(autouse=True, scope="session")
def _nursery() -> Iterator[None]:
    yield
    close()


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens workspaces, which are left when the test ends."""
    with ExitStack() as stack:

        def enter(fence: Fence | None = None, **fields: object) -> Workspace:
            sandbox = BubblewrapSandbox(**fields)  # type: ignore[arg-type] - each test gives what it means
            return stack.enter_context(sandbox.open("task solver 1", fence or Fence()))

        yield enter
