"""What a resumed run must find unchanged, key by key."""

import json
import re
import textwrap
from collections.abc import Mapping, Sequence

from fairtrial.api import RunError, Task
from fairtrial.config import RunConfig

FREE = frozenset(
    {
        "host",
        "port",
        "socket",
        "path",
        "base_url",
        "url",
        "home",
        "dir",
        "directory",
        "companions",
        "root",
    }
)
"""Keys that say where something is, not what it is."""

_ADDRESS = re.compile(r"(\w+://)[^/\s]+")
_SECRET = re.compile(r"(key|token|secret|password)", re.IGNORECASE)

RUN_KEYS = ("rollouts", "timeout_s", "budget_usd_per_task", "network", "sandbox", "gateway")


def lock_of(
    config: RunConfig, tasks: Sequence[Task], suite_version: str, versions: Mapping[str, str]
) -> dict[str, str]:
    """
    Returns what identifies a run.

    Hosts, ports, paths and secrets are left out: they may differ between two machines, or two
    days, without the run being another one.

    Args:
        config: The config as it is run.
        tasks: The tasks planned.
        suite_version: As the suite tells it.
        versions: Distribution → version, of all plugins that take part.
    """
    lock = {f"[run] {key}": _text(getattr(config.run, key)) for key in RUN_KEYS}
    lock["suite version"] = suite_version
    lock |= {f"task {task.id}": task.digest for task in tasks}
    lock |= {f"distribution {name}": version for name, version in sorted(versions.items())}
    for solver in config.run.solvers:
        lock[f"[solvers.{solver}]"] = _table(config, "solvers", solver)
    for arm in config.sides:
        lock[f"[arms.{arm.name}]"] = _text(arm.settings)
    lock[f"[suites.{config.run.suite}]"] = _table(config, "suites", config.run.suite)
    return lock


def refuse_difference(ours: Mapping[str, str], theirs: Mapping[str, str]) -> None:
    """
    Compares the lock of a run with that of the run it would resume.

    Raises:
        RunError: They differ; the differences are named.
    """
    keys = [*theirs, *(key for key in ours if key not in theirs)]
    differing = [key for key in keys if ours.get(key) != theirs.get(key)]
    if not differing:
        return
    facts = tuple(
        (key, f"{_short(theirs.get(key))} → {_short(ours.get(key))}") for key in differing[:12]
    )
    more = len(differing) - len(facts)
    raise RunError(
        problem="the run to resume was made with other settings",
        facts=(*facts, *((("and", f"{more} more"),) if more else ())),
        way_on="undo the change, or start a run of its own with another --label",
    )


def plain(value: object) -> object:
    """Strips hosts, ports, paths and secrets from a config value."""
    if isinstance(value, Mapping):
        return {
            key: "…" if _SECRET.search(str(key)) else plain(item)
            for key, item in value.items()
            if key not in FREE
        }
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return _ADDRESS.sub(r"\1", value) if isinstance(value, str) else value


def _table(config: RunConfig, plural: str, name: str) -> str:
    table = config.tables.get(plural, {}).get(name)
    return _text({} if table is None else {"plugin": table.plugin, **table.fields})


def _text(value: object) -> str:
    return json.dumps(plain(value), sort_keys=True, ensure_ascii=False, default=str)


def _short(text: str | None) -> str:
    if text is None:
        return "–"
    return textwrap.shorten(text, 60, placeholder="…")
