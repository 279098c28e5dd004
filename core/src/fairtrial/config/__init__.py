"""Run configs: what may stand in one, and how one is read, merged and shown."""

from fairtrial.config.arms import apart
from fairtrial.config.describe import describe
from fairtrial.config.files import Setting
from fairtrial.config.load import load, overlaid
from fairtrial.config.schema import (
    CONTROL_ARMS,
    PLURALS,
    SET,
    SOLVER_BY_SOLVER,
    Origin,
    RunConfig,
    RunTable,
    Table,
)

__all__ = [
    "CONTROL_ARMS",
    "PLURALS",
    "SET",
    "SOLVER_BY_SOLVER",
    "Origin",
    "RunConfig",
    "RunTable",
    "Setting",
    "Table",
    "apart",
    "describe",
    "load",
    "overlaid",
]
