"""Where the files are that all runs of a user on a host share."""

import os
from pathlib import Path

from platformdirs import user_cache_path

KEPT = "idle.json"
"""Name of the file with the last idle calibration."""


def cache_folder() -> Path:
    """Returns the folder; the variable FAIRTRIAL_CACHE moves the cache that it is in."""
    chosen = os.environ.get("FAIRTRIAL_CACHE")
    return (Path(chosen) if chosen else user_cache_path("fairtrial")) / "energy"
