"""
The log's records: every change to a `Log` is one, and is made by `apply`.

The ledger applies a record as it writes it, and a verifier applies it as it reads it, so both end
with the same log. Records hold integers and text only: a float is written as an exact fraction.
"""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import cast

from attrs import evolve

from fairtrial.api.reading import Boundary, Counter, Label
from fairtrial.energy.account import Account
from fairtrial.energy.admission import clipped, is_width, shown
from fairtrial.energy.idle import IdlePower
from fairtrial.energy.log import VERSION, Fault, IdleRun, Log, Snapshot, Span

READABLE = (1, VERSION)
"""Versions of the records' form that can be worked out again."""

_SINCE_2 = ("tau_us", "suspended_us", "idle")
"""Parts of an account that the first version doesn't tell."""

_FRACTION = re.compile(r"[0-9]{1,400}(/[0-9]{1,400})?")

Record = dict[str, object]
"""One record, before it is chained."""


def opened(
    log: Log,
    host: Mapping[str, str],
    packages: Mapping[str, str],
    meters: Mapping[str, str],
) -> Record:
    """Returns the record that begins a log: what is read, on what, with what."""
    return {
        "op": "open",
        "version": log.version,
        "host": dict(host),
        "packages": dict(packages),
        "meters": dict(meters),
        "counters": counters(log),
        "missing": {meter: dict(parts) for meter, parts in log.missing.items()},
        "processors": log.processors,
        "shared_with": log.shared_with,
    }


def counters(log: Log) -> dict[str, Record]:
    """Returns a log's counters as records hold them, by key."""
    return {key: _described(counter) for key, counter in log.counters.items()}


def reopened(record: Mapping[str, object]) -> Log:
    """
    Returns the log that an `open` record begins.

    Raises:
        KeyError: The record lacks a part.
        ValueError: It is of another version.
    """
    if record["version"] not in READABLE:
        known = " and ".join(map(str, READABLE))
        msg = f"it is of version {shown(record['version'])}, and this program reads {known}"
        raise ValueError(msg)
    described = cast("Mapping[str, Mapping[str, object]]", record["counters"])
    processors = record["processors"]
    if processors is not None and not is_width(processors):
        msg = f"{shown(processors)} is no number of processors"
        raise ValueError(msg)
    return Log(
        version=record["version"],
        counters={key: _counter(key, own) for key, own in described.items()},
        missing=cast("Mapping[str, Mapping[str, str]]", record["missing"]),
        processors=cast("int | None", processors),
        shared_with=str(record["shared_with"]),
    )


def read(snapshot: Snapshot) -> Record:
    """Returns the record of a snapshot."""
    return {
        "op": "read",
        "before": snapshot.before_ns,
        "after": snapshot.after_ns,
        "boot": snapshot.boot_ns,
        "counts": {key: list(reading) for key, reading in snapshot.counts.items()},
        "cpu": [snapshot.busy_us, snapshot.own_us],
    }


def apply(log: Log, record: Mapping[str, object]) -> None:
    """
    Changes a log as a record says.

    Raises:
        KeyError: The record lacks a part.
        ValueError: It has a form that this version doesn't know.
    """
    change = _CHANGES.get(str(record["op"]))
    if change is None:
        msg = f"unknown operation “{clipped(str(record['op']))}”"
        raise ValueError(msg)
    change(log, record)


def described(account: Account, version: int = VERSION) -> Record:
    """Returns an account as records hold it: integers, text, and nothing that is empty."""
    parts: Record = {
        "boundary": account.boundary.value,
        "label": account.label.value,
        "meter": account.meter,
        "sensor": account.sensor,
        "coverage": list(account.coverage),
        "granularity": account.granularity,
        "gross_uj": account.gross_uj,
        "idle_uj": account.idle_uj,
        "net_uj": account.net_uj,
        "u_uj": account.u_uj,
        "wall_us": account.wall_us,
        "floor_us": account.floor_us,
        "tau_us": account.tau_us,
        "suspended_us": account.suspended_us,
        "idle": None if account.idle is None else _idle_of(account.idle),
        "significant": account.significant,
        "flags": list(account.flags),
        "why": account.why,
    }
    if version < VERSION:
        parts = {name: part for name, part in parts.items() if name not in _SINCE_2}
    return {name: part for name, part in parts.items() if part not in (None, "", [])}


def _idle_of(idle: IdlePower) -> Record:
    """Returns what was known of idle power: how much it was, from how many windows, how old."""
    return {
        "w_uw": round(idle.watts * 1e6),
        "n": idle.windows,
        "cv_ppm": round(idle.variation * 1e6),
        "age_s": round(idle.age_s),
        "valid": not idle.invalid,
    }


def _described(counter: Counter) -> Record:
    return {
        "unit": str(Fraction(counter.microjoules_per_count)),
        "modulus": counter.modulus,
        "atoms": sorted(counter.atoms),
        "label": counter.label.value,
        "boundary": counter.boundary.value,
        "sensor": counter.sensor,
        "update_s": _exact(counter.update_s),
        "max_watts": _exact(counter.max_watts),
        "identity": counter.identity,
        "shared": counter.is_shared,
        "kind": "power" if counter.is_power else "cpu-time" if counter.is_cpu_time else "energy",
    }


def _exact(value: float | None) -> str | None:
    return None if value is None else str(Fraction(value))


def _float(text: object) -> float | None:
    return None if text is None else _number(text)


def _number(text: object) -> float:
    """
    Returns the number of an exact fraction.

    Raises:
        ValueError: It is none: `1e999999999`, which Python would write out, or too long a one.
    """
    if not _FRACTION.fullmatch(str(text)):
        msg = f"“{clipped(str(text))}” is no fraction"
        raise ValueError(msg)
    return float(Fraction(str(text)))


def _counter(key: str, own: Mapping[str, object]) -> Counter:
    return Counter(
        id=key.split("/", 1)[1],
        microjoules_per_count=_number(own["unit"]),
        modulus=cast("int | None", own["modulus"]),
        atoms=frozenset(cast("Sequence[str]", own["atoms"])),
        label=Label(str(own["label"])),
        boundary=Boundary(str(own["boundary"])),
        sensor=str(own["sensor"]),
        update_s=_float(own["update_s"]),
        max_watts=_float(own["max_watts"]),
        identity=str(own["identity"]),
        is_power=own["kind"] == "power",
        is_shared=own["shared"] is True,
        is_cpu_time=own["kind"] == "cpu-time",
    )


def _read(log: Log, record: Mapping[str, object]) -> None:
    counts = cast("Mapping[str, tuple[int, int, int]]", record["counts"])
    busy_us, own_us = cast("Sequence[int | None]", record["cpu"])
    log.snapshots.append(
        Snapshot(
            before_ns=cast("int", record["before"]),
            after_ns=cast("int", record["after"]),
            boot_ns=cast("int", record["boot"]),
            counts=counts,
            busy_us=busy_us,
            own_us=own_us,
        )
    )


def _begin(log: Log, record: Mapping[str, object]) -> None:
    span = Span(
        id=cast("int", record["id"]),
        label=str(record["label"]),
        group=str(record["group"]),
        parent=cast("int | None", record["parent"]),
        begin=cast("int", record["at"]),
        apart=record.get("apart") is True,
        control=record.get("control") is True,
    )
    span.beside |= set(log.busy)
    log.spans[span.id] = span
    log.open.add(span.id)


def _end(log: Log, record: Mapping[str, object]) -> None:
    span = log.spans[cast("int", record["id"])]
    span.end = cast("int", record["at"])
    span.cpu_us = cast("int | None", record["cpu_us"])
    log.open.discard(span.id)


def _work(log: Log, record: Mapping[str, object]) -> None:
    label = str(record["label"])
    log.busy.append(label)
    for own in log.open:
        log.spans[own].beside.add(label)


def _rest(log: Log, record: Mapping[str, object]) -> None:
    log.busy.remove(str(record["label"]))


def _fault(log: Log, record: Mapping[str, object]) -> None:
    meter, why = str(record["meter"]), str(record["why"])
    log.faults.append(Fault(at=cast("int", record["at"]), meter=meter, why=why))


def _identity(log: Log, record: Mapping[str, object]) -> None:
    log.changes.append((cast("int", record["at"]), str(record["counter"])))


def _conditions(log: Log, record: Mapping[str, object]) -> None:
    log.conditions.append(
        (cast("int", record["at"]), cast("Mapping[str, str]", record["conditions"]))
    )


def _idle(log: Log, record: Mapping[str, object]) -> None:
    windows = cast("Sequence[Sequence[int]]", record["windows"])
    log.idle.append(
        IdleRun(
            windows=tuple((begin, end) for begin, end in windows),
            conditions=cast("Mapping[str, str]", record["conditions"]),
        )
    )


def _cadence(log: Log, record: Mapping[str, object]) -> None:
    found = cast("Mapping[str, str]", record["update_s"])
    log.counters = {
        key: evolve(counter, update_s=_float(found[key])) if key in found else counter
        for key, counter in log.counters.items()
    }


def _shared(log: Log, record: Mapping[str, object]) -> None:
    log.shared_with = str(record["with"])


_CHANGES = {
    "read": _read,
    "begin": _begin,
    "end": _end,
    "work": _work,
    "rest": _rest,
    "fault": _fault,
    "identity": _identity,
    "conditions": _conditions,
    "idle": _idle,
    "shared": _shared,
    "cadence": _cadence,
}
