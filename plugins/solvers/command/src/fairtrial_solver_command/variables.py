"""Variables of the user's own that a program is to get."""

import os
from collections.abc import Sequence

from fairtrial.api import MachineError


def passed(names: Sequence[str]) -> dict[str, str]:
    """
    Returns the named variables and their values.

    Raises:
        MachineError: One of them isn't set.
    """
    missing = [name for name in names if name not in os.environ]
    if missing:
        raise MachineError(
            problem=f"the variable “{missing[0]}” is not set",
            facts=(("asked for in", "`pass_env` of a solver “command”"),),
            way_on="set it where fairtrial is started, or take its name out of `pass_env`",
        )
    return {name: os.environ[name] for name in names}
