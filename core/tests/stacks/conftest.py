from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from fairtrial.api import Workspace
from fairtrial.conformance.fakes.workspace import open_local
from fairtrial.stacks import STACKS

Lay = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with open_local("stacks") as opened:
        yield opened


@pytest.fixture
def lay(workspace: Workspace) -> Lay:
    def write(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            place = workspace.root / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        return workspace.root

    return write


@pytest.fixture(scope="session")
def offline(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of checks, with caches that the tests of a session share."""
    found: dict[str, str] = {}
    for stack in STACKS.values():
        found |= stack.environment
    caches = tmp_path_factory.mktemp("caches")
    return {**found, "GOCACHE": str(caches / "go"), "GOFLAGS": "-mod=mod"}
