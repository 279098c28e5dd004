"""Flags as settings: `--jobs 4` says the same as `--set run.jobs=4`."""

import json
from collections.abc import Mapping, Sequence


def settings_of(flags: Mapping[str, object], others: Sequence[str] | None) -> tuple[str, ...]:
    """
    Returns settings for flags that were given, then those given by `--set`.

    Args:
        flags: Key of `[run]` → value; None and `()` stand for a flag that was not given.
        others: What `--set` was given.
    """
    given = tuple(
        f"run.{key}={_as_toml(value)}" for key, value in flags.items() if value not in (None, ())
    )
    return (*given, *(others or ()))


def _as_toml(value: object) -> str:
    # JSON's texts, numbers and lists of them are TOML's too.
    if isinstance(value, tuple):
        return json.dumps(list(value), ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False)
