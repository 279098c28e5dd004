"""
Runs the real agents on tasks/mix against a scripted model: no network, no money.

    uv run python scripts/demo_agents.py                      one task
    uv run python scripts/demo_agents.py FOLDER TASK ...      these tasks
    uv run python scripts/demo_agents.py FOLDER all           all of them

The programs are those that tests/agents/package.json lists, installed as docs/agents.md says. The
model does what a script says: it mends each task, but for the cascade's first stage, which gives up.
Requests cost what the provider would take for them. The run is kept in FOLDER, or nowhere.
"""

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

import platformdirs
from fairtrial.conformance.models import Scene, Script, ScriptedModelServer, ScriptedUsage, Step

ROOT = Path(__file__).parents[1]
MIX = ROOT / "tasks/mix"
USAGE = ScriptedUsage(input_uncached=1000, cache_read=500, output=90, reasoning=20)
CONFIG = """
[run]
suite = "mix"
solvers = ["opus", "flash", "gpt", "cascade"]
sandbox = "fenced"
network = "model-only"
gateway = "proxy"
only = {only}
jobs = 2
timeout_s = 120
budget_usd_per_task = 1.0
budget_usd_total = 80.0
reporters = ["table", "json"]

[suites.mix]
plugin = "folder"
path = "{suite}"

[sandboxes.fenced]
plugin = "bubblewrap"
readable = ["{programs}"]

[gateways.proxy]
upstreams = {{ anthropic = "{url}", openai = "{url}", google = "{url}" }}

[solvers.opus]
plugin = "claude"
model = "claude-opus-4-8"

[solvers.flash]
plugin = "gemini"
model = "gemini-2.5-flash"

[solvers.gpt]
plugin = "codex"
model = "gpt-5-codex"

[solvers.mini]
plugin = "codex"
model = "gpt-5-mini"

[solvers.cascade]
stages = ["mini", "opus"]
escalate = ["no-change or visible-tests-fail"]
share = [0.3, 0.7]
test_cmd = ["python3", "-m", "unittest", "-q", "tests.test_loading"]
"""


def script(tasks: Sequence[str]) -> Script:
    """Returns what the model does: one shell line a task, which writes its reference solution."""
    gives_up = Scene(model="gpt-5-mini", steps=(Step(text="I see no fault.", usage=USAGE),))
    return Script(scenes=(gives_up, *map(mends, tasks)))


def mends(task: str) -> Scene:
    """Returns the steps for one task, which is told by the beginning of its prompt."""
    prompt = tomllib.loads((MIX / task / "task.toml").read_text(encoding="utf-8"))["prompt"]
    return Scene(
        when=prompt.strip().splitlines()[0],
        steps=(
            Step(text="I see.", shell=mending(task), usage=USAGE),
            Step(text="Fixed.", usage=USAGE),
        ),
    )


def mending(task: str) -> str:
    """Returns a shell line: it takes a planted bug out, or writes the reference over the tree."""
    planted, mended = MIX / task / "bug.patch", MIX / task / "reference"
    # One agent refuses a line in which it sees a substitution, so that nothing of the kind is in it.
    if planted.exists():
        return f"echo {encoded(planted)} | base64 -d | git apply -R"
    return " && ".join(
        f"echo {encoded(path)} | base64 -d > {path.relative_to(mended)}"
        for path in sorted(mended.rglob("*"))
        if path.is_file()
    )


def encoded(path: Path) -> str:
    """Returns a file's content as a word for a shell."""
    return b64encode(path.read_bytes()).decode()


def main(folder: Path, tasks: Sequence[str] = ("double-load",)) -> int:
    """Serves the model, runs the agents and returns the run's exit status."""
    cache = os.environ.get("FAIRTRIAL_CACHE") or platformdirs.user_cache_path("fairtrial")
    programs = Path(cache) / "agents"
    path = f"{programs}/node_modules/.bin{os.pathsep}{os.environ['PATH']}"
    config = folder / "agents.toml"
    with ScriptedModelServer(script(tasks)) as server:
        told = {"suite": MIX, "programs": programs, "url": server.url, "only": json.dumps(tasks)}
        config.write_text(CONFIG.format(**told), encoding="utf-8")
        return subprocess.run(
            [sys.executable, "-m", "fairtrial", "run", str(config), "--out", str(folder / "runs")],
            check=False,
            env={**os.environ, "PATH": path, "FAIRTRIAL_DATA": str(folder / "data")},
        ).returncode


if __name__ == "__main__":
    if len(sys.argv) > 1:
        place = Path(sys.argv[1])
        place.mkdir(parents=True, exist_ok=True)
        named = sys.argv[2:] or ["double-load"]
        every = sorted(path.parent.name for path in MIX.glob("*/task.toml"))
        sys.exit(main(place.resolve(), every if named == ["all"] else named))
    with tempfile.TemporaryDirectory(prefix="agents-") as kept_nowhere:
        sys.exit(main(Path(kept_nowhere)))
