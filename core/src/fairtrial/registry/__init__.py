"""
From names in a config to plugins that work; the one door through which stevedore is used.

Three stages, each with its own type: `scan` finds what is installed and imports nothing,
`load` imports one plugin's class, `build` makes the objects that a run names.
"""

from fairtrial.registry.build import Builder, Plugins, build
from fairtrial.registry.check import faults
from fairtrial.registry.discover import Damaged, Found, Installed, scan
from fairtrial.registry.kinds import KINDS, Kind, kind_of
from fairtrial.registry.load import load
from fairtrial.registry.page import plugin_page, run_config_page
from fairtrial.registry.schema import schema

__all__ = [
    "KINDS",
    "Builder",
    "Damaged",
    "Found",
    "Installed",
    "Kind",
    "Plugins",
    "build",
    "faults",
    "kind_of",
    "load",
    "plugin_page",
    "run_config_page",
    "scan",
    "schema",
]
