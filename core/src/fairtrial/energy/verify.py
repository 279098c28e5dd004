"""Checks receipts: the chain first, then every figure from the readings, to the microjoule."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from attrs import define, field, frozen

from fairtrial.api.errors import RunError
from fairtrial.energy import records
from fairtrial.energy.account import Account, accounts
from fairtrial.energy.admission import clipped
from fairtrial.energy.batches import TOGETHER, batch
from fairtrial.energy.concerns import concerns
from fairtrial.energy.log import Log, Span
from fairtrial.energy.receipts import START, canonical, digest


@frozen(kw_only=True)
class Settled:
    """
    A window whose figures came out again.

    Attributes:
        sitting: Which session of the receipts it is in, the first being 1.
        id: Its number in that session.
        label: What it holds.
        group: Whose batch it belongs to.
        inside: The windows that it is inside of, the innermost first.
        accounts: Its figures, one a boundary.
    """

    sitting: int
    id: int
    label: str
    group: str
    inside: tuple[int, ...]
    accounts: tuple[Account, ...]


@frozen(kw_only=True)
class Verification:
    """
    What a check of receipts found.

    Attributes:
        problem: What is wrong, one line; empty where all is well.
        record: Number of the record where that showed, the first being 0; None for none.
        records: How many there are.
        windows: How many figures were worked out again and came out equal.
        notes: What a reader should know though nothing is wrong.
        totals: Microjoules of all windows that have a figure of their own, by boundary.
        batches: Microjoules that a group's windows have only together, by `group, boundary`.
        repeats: How many windows were opened anew under the same name later: attempts that were
            made again, which a report has in no sum.
        repeated: Microjoules of theirs that `totals` holds, by boundary.
        settled: The windows, in the order in which their figures were worked out.
        together: What a group's windows used together, by session and group; of a session that was
            cut off, too.
    """

    problem: str = ""
    record: int | None = None
    records: int = 0
    windows: int = 0
    notes: tuple[str, ...] = ()
    totals: Mapping[str, int] = field(factory=dict)
    batches: Mapping[str, int] = field(factory=dict)
    repeats: int = 0
    repeated: Mapping[str, int] = field(factory=dict)
    settled: tuple[Settled, ...] = ()
    together: Mapping[tuple[int, str], tuple[Account, ...]] = field(factory=dict)


@define
class _Broken(Exception):
    problem: str
    record: int


@define
class _Replay:
    log: Log | None = None
    windows: int = 0
    totals: dict[str, int] = field(factory=dict)
    sitting: dict[str, int] = field(factory=dict)
    batches: dict[str, int] = field(factory=dict)
    latest: dict[str, dict[str, int]] = field(factory=dict)
    repeats: int = 0
    repeated: dict[str, int] = field(factory=dict)
    sittings: int = 0
    settled: list[Settled] = field(factory=list)
    together: dict[tuple[int, str], tuple[Account, ...]] = field(factory=dict)
    counted: set[int] = field(factory=set)
    closed: bool = False
    notes: list[str] = field(factory=list)


def verify(path: Path) -> Verification:
    """
    Checks a file of receipts.

    Raises:
        RunError: The file can't be read.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise RunError(
            problem=f"the receipts “{path}” can't be read",
            facts=(("because", str(error.strerror or error)),),
            way_on="name the directory of a run that had a meter",
        ) from error
    return verify_lines(lines)


def verify_lines(lines: Sequence[bytes]) -> Verification:
    """Checks receipts, one line each, without its end."""
    replay = _Replay()
    try:
        _walk(replay, lines)
    except _Broken as broken:
        return Verification(
            problem=broken.problem,
            record=broken.record,
            records=len(lines),
            windows=replay.windows,
            notes=tuple(replay.notes),
        )
    return Verification(
        records=len(lines),
        windows=replay.windows,
        notes=(*replay.notes, *concerns(own for each in replay.settled for own in each.accounts)),
        totals=replay.totals,
        batches=replay.batches,
        repeats=replay.repeats,
        repeated=replay.repeated,
        settled=tuple(replay.settled),
        together=replay.together,
    )


def _walk(replay: _Replay, lines: Sequence[bytes]) -> None:
    head = START
    for index, line in enumerate(lines):
        record = _parsed(line, index, head)
        _check(replay, record, index, head)
        if record["op"] == "close" and line != _last(replay, index, head):
            raise _Broken("it holds something else than a last record does", index)
        head = digest(line)
    if not replay.closed:
        raise _Broken("count and head are missing: the last record was cut off", len(lines))


def _parsed(line: bytes, index: int, head: str) -> Mapping[str, object]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _Broken("it is no JSON", index) from error
    if not isinstance(record, dict) or "op" not in record:
        raise _Broken("it is no record", index)
    if record.get("prev") != head:
        if record["op"] == "close":
            raise _Broken("count or head differ: the record before was changed or removed", index)
        raise _Broken("the chain is broken: the record before was changed or removed", index)
    return record


def _check(replay: _Replay, record: Mapping[str, object], index: int, head: str) -> None:
    try:
        _step(replay, record, index, head)
    except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError) as error:
        raise _Broken(f"it can't be understood: {clipped(str(error))}", index) from error


def _step(replay: _Replay, record: Mapping[str, object], index: int, head: str) -> None:
    op = record["op"]
    if op == "open":
        if replay.log is not None and not replay.closed:
            replay.notes.append(f"a session before record {index} was not closed")
            _work_out_batches(replay, replay.log)
        replay.log, replay.closed, replay.sitting = records.reopened(record), False, {}
        replay.counted = set()
        replay.sittings += 1
        return
    log = replay.log
    if log is None or replay.closed:
        raise _Broken("no session is open", index)
    if op == "close":
        _close(replay, record, index, head)
    elif op == "energy":
        span = log.spans[cast("int", record["id"])]
        if span.id in replay.counted:
            raise _Broken("its window was counted before", index)
        replay.counted.add(span.id)
        found = accounts(log, span)
        _compare(log, found, record, index)
        replay.windows += 1
        _add(replay, log, found, span)
    elif op == "batch":
        group = str(record["group"])
        together = batch(log, group)
        _compare(log, together, record, index)
        replay.together[replay.sittings, group] = together
        _add_batch(replay, group, together)
    else:
        records.apply(log, record)


def _work_out_batches(replay: _Replay, log: Log) -> None:
    """Works out what a session that was cut off could not: what windows at once used together."""
    groups = {
        own.group
        for own in replay.settled
        if own.sitting == replay.sittings
        and any(TOGETHER & set(account.flags) for account in own.accounts)
    }
    for group in sorted(groups):
        if (replay.sittings, group) not in replay.together:
            replay.together[replay.sittings, group] = together = batch(log, group)
            _add_batch(replay, group, together)


def _close(replay: _Replay, record: Mapping[str, object], index: int, head: str) -> None:
    if (record["count"], record["head"]) != (index, head):
        raise _Broken("count or head differ", index)
    if record["totals"] != replay.sitting:
        raise _Broken("its totals are not the sums of its windows", index)
    replay.closed = True


def _last(replay: _Replay, index: int, head: str) -> bytes:
    """Returns the one line that may close a session: no line after it tells that it was changed."""
    parts = {"op": "close", "count": index, "head": head, "totals": replay.sitting, "prev": head}
    return canonical(parts)


def _add(replay: _Replay, log: Log, found: tuple[Account, ...], span: Span) -> None:
    replay.settled.append(
        Settled(
            sitting=replay.sittings,
            id=span.id,
            label=span.label,
            group=span.group,
            inside=tuple(log.line(span)),
            accounts=found,
        )
    )
    # A part of a window is in the whole one's joules already.
    if span.parent is not None:
        return
    shown = {own.boundary.value: own.shown_uj for own in found if own.shown_uj is not None}
    for boundary, microjoules in shown.items():
        _count(replay.totals, boundary, microjoules)
        _count(replay.sitting, boundary, microjoules)
    if span.label in replay.latest:
        replay.repeats += 1
        for boundary, microjoules in replay.latest[span.label].items():
            _count(replay.repeated, boundary, microjoules)
    replay.latest[span.label] = shown


def _add_batch(replay: _Replay, group: str, together: Sequence[Account]) -> None:
    for account in together:
        if account.shown_uj is not None:
            _count(replay.batches, f"{group}, {account.boundary}", account.shown_uj)


def _count(sums: dict[str, int], name: str, microjoules: int) -> None:
    sums[name] = sums.get(name, 0) + microjoules


def _compare(log: Log, found: Sequence[Account], record: Mapping[str, object], index: int) -> None:
    again = [records.described(account, log.version) for account in found]
    if _without_reasons(again) != _without_reasons(record["accounts"]):
        raise _Broken("its joules do not follow from the readings", index)


def _without_reasons(accounts: object) -> object:
    """Leaves out words, which another version may put differently; the flags say the same."""
    if not isinstance(accounts, list):
        return accounts
    return [
        {name: part for name, part in each.items() if name != "why"}
        if isinstance(each, dict)
        else each
        for each in accounts
    ]
