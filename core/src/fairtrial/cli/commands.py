"""
Which commands there are, without importing any of them.

The core's own are a table here; those of plugins are read from the metadata of what is installed
(entry-point group `fairtrial.commands`, whose value is a typer app). `importlib.metadata` costs
more than all of `fairtrial --help` may, hence the small scan of our own for the names.
"""

import os
import sys
from collections.abc import Iterable, Iterator

GROUP = "fairtrial.commands"
"""The entry-point group through which a plugin adds a command group."""

COMPLETING = "_FAIRTRIAL_COMPLETE"
"""The variable by which a shell asks for completions, in place of running a command."""

COMMANDS = {
    "run": "Run solvers on a suite of tasks, as a config says.",
    "report": "Show what came of one run or several.",
    "compare": "Show what changed from one run to another.",
    "costs": "Show what all runs on this machine spent.",
    "grade": "Grade the trees of a run again, without running an agent.",
    "audit": "Look for bought scores in a run, or in logs from anywhere.",
    "trajectory": "Show what an agent did in one attempt, or read one from elsewhere.",
    "tasks": "List, show and check the tasks of a suite.",
    "issues": "Put a suite's tasks on its forge, and clear away what was delivered there.",
    "plugins": "List, show, check and begin plugins.",
    "config": "Describe run configs: schema, reference page, and the config as run.",
    "energy": "Show what can be measured here, and calibrate it.",
    "doctor": "Say what this machine has and lacks.",
}
"""Name → one line of help. The module of each is `fairtrial.cli.<name>`."""


def plugin_commands(path: Iterable[str] | None = None) -> dict[str, str]:
    """
    Returns the command groups that plugins add, name → the distribution that does, in order.

    Args:
        path: Where to look, as `sys.path`.
    """
    found: dict[str, str] = {}
    for distribution, text in _entry_points(sys.path if path is None else path):
        for name in _names(text):
            found.setdefault(name, distribution)
    return {name: found[name] for name in sorted(found) if name not in COMMANDS}


def _entry_points(path: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yields distribution and text of each `entry_points.txt` that names the group."""
    for folder in dict.fromkeys(path):
        try:
            # Paths as text: pathlib alone costs a tenth of what the help page may take.
            names = sorted(os.listdir(folder or "."))  # noqa: PTH208 - see above
        except OSError:
            continue
        for name in names:
            if not name.endswith((".dist-info", ".egg-info")):
                continue
            try:
                with open(f"{folder}/{name}/entry_points.txt", "rb") as file:  # noqa: PTH123 - see above
                    data = file.read()
            except OSError:
                continue
            if GROUP.encode() in data:
                distribution = name.rpartition(".")[0].replace("-", " ", 1).replace("_", "-")
                yield distribution, data.decode("utf-8", "replace")


def _names(text: str) -> Iterator[str]:
    inside = False
    for line in text.splitlines():
        row = line.strip()
        if row.startswith("["):
            inside = row == f"[{GROUP}]"
        elif inside and "=" in row and not row.startswith(("#", ";")):
            yield row.partition("=")[0].strip()
