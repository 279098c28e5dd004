"""
Idle calibrations that outlive the command that made them.

What is kept is the readings, not the watts: a run takes them into its own log, so that its receipts
hold all that its figures follow from. They are good for the same counters in the same boot only;
how old they may be is judged with every other rule, when a figure is worked out.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from fairtrial.energy import records
from fairtrial.energy.log import Log
from fairtrial.energy.records import Record


def keep(path: Path, log: Log, boot_id: str) -> None:
    """
    Writes the last calibration of a log.

    Raises:
        OSError: The file can't be written.
        ValueError: The log has no calibration, or the boot has no name.
    """
    if not boot_id:
        msg = "this machine doesn't tell one boot from another"
        raise ValueError(msg)
    if not log.idle:
        msg = "there is no calibration to keep"
        raise ValueError(msg)
    run = log.idle[-1]
    first = run.windows[0][0]
    reads = [records.read(own) for own in log.snapshots[first : run.windows[-1][1] + 1]]
    windows = [[begin - first, end - first] for begin, end in run.windows]
    kept = {
        "boot_id": boot_id,
        "counters": _alike(log),
        "cadence": {"op": "cadence", "update_s": _cadences(log)},
        "reads": reads,
        "idle": {"op": "idle", "windows": windows, "conditions": dict(run.conditions)},
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(kept), encoding="utf-8")


def kept_for(path: Path, log: Log, boot_id: str) -> list[Record]:
    """
    Returns the records of a kept calibration for a log that has no snapshot yet.

    Returns:
        Nothing where none was kept, or for other counters or another boot.
    """
    try:
        kept: Mapping[str, object] = json.loads(path.read_text(encoding="utf-8"))
        if not boot_id or kept["boot_id"] != boot_id:
            return []
        if kept["counters"] != _alike(log):
            return []
        reads = cast("list[Record]", kept["reads"])
        found = [cast("Record", kept["cadence"]), *reads, cast("Record", kept["idle"])]
        rehearsal = Log(counters=log.counters)
        for record in found:
            records.apply(rehearsal, record)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []  # a damaged file is no calibration, and no reason to stop a run
    return found


def _alike(log: Log) -> Mapping[str, object]:
    """Returns what must be the same about counters: all but how often they seemed to move."""
    described = records.counters(log)
    return {key: {**own, "update_s": None} for key, own in described.items()}


def _cadences(log: Log) -> Mapping[str, object]:
    described = records.counters(log)
    return {key: own["update_s"] for key, own in described.items() if own["update_s"]}
