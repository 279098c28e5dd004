"""Flags as settings: `--jobs 4` says the same as `--set run.jobs=4`."""

import json
import math
from collections.abc import Mapping, Sequence

from fairtrial.api.errors import ConfigError


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


def positive_seconds(flag: str, value: float | None) -> float | None:
    """
    Returns the value of a flag that takes seconds.

    Raises:
        ConfigError: It is no finite number above 0.
    """
    if value is None or (math.isfinite(value) and value > 0):
        return value
    raise ConfigError(
        problem=f"{flag} takes a number of seconds above 0, not “{value:g}”",
        way_on=f"write such as {flag} 600",
    )


def _as_toml(value: object) -> str:
    # JSON's texts, numbers and lists of them are TOML's too.
    if isinstance(value, tuple):
        return json.dumps(list(value), ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False)
