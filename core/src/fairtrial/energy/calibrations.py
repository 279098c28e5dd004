"""
Idle calibrations that outlive the command that made them.

What is kept is the readings, not the watts: a run takes them into its own log, so that its receipts
hold all that its figures follow from. They are good for the same counters in the same boot only;
how old they may be is judged with every other rule, when a figure is worked out.
"""

import itertools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from fairtrial.energy import records
from fairtrial.energy.admission import is_width, sound_all
from fairtrial.energy.log import Log, Snapshot
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
        return found if _is_sound(rehearsal) else []
    except (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError):
        return []  # a damaged file is no calibration, and no reason to stop a run
    except RecursionError:
        return []  # nor is one that only looks like JSON


def _is_sound(log: Log) -> bool:
    """
    Returns whether a log of one calibration can be reckoned with.

    Raises:
        TypeError: A counter's update is beyond all measure, or something is of another type.
    """
    sound_all(log.counters.values())
    (run,) = log.idle
    edges = [0, *itertools.chain.from_iterable(run.windows), len(log.snapshots) - 1]
    texts = [*run.conditions.keys(), *run.conditions.values()]
    return (
        bool(run.windows)
        and all(map(is_width, edges))
        and edges == sorted(edges)
        and all(isinstance(text, str) for text in texts)
        and all(map(_is_whole, log.snapshots))
    )


def _is_whole(snapshot: Snapshot) -> bool:
    """Whether all that a snapshot holds is whole numbers."""
    readings = [tuple(reading) for reading in snapshot.counts.values()]
    times = (snapshot.before_ns, snapshot.after_ns, snapshot.boot_ns)
    known = [own for own in (snapshot.busy_us, snapshot.own_us) if own is not None]
    numbers = (*times, *known, *itertools.chain.from_iterable(readings))
    return all(map(is_width, numbers)) and {len(reading) for reading in readings} <= {3}


def _alike(log: Log) -> Mapping[str, object]:
    """Returns what must be the same about counters: all but how often they seemed to move."""
    described = records.counters(log)
    return {key: {**own, "update_s": None} for key, own in described.items()}


def _cadences(log: Log) -> Mapping[str, object]:
    described = records.counters(log)
    return {key: own["update_s"] for key, own in described.items() if own["update_s"]}
