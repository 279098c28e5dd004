"""
Runs the real agents on a task of tasks/mix against a scripted model: no network, no money.

    uv run python scripts/demo_agents.py [FOLDER]

The programs are those that tests/agents/package.json lists, installed as docs/agents.md says. The
model does what a script says: it mends the task, but for the cascade's first stage, which gives up.
Requests cost what the provider would take for them. The run is kept in FOLDER, or nowhere.
"""

import os
import subprocess
import sys
import tempfile
from base64 import b64encode
from pathlib import Path

import platformdirs
from fairtrial.conformance.models import Scene, Script, ScriptedModelServer, ScriptedUsage, Step

ROOT = Path(__file__).parents[1]
TASK = ROOT / "tasks/mix/double-load"
USAGE = ScriptedUsage(input_uncached=1000, cache_read=500, output=90, reasoning=20)
CONFIG = """
[run]
suite = "mix"
solvers = ["opus", "flash", "gpt", "cascade"]
sandbox = "fenced"
network = "model-only"
gateway = "proxy"
only = ["double-load"]
jobs = 2
timeout_s = 120
budget_usd_per_task = 1.0
budget_usd_total = 9.0
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


def script() -> Script:
    """Returns what the model does: one shell line that writes the task's reference solution."""
    mended = TASK / "reference"
    # One agent refuses a line in which it sees a substitution, so that nothing of the kind is in it.
    line = " && ".join(
        f"echo {b64encode(path.read_bytes()).decode()} | base64 -d > {path.relative_to(mended)}"
        for path in sorted(mended.rglob("*.py"))
    )
    mends = (Step(text="I see.", shell=line, usage=USAGE), Step(text="Fixed.", usage=USAGE))
    gives_up = Scene(model="gpt-5-mini", steps=(Step(text="I see no fault.", usage=USAGE),))
    return Script(steps=mends, scenes=(gives_up,))


def main(folder: Path) -> int:
    """Serves the model, runs the agents and returns the run's exit status."""
    cache = os.environ.get("FAIRTRIAL_CACHE") or platformdirs.user_cache_path("fairtrial")
    programs = Path(cache) / "agents"
    path = f"{programs}/node_modules/.bin{os.pathsep}{os.environ['PATH']}"
    config = folder / "agents.toml"
    with ScriptedModelServer(script()) as server:
        config.write_text(
            CONFIG.format(suite=TASK.parent, programs=programs, url=server.url), encoding="utf-8"
        )
        return subprocess.run(
            [sys.executable, "-m", "fairtrial", "run", str(config), "--out", str(folder / "runs")],
            check=False,
            env={**os.environ, "PATH": path, "FAIRTRIAL_DATA": str(folder / "data")},
        ).returncode


if __name__ == "__main__":
    if len(sys.argv) > 1:
        place = Path(sys.argv[1])
        place.mkdir(parents=True, exist_ok=True)
        sys.exit(main(place.resolve()))
    with tempfile.TemporaryDirectory(prefix="agents-") as kept_nowhere:
        sys.exit(main(Path(kept_nowhere)))
