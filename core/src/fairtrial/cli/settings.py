"""Flags as settings: `--jobs 4` says the same as `--set run.jobs=4`."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from fairtrial.config import RunConfig, Setting

FLAGS = {
    "timeout_s": "--timeout",
    "max_heldout_gap": "--max-gap",
    "arms_differ": "--allow-several-differences",
    "reporters": "--reporter",
}
"""Key of `[run]` → the flag that sets it, where that isn't the key itself."""


def settings_of(
    flags: Mapping[str, object],
    others: Sequence[str | Setting] | None,
    names: Mapping[str, str] | None = None,
) -> tuple[str | Setting, ...]:
    """
    Returns settings for flags that were given, then those given by `--set`.

    Args:
        flags: Key of `[run]` → value; None and `()` stand for a flag that was not given.
        others: What `--set` was given.
        names: Key of `[run]` → what the user gave in place of the usual flag.
    """
    given = tuple(
        Setting(
            text=f"run.{key}={_as_toml(value)}", flag={**FLAGS, **(names or {})}.get(key, flag)
        )
        for key, value in flags.items()
        if value not in (None, ())
        for flag in [f"--{key.replace('_', '-')}"]
    )
    return (*given, *(others or ()))


def held_out(config: RunConfig, directory: Path) -> tuple[str, ...]:
    """
    Returns settings that have the config's suite graded by a held-out set besides.

    A suite that is a held-out one already is given this set in place of its own.
    """
    table = config.table("suites", config.run.suite)
    place = _as_toml(str(directory.absolute()))
    if table.plugin == "heldout":
        return (f"suites.{_as_toml(table.name)}.companions={place}",)
    outer = f"{table.name}-heldout"
    here = f"suites.{_as_toml(outer)}"
    return (
        f"{here}.plugin='heldout'",
        f"{here}.inner={_as_toml(table.name)}",
        f"{here}.companions={place}",
        f"run.suite={_as_toml(outer)}",
    )


def _as_toml(value: object) -> str:
    # JSON's texts, numbers and lists of them are TOML's too.
    if isinstance(value, tuple):
        return json.dumps(list(value), ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False)
