"""Plain data as TOML text; only values, since the tables are laid out by whoever calls."""

import json
import math
from collections.abc import Mapping

from fairtrial.serial.wording import key_text


def value_text(value: object) -> str:
    """
    Returns a value as TOML writes it, on one line.

    Raises:
        TypeError: TOML has no such value.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        # JSON's escapes are TOML's, but for the surrogate pairs that `ensure_ascii` would make.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        inner = (f"{key_text([key])} = {value_text(each)}" for key, each in value.items())
        return f"{{ {', '.join(inner)} }}" if value else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(value_text(each) for each in value)}]"
    if value is None:
        msg = "TOML has no word for nothing"
        raise TypeError(msg)
    return str(value)
