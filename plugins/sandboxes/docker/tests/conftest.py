"""A real engine: the one that FAIRTRIAL_DOCKER_SOCKET names, or one started for these tests."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from fairtrial.api import Fence, Workspace
from fairtrial.processes import close
from fairtrial_sandbox_docker import DockerSandbox

ENGINE = Path(__file__).parents[4] / "scripts" / "engine"
IMAGE = "fairtrial-test"
Open = Callable[..., Workspace]


@pytest.fixture(scope="session")
def socket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    given = os.environ.get("FAIRTRIAL_DOCKER_SOCKET")
    if given:
        yield Path(given)
        close()
        return
    if shutil.which("dockerd") is None or os.geteuid() != 0:
        pytest.skip("no container engine can be started here: it takes dockerd and the superuser")
    place = tmp_path_factory.mktemp("engine")
    # What the engine itself prints goes to its log: a pipe would be held open by the daemon.
    with (place / "said").open("w") as said:
        subprocess.run([ENGINE, "start", place], check=True, stdout=said, timeout=120)
    yield place / "docker.sock"
    close()
    subprocess.run([ENGINE, "stop", place], check=True, timeout=60)


@pytest.fixture
def sandbox(socket: Path) -> DockerSandbox:
    return DockerSandbox(image=IMAGE, socket=socket)


@pytest.fixture
def opened(socket: Path) -> Iterator[Open]:
    with ExitStack() as stack:

        def enter(fence: Fence | None = None, **fields: object) -> Workspace:
            sandbox = DockerSandbox(image=IMAGE, socket=socket, **fields)  # type: ignore[arg-type]    # each test gives what it means
            return stack.enter_context(sandbox.open("task solver 1", fence or Fence()))

        yield enter
