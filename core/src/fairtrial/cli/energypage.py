"""Pages of `fairtrial energy`: tables for people, plain values for programs."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from fairtrial.api.reading import Boundary, Counter
from fairtrial.energy.account import Account
from fairtrial.energy.agreement import Agreement
from fairtrial.energy.auto import AUTO
from fairtrial.energy.idle import IdlePower
from fairtrial.energy.labels import MEASURED
from fairtrial.energy.probing import SeenCounter, SeenMeter
from fairtrial.energy.reasons import worded
from fairtrial.energy.verify import Verification
from fairtrial.figures.basis import Basis
from fairtrial.figures.markdown import cell, safe, table
from fairtrial.figures.rates import DASH, counted

_HEADINGS = ("Counter", "Boundary", "Label", "Sensor", "Moves every", "Floor", "Problem")


def probe_page(seen: Sequence[SeenMeter], broken: Mapping[str, str], notes: Sequence[str]) -> str:
    """Returns what each meter can read, and what to do about the rest."""
    rows = [
        (
            cell(f"{meter.name}/{own.counter.id}"),
            *_meaning(own.counter),
            _span(own.update_s),
            _span(own.floor_s),
            cell(own.problem) or DASH,
        )
        for meter in seen
        for own in meter.counters
    ]
    parts = [table(_HEADINGS, rows)] if rows else ["No counter can be read here.\n"]
    labels = {own.counter.label for meter in seen for own in meter.counters}
    if rows and not labels & MEASURED:
        parts.append("\nNone of these counts joules: an estimate is worked out, not measured.\n")
    missing = [
        f"- {_place(meter.name, name)}: {safe(worded(why))}\n"
        for meter in seen
        for name, why in meter.unavailable.items()
    ]
    missing += [f"- {safe(name)}: {safe(why)}\n" for name, why in broken.items()]
    if missing:
        heading = "What can't be read here, with the way to it where there is one"
        parts += [f"\n{heading}:\n\n", *missing]
    # Why a meter isn't taken of which nothing can be read was said just above.
    said = tuple(f"{AUTO}: not {meter.name}: " for meter in seen if meter.unavailable)
    taken = [note for note in notes if not note.startswith(said)]
    if taken:
        parts += ['\nWhat `meters = ["auto"]` takes:\n\n', *(f"- {safe(n)}\n" for n in taken)]
    return "".join(parts)


def _meaning(counter: Counter) -> tuple[str, str, str]:
    """Names boundary, label and sensor; CPU time is of no boundary's joules."""
    if counter.is_cpu_time:
        return DASH, DASH, "CPU time"
    return counter.boundary.value, counter.label.value, cell(counter.sensor)


def _place(meter: str, name: str) -> str:
    return safe(meter) if meter == name else f"{safe(meter)}, {safe(name)}"


def seen_as_json(seen: Sequence[SeenMeter]) -> list[dict[str, object]]:
    """Returns the same as plain values."""
    return [
        {
            "name": meter.name,
            "counters": [_seen_as_json(own) for own in meter.counters],
            "unavailable": dict(meter.unavailable),
        }
        for meter in seen
    ]


def _seen_as_json(own: SeenCounter) -> dict[str, object]:
    return {
        "id": own.counter.id,
        "boundary": own.counter.boundary.value,
        "label": own.counter.label.value,
        "sensor": own.counter.sensor,
        "identity": own.counter.identity,
        "atoms": sorted(own.counter.atoms),
        "update_s": own.update_s,
        "floor_s": own.floor_s,
        "problem": own.problem,
    }


def idle_page(powers: Mapping[Boundary, IdlePower], *, kept: bool, why: str = "") -> str:
    """Returns idle power by boundary, and whether runs will use it, or why not."""
    if not powers:
        return "None of these meters measures, so there is no idle power to take off.\n"
    rows = [
        (
            boundary.value,
            f"{own.watts:.2f} W" if own.windows else DASH,
            f"{own.spread_w:.2f} W" if own.windows else DASH,
            str(own.windows or DASH),
            cell(own.invalid) or DASH,
        )
        for boundary, own in powers.items()
    ]
    end = (
        "\nKept: runs of this boot take it off their figures for the next 30 minutes.\n"
        if kept
        else f"\nNot kept: figures stay gross. {_way_on(why)}\n"
    )
    return table(("Boundary", "Idle", "Spread", "Windows", "Problem"), rows, right="lrrr") + end


def _way_on(why: str) -> str:
    if why:
        return f"The reason is that {safe(why)}."
    return "Close what keeps the machine busy, and try again."


def idle_as_json(powers: Mapping[Boundary, IdlePower]) -> dict[str, object]:
    """Returns the same as plain values."""
    return {
        boundary.value: {
            "watts": own.watts if own.windows else None,
            "spread_w": own.spread_w if own.windows else None,
            "windows": own.windows,
            "invalid": own.invalid,
        }
        for boundary, own in powers.items()
    }


def verification_page(found: Verification, told: Agreement | None, signed: bool | None) -> str:
    """Returns what a check of receipts found, and what trials tell besides."""
    if found.problem:
        lines = [f"record {found.record}: {found.problem}"]
    else:
        records, windows = counted(found.records, "record"), counted(found.windows, "window")
        lines = [f"receipts hold: {records}; worked out again alike: {windows}"]
        kinds = kinds_of(found)
        lines += [
            f"{name}: {joules / 1e6:.6f} J ({' and '.join(kinds[name])}){_repeated(found, name)}"
            for name, joules in found.totals.items()
        ]
        lines += [
            f"{name}: {joules / 1e6:.6f} J as a batch ({' and '.join(kinds[name])})"
            for name, joules in found.batches.items()
        ]
    lines += found.notes
    if not found.problem:
        lines += _agreement(told)
    if signed is not None:
        lines.append("the signature holds" if signed else "the signature does not hold")
    # Whoever changed receipts may have put anything into them.
    return "".join(f"{safe(line)}\n" for line in lines)


def kinds_of(found: Verification) -> dict[str, list[str]]:
    """Names what each sum holds; where that is more than one kind, it is none to be ranked."""
    alone = [own for each in found.settled if not each.inside for own in each.accounts]
    return {
        name: _kinds(own for own in alone if own.boundary == name) for name in found.totals
    } | {
        name: _kinds(
            own
            for (_, group), accounts in found.together.items()
            for own in accounts
            if f"{group}, {own.boundary}" == name
        )
        for name in found.batches
    }


def _kinds(accounts: Iterable[Account]) -> list[str]:
    return list(
        dict.fromkeys(
            f"{own.label}, {Basis.GROSS if own.net_uj is None else Basis.NET}"
            for own in accounts
            if own.shown_uj is not None
        )
    )


def _agreement(told: Agreement | None) -> Iterator[str]:
    if told is None:
        yield "no run is beside them, so that no trial was compared"
        return
    for difference in told.differences:
        yield f"differs: {safe(difference)}"
    if not told.differences:
        yield f"{counted(told.compared, 'attempt')} with the joules that their receipts give"
    yield from told.notes


def agreement_as_json(told: Agreement) -> dict[str, object]:
    """Returns what trials tell besides their receipts as plain values."""
    return {
        "compared": told.compared,
        "differences": list(told.differences),
        "notes": list(told.notes),
    }


def _repeated(found: Verification, boundary: str) -> str:
    """Says how much of a sum no report shows, since its attempts were made again."""
    joules = found.repeated.get(boundary)
    if joules is None:
        return ""
    of = "1 attempt that was" if found.repeats == 1 else f"{found.repeats} attempts that were"
    return f", of which {joules / 1e6:.6f} J of {of} made again"


def watch_line(accounts: Sequence[Account], *, as_json: bool) -> str:
    """Returns the mean power of an interval by boundary, or why there is none, as one line."""
    watts = {
        own.boundary.value: None
        if own.gross_uj is None or not own.wall_us
        else own.gross_uj / own.wall_us
        for own in accounts
    }
    whys = {
        own.boundary.value: own.why or "no time has passed"
        for own in accounts
        if watts[own.boundary.value] is None
    }
    if as_json:
        labels = {own.boundary.value: own.label.value for own in accounts}
        told = {**watts, "label": labels} | ({"why": whys} if whys else {})
        return json.dumps(told, ensure_ascii=False) + "\n"
    parts = []
    for own in accounts:
        name = own.boundary.value
        power = watts[name]
        shown = DASH if power is None else f"{power:.1f} W"
        why = f": {safe(worded(whys[name]))}" if name in whys else ""
        parts.append(f"{name} {shown} ({own.label}){why}")
    return ("; ".join(parts) or f"{DASH} no meter is read") + "\n"


def _span(seconds: float | None) -> str:
    if seconds is None:
        return DASH
    if round(seconds * 1000) < 1:
        return "< 1 ms"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
