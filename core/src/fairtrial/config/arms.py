"""
Two arms of one run: the same solvers, told apart by what `[arms.*]` says differs.

A solver that differs becomes two, `mine@before` and `mine@after`; all others stay one.
"""

from collections.abc import Iterator, Mapping
from typing import cast

from attrs import evolve

from fairtrial.api.errors import ConfigError
from fairtrial.api.record import RunArm
from fairtrial.config.merge import Merged
from fairtrial.config.schema import ANY, CONTROL_ARMS, ArmTable, RunConfig, Table, sources
from fairtrial.config.toml import value_text
from fairtrial.serial import structure
from fairtrial.serial.wording import got, key_text

ARMS = 2

_RUN_KEYS = ("timeout_s",)
_UNSET = "not set"


def arm_tables(merged: Merged) -> tuple[ArmTable, ...]:
    """
    Reads `[arms.*]`.

    Raises:
        ConfigError: There are not two of them, or one overrides what no arm can.
    """
    written = merged.data.get("arms")
    if not isinstance(written, Mapping) or not written:
        return ()
    if len(written) != ARMS:
        names = ", ".join(f"[arms.{name}]" for name in written)
        raise ConfigError(
            problem=f"a run has two arms, not {len(written)}",
            facts=(("written", names), ("written in", sources(merged.all_in("arms")))),
            way_on="write the one before and the one after, such as [arms.before] and [arms.after];"
            " one of them may be empty",
        )
    return tuple(_arm(name, value, merged) for name, value in written.items())


def _arm(name: str, value: object, merged: Merged) -> ArmTable:
    written = merged.all_in("arms", name)
    for kind, keys in _mapping(value, f"[arms] {name}", written).items():
        _mapping(keys, f"[arms.{name}] {kind}", written)
        if kind not in {"run", "solvers"}:
            raise _not_an_arms(f"[arms.{name}] {kind}", sources(written))
    tables = cast("Mapping[str, Mapping[str, object]]", value)
    run = tables.get("run", {})
    for key in run:
        if key not in _RUN_KEYS:
            raise _not_an_arms(f"[arms.{name}] run.{key}", sources(written))
    solvers = {
        solver: _table(name, solver, keys, merged)
        for solver, keys in tables.get("solvers", {}).items()
    }
    try:
        return ArmTable(name=name, run=run, solvers=solvers, source=sources(written))
    except ValueError as error:
        raise ConfigError(
            problem=f"[arms] {name}: an arm can't be called so",
            facts=(("written in", sources(written)), ("because", str(error))),
            way_on="give it another name, such as before or after",
        ) from error


def _table(arm: str, solver: str, keys: object, merged: Merged) -> Table:
    place = ("arms", arm, "solvers", solver)
    given = _mapping(keys, f"[arms.{arm}.solvers] {solver}", merged.all_in(*place))
    return Table(
        kind="solvers",
        name=solver,
        plugin=str(given.get("plugin", "")),
        fields={key: each for key, each in given.items() if key != "plugin"},
        origins=merged.origins_in(*place),
        source=sources(merged.all_in(*place)),
    )


def _mapping(
    value: object, where: str, written: Mapping[tuple[str, ...], object]
) -> Mapping[str, object]:
    if isinstance(value, Mapping):
        return value
    raise ConfigError(
        problem=f"{where}: expected a table, got {got(value)}",
        facts=(("written in", sources(written)),),  # type: ignore[arg-type]  # as `Merged` gives them
        way_on='write the keys that this arm overrides, such as solvers.mine.model = "…"',
    )


def _not_an_arms(where: str, source: str) -> ConfigError:
    return ConfigError(
        problem=f"{where} can't differ between the arms of one run",
        facts=(("written in", source),),
        way_on="let an arm override keys of a solver's table, or run.timeout_s; for anything else,"
        " make two runs and `fairtrial compare` them",
    )


def apart(config: RunConfig) -> RunConfig:
    """
    Returns a config whose solvers stand once an arm, where they differ; one without arms as it is.

    Raises:
        ConfigError: The arms differ in nothing or in several things, and `[run] arms_differ`
            doesn't allow that; or in a solver that the run doesn't have.
    """
    if not config.arms:
        return config
    _refuse_unknown_solvers(config)
    sides = [_settings(arm) for arm in config.arms]
    differing = [
        key
        for key in dict.fromkeys(key for side in sides for key in side)
        if _value(sides[0], key, config) != _value(sides[1], key, config)
    ]
    _refuse_differences(config, differing)
    split = _split(config, differing)
    solvers = tuple(
        name
        for solver in config.run.solvers
        for name in (
            [f"{solver}@{arm.name}" for arm in config.arms] if solver in split else [solver]
        )
    )
    tables = dict(config.tables.get("solvers", {}))
    for arm in config.arms:
        for solver in split:
            tables[f"{solver}@{arm.name}"] = _laid_over(config, arm, solver)
    return evolve(
        config,
        run=evolve(config.run, solvers=solvers),
        tables={**config.tables, "solvers": tables},
        arms=(),
        sides=tuple(
            RunArm(
                name=arm.name,
                solvers=tuple(f"{solver}@{arm.name}" for solver in split),
                settings={key_text(key): _seen(side, key, config) for key in differing},
            )
            for arm, side in zip(config.arms, sides, strict=True)
        ),
        timeouts=_timeouts(config, split),
    )


Key = tuple[str, ...]


def _settings(arm: ArmTable) -> dict[Key, object]:
    found: dict[Key, object] = dict(_leaves(("run",), arm.run))
    for name, table in arm.solvers.items():
        if table.plugin:
            found["solvers", name, "plugin"] = table.plugin
        found.update(_leaves(("solvers", name), table.fields))
    return found


def _leaves(place: Key, value: object) -> Iterator[tuple[Key, object]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves((*place, key), inner)
    else:
        yield place, value


def _value(side: Mapping[Key, object], key: Key, config: RunConfig) -> object:
    """Returns a key's value in an arm: its own, else the config's; None where neither has one."""
    if key in side:
        return side[key]
    if key[0] == "run":
        value: object = getattr(config.run, key[1])
        return value
    table = config.table("solvers", key[1])
    value = {"plugin": table.plugin, **table.fields}
    for part in key[2:]:
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _seen(side: Mapping[Key, object], key: Key, config: RunConfig) -> str:
    value = _value(side, key, config)
    return _UNSET if value is None else value_text(value)


def _split(config: RunConfig, differing: list[Key]) -> list[str]:
    able = [name for name in config.run.solvers if name not in CONTROL_ARMS]
    named = {key[1] for key in differing if key[0] == "solvers"}
    if not differing or any(key[0] == "run" for key in differing):
        return able
    return [name for name in able if name in named]


def _laid_over(config: RunConfig, arm: ArmTable, solver: str) -> Table:
    table, over = config.table("solvers", solver), arm.solvers.get(solver)
    name = f"{solver}@{arm.name}"
    if over is None:
        return evolve(table, name=name, written=True, source=table.source or arm.source)
    return evolve(
        table,
        name=name,
        plugin=over.plugin or table.plugin,
        fields=_merged(table.fields, over.fields),
        origins={**table.origins, **over.origins},
        source=", ".join(dict.fromkeys(each for each in (table.source, over.source) if each)),
        written=True,
    )


def _merged(below: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    found = dict(below)
    for key, value in above.items():
        inner = found.get(key)
        both = isinstance(value, Mapping) and isinstance(inner, Mapping)
        found[key] = _merged(inner, value) if both else value  # type: ignore[arg-type]  # just asked
    return found


def _timeouts(config: RunConfig, split: list[str]) -> dict[str, float]:
    found = {}
    for arm in config.arms:
        if "timeout_s" not in arm.run:
            continue
        # The one converter says what is wrong with a value, in the words of every other key.
        run = structure(
            type(config.run),
            {"suite": config.run.suite, "solvers": ["noop"], "timeout_s": arm.run["timeout_s"]},
            where=f"[arms.{arm.name}.run]",
            source=arm.source,
        )
        for solver in split:
            if run.timeout_s is not None:
                found[f"{solver}@{arm.name}"] = run.timeout_s
    return found


def _refuse_unknown_solvers(config: RunConfig) -> None:
    for name in config.run.solvers:
        if "@" in name:
            raise ConfigError(
                problem=f"solver “{name}” can't be set apart by [arms.*]",
                facts=(("because", "“@” stands between a solver's name and its arm's"),),
                way_on="give the solver's table another name",
            )
    for arm in config.arms:
        for name, table in arm.solvers.items():
            if name in config.run.solvers and name not in CONTROL_ARMS:
                continue
            raise ConfigError(
                problem=f"[arms.{arm.name}] overrides the solver “{name}”, which the run doesn't have",
                facts=(
                    ("written in", table.source or arm.source),
                    ("solvers", ", ".join(config.run.solvers)),
                ),
                way_on="name it in [run] solvers; where it is a part of another solver, override"
                " that one's own key",
            )


def _refuse_differences(config: RunConfig, differing: list[Key]) -> None:
    if len(differing) == 1 or config.run.arms_differ == ANY:
        return
    names = " and ".join(f"[arms.{arm.name}]" for arm in config.arms)
    facts = (
        ("written in", ", ".join(dict.fromkeys(arm.source for arm in config.arms if arm.source))),
        *(("differs", key_text(key)) for key in differing),
    )
    if not differing:
        raise ConfigError(
            problem=f"{names} differ in nothing",
            facts=facts,
            way_on="override one key in one of them; to measure the noise alone, write arms_differ = "
            '"any" in [run]',
        )
    raise ConfigError(
        problem=f"{names} differ in {len(differing)} things, so that nothing would say which of"
        " them made a difference",
        facts=facts,
        way_on="let them differ in one; or give --allow-several-differences",
    )
