"""Where the agents' own programs are, and a model for them that does what a script says."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import platformdirs
import pytest
from fairtrial.api import Brief, Fence, Workspace
from fairtrial.conformance.fakes import FakeSession, open_local
from fairtrial.conformance.models import Script, ScriptedModelServer, ScriptedUsage, Step

USAGE = ScriptedUsage(input_uncached=1000, cache_read=500, output=90, reasoning=20)
WORK = (
    Step(text="I look first.", shell="echo fixed > answer.txt", usage=USAGE),
    Step(text="All done.", usage=USAGE),
)
"""A tool is used once; then it says that it is done."""

Begin = Callable[..., FakeSession]
Serve = Callable[..., ScriptedModelServer]


def installed() -> Path:
    """Returns the folder of programs that `.ci/run` installs, as the lists beside this pin them."""
    cache = os.environ.get("FAIRTRIAL_CACHE") or platformdirs.user_cache_path("fairtrial")
    return Path(cache) / "agents"


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Puts them on PATH."""
    place = installed()
    folder = place / "node_modules" / ".bin"
    if not (folder / "claude").exists() or shutil.which("node") is None:
        pytest.skip(f"npm install --prefix {place} what tests/agents/package.json lists")
    path = (str(folder), str(place / "bin"), os.environ["PATH"])
    monkeypatch.setenv("PATH", os.pathsep.join(path))
    return place


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts scripted models."""
    servers: list[ScriptedModelServer] = []

    def start(*steps: Step, **script: object) -> ScriptedModelServer:
        server = ScriptedModelServer(Script(steps=steps, **script)).start()
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with open_local("test", Fence()) as workspace:
        yield workspace


@pytest.fixture
def begin(programs: Path, workspace: Workspace, tmp_path: Path) -> Begin:  # noqa: ARG001 - puts them on PATH
    """Opens a session in which a gateway's addresses lead to a scripted model."""

    def session(
        server: ScriptedModelServer,
        prompt: str = "Fix it.",
        timeout_s: float = 60.0,
        budget_usd: float | None = None,
    ) -> FakeSession:
        scratch = tmp_path / "scratch"
        scratch.mkdir(exist_ok=True)
        return FakeSession(
            brief=Brief(prompt=prompt, timeout_s=timeout_s, budget_usd=budget_usd),
            workspace=workspace,
            scratch=scratch,
            environment={
                "ANTHROPIC_BASE_URL": server.url,
                "ANTHROPIC_API_KEY": "of-this-trial",
                "OPENAI_BASE_URL": f"{server.url}/v1",
                "OPENAI_API_BASE": f"{server.url}/v1",
                "OPENAI_API_KEY": "of-this-trial",
                "GOOGLE_GEMINI_BASE_URL": server.url,
                "GEMINI_API_KEY": "of-this-trial",
            },
        )  # fmt: skip

    return session
