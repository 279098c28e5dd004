"""What a resumed run must find unchanged, key by key."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import PurePath

from fairtrial.api import RunError, Task
from fairtrial.api.errors import Facts
from fairtrial.config import RunConfig
from fairtrial.engine.contents import contents, told_by
from fairtrial.serial.wording import key_text

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
        "log",
    }
)
"""Keys that say where something is, not what it is."""

PLACES = frozenset({"readable", "program"})
"""Keys whose values are known by their last names, wherever those lie."""

_ADDRESS = re.compile(r"(\w+://)[^/\s]+")
_SECRET = re.compile(r"(key|token|secret|password)", re.IGNORECASE)

_TASK = "task "
"""What the keys of tasks begin with."""

_NOTHING = (None, json.dumps(None))
"""A key that is not there, and one that is not set."""

_SHOWN = 12
_WIDTH = 60
_LEAD = 12

RUN_KEYS = (
    "rollouts",
    "timeout_s",
    "budget_usd_per_task",
    "network",
    "sandbox",
    "require_fence",
    "gateway",
)


def lock_of(
    config: RunConfig,
    tasks: Sequence[Task],
    suite_version: str,
    versions: Mapping[str, str],
    solvers: Mapping[str, object | None],
) -> dict[str, str]:
    """
    Returns what identifies a run.

    Hosts, ports, paths and secrets are left out: they may differ between two machines, or two
    days, without the run being another one. What a solver's files hold is a part of it.

    Args:
        config: The config as it is run.
        tasks: The tasks planned.
        suite_version: As the suite tells it.
        versions: Distribution → version, of all plugins that take part.
        solvers: The solvers by name, with those that are parts of others; None for a control arm.
    """
    lock = {f"[run] {key}": _text(getattr(config.run, key)) for key in RUN_KEYS}
    lock["suite version"] = suite_version
    lock |= {f"{_TASK}{task.id}": task.digest for task in tasks}
    lock |= {f"distribution {name}": version for name, version in sorted(versions.items())}
    for name, solver in solvers.items():
        lock[f"[solvers.{name}]"] = _table(config, "solvers", name)
        lock |= {} if solver is None else contents(name, solver, FREE | PLACES)
    for arm in config.sides:
        lock[f"[arms.{arm.name}]"] = _text(arm.settings)
    if config.run.gateway is not None:
        lock[f"[gateways.{config.run.gateway}]"] = _table(config, "gateways", config.run.gateway)
    lock[f"[suites.{config.run.suite}]"] = _table(config, "suites", config.run.suite)
    # A sandbox of that name with its defaults is the same one, with a table or without.
    sandbox = config.table("sandboxes", config.run.sandbox)
    if sandbox.fields or sandbox.plugin != sandbox.name:
        lock[sandbox.heading] = _table(config, "sandboxes", sandbox.name)
    return lock


def refuse_difference(
    ours: Mapping[str, str],
    theirs: Mapping[str, str],
    *,
    but_for: Collection[str] = (),
    about: Facts = (),
) -> None:
    """
    Compares the lock of a run with that of the run it would resume.

    Where both know what a solver's files hold, it doesn't matter where those lie. A run of a
    version that didn't look is held to their place.

    Args:
        ours: The lock of the run.
        theirs: The lock of the run that it would resume.
        but_for: Keys that may differ.
        about: What is told of that run where they differ.

    Raises:
        RunError: They differ; the differences are named.
    """
    ours, theirs = _comparable(ours, theirs)
    differing = [
        difference
        for key in _of_both(theirs, ours)
        if ours.get(key) != theirs.get(key) and _owner(key) not in but_for
        for difference in _differences(key, theirs.get(key), ours.get(key))
    ]
    if not differing:
        return
    facts = tuple(differing[:_SHOWN])
    more = len(differing) - len(facts)
    raise RunError(
        problem="the run to resume was made with other settings",
        facts=(*about, *facts, *((("and", f"{more} more"),) if more else ())),
        way_on="undo the change, name another run by --label, or begin one without --resume",
    )


def plain(value: object) -> object:
    """Strips hosts, ports, paths and secrets from a config value."""
    if isinstance(value, Mapping):
        return {key: _item(str(key), item) for key, item in value.items() if key not in FREE}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return _ADDRESS.sub(r"\1", value) if isinstance(value, str) else value


def _item(key: str, item: object) -> object:
    if _SECRET.search(key):
        return "…"
    return _names(item) if key in PLACES else plain(item)


def _names(item: object) -> object:
    if isinstance(item, list | tuple):
        return [_names(each) for each in item]
    return PurePath(item).name if isinstance(item, str | PurePath) else plain(item)


def _table(config: RunConfig, plural: str, name: str) -> str:
    table = config.tables.get(plural, {}).get(name)
    return _text({} if table is None else {"plugin": table.plugin, **table.fields})


def _text(value: object) -> str:
    return json.dumps(plain(value), sort_keys=True, ensure_ascii=False, default=str)


def _comparable(*locks: Mapping[str, str]) -> list[dict[str, str]]:
    """Leaves out of two locks what only one of them knows, and places whose contents both know."""
    ours, theirs = map(dict, locks)
    for key in [*ours]:
        told = told_by(key)
        if told is None:
            continue
        if key not in theirs:
            # So it is in a run of before there were any; a new field differs by its table.
            del ours[key]
            continue
        for lock in (ours, theirs):
            _leave_place_out(lock, *told)
    return [ours, theirs]


def _leave_place_out(lock: dict[str, str], table: str, solver: str, field: str) -> None:
    base, _, arm = solver.rpartition("@")
    places = {table: field, f"[arms.{arm}]": key_text(["solvers", base, field])}
    for name, place in places.items():
        values = _as_table(lock.get(name))
        if values is not None and place in values:
            lock[name] = _text({part: item for part, item in values.items() if part != place})


def _owner(key: str) -> str:
    told = told_by(key)
    return key if told is None else told[0]


def _differences(key: str, was: str | None, now: str | None) -> Iterator[tuple[str, str]]:
    """Names what differs; of two tables, key by key."""
    if key.startswith(_TASK) and (was is None or now is None):
        yield key, "not part of it → part of this one" if was is None else "part of it → left out"
        return
    old, new = _as_table(was), _as_table(now)
    if old is None or new is None:
        yield key, _change(was, now)
        return
    for part in _of_both(old, new):
        texts = [_text(each[part]) if part in each else None for each in (old, new)]
        if texts[0] != texts[1]:
            yield f"{key} {part}", _change(*texts)


def _of_both(first: Mapping[str, object], second: Mapping[str, object]) -> list[str]:
    return [*first, *(key for key in second if key not in first)]


def _as_table(text: str | None) -> Mapping[str, object] | None:
    try:
        value = json.loads(text or "")
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _change(was: str | None, now: str | None) -> str:
    pair = was or "", now or ""
    alike = sum(1 for _ in takewhile(lambda two: two[0] == two[1], zip(*pair, strict=False)))
    # Two long texts that begin alike are shown from shortly before where they part.
    start = max(alike - _LEAD, 0) if max(map(len, pair)) > _WIDTH else 0
    return f"{_short(was, start)} → {_short(now, start)}"


def _short(text: str | None, start: int) -> str:
    if text in _NOTHING:
        return "–"
    rest = f"…{text[start:]}" if start else text
    return rest if len(rest) <= _WIDTH else f"{rest[: _WIDTH - 1]}…"
