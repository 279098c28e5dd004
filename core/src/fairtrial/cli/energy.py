"""`fairtrial energy`: what can be measured here, idle power, receipts, and power as it is now."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fairtrial.cli.footprint import footprint
from fairtrial.cli.numbers import seconds, whole
from fairtrial.cli.options import JsonFlag, Settings
from fairtrial.cli.streams import emit, note

if TYPE_CHECKING:
    from fairtrial.energy.agreement import Agreement
    from fairtrial.energy.verify import Verification

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    help="Show what can be measured here, calibrate it, and check receipts.",
)

FAILED = 1
RECEIPTS = "energy.jsonl"
LEAST_WINDOW_S = 5.0
"""Shorter idle windows hold too few updates of slow counters, and too little of slow changes."""
MOST_S = 3600.0
"""Nobody waits longer for one figure, and no clock takes any number of seconds."""
MOST_WINDOWS = 1000
MOST_LINES = 10**9

Run = Annotated[
    Path, typer.Argument(metavar="RUN", help="A run's directory or label, or its receipts.")
]
Meters = Annotated[
    list[str] | None,
    typer.Option("--meter", metavar="NAME", help="Only this meter, or table of one. Repeatable."),
]

Files = Annotated[
    list[Path] | None,
    typer.Option(
        "--config",
        "-c",
        metavar="FILE",
        help="A run config, for its tables of meters; later ones win. Repeatable.",
    ),
]


@app.command()
def probe(
    meters: Meters = None,
    files: Files = None,
    settings: Settings = None,
    as_json: JsonFlag = False,
) -> None:
    """Show each meter's counters, how often they move, and how to get those that are missing."""
    from fairtrial.cli.energymeters import MeterSet
    from fairtrial.cli.energypage import probe_page, seen_as_json
    from fairtrial.energy.host import ThisHost
    from fairtrial.energy.probing import look

    known = MeterSet.of(meters, files, settings)
    found, broken = known.all()
    host = ThisHost()
    seen = look(found, host)
    notes = () if meters else known.taken(found, host)
    if as_json:
        _emit_json({"meters": seen_as_json(seen), "broken": dict(broken), "auto": list(notes)})
    else:
        emit(probe_page(seen, broken, notes))


@app.command()
def calibrate(
    meters: Meters = None,
    files: Files = None,
    settings: Settings = None,
    windows: Annotated[
        int,
        typer.Option(
            "--windows",
            parser=whole("--windows", most=MOST_WINDOWS),
            metavar="N",
            help="Five or more are needed.",
        ),
    ] = 5,
    window_s: Annotated[
        float,
        typer.Option(
            "--window-s",
            parser=seconds("--window-s", least=LEAST_WINDOW_S, most=MOST_S),
            metavar="S",
            help="How long each is, from 5 on.",
        ),
    ] = LEAST_WINDOW_S,
    as_json: JsonFlag = False,
) -> int:
    """
    Measure idle power, for the runs of the next half hour; leave the machine alone meanwhile.

    Ends with the first window in which the machine is busy. Exits with 1 where it was not quiet
    enough, and keeps nothing then.
    """
    from fairtrial.cli.calibration import calibrated
    from fairtrial.cli.energymeters import MeterSet
    from fairtrial.energy.host import ThisHost
    from fairtrial.energy.ledger import EnergyLedger
    from fairtrial.energy.places import KEPT, cache_folder

    host = ThisHost()
    choice = MeterSet.of(meters, files, settings).to_calibrate(host)
    with EnergyLedger(meters=choice.meters, host=host) as ledger:
        found = calibrated(ledger, cache_folder() / KEPT, windows=windows, window_s=window_s)
    if as_json:
        _emit_json(found.plain)
    else:
        emit(found.page)
    return 0 if found.kept else FAILED


@app.command()
def verify(
    run: Run,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="PUBLIC", help="Also check the signature, by this key."),
    ] = None,
    as_json: JsonFlag = False,
) -> int:
    """
    Work out every figure of a run again from its receipts, and compare them with its trials'.

    Exits with 1 if one differs.
    """
    from fairtrial.cli.energypage import agreement_as_json, kinds_of, verification_page
    from fairtrial.energy.signing import is_signed_by, signature_of
    from fairtrial.energy.verify import verify as check

    receipts = _receipts(run)
    found = check(receipts)
    told = None if found.problem else _told(receipts, found)
    signed = None if key is None else is_signed_by(receipts, key)
    if as_json:
        _emit_json(
            {
                "problem": found.problem,
                "record": found.record,
                "records": found.records,
                "windows": found.windows,
                "notes": list(found.notes),
                "totals_uj": dict(found.totals),
                "batches_uj": dict(found.batches),
                "kinds": kinds_of(found),
                "made_again": found.repeats,
                "made_again_uj": dict(found.repeated),
                "trials": None if told is None else agreement_as_json(told),
                "signed": signed,
            }
        )
    else:
        emit(verification_page(found, told, signed))
        if signed is False and not signature_of(receipts).exists():
            note("nobody signed it: `fairtrial energy sign` does")
    differs = told is not None and bool(told.differences)
    return FAILED if found.problem or differs or signed is False else 0


@app.command()
def sign(
    run: Run,
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="A private key.")],
) -> None:
    """Sign a run's receipts; the signature is put beside them."""
    from fairtrial.energy.signing import sign as put

    emit(f"{put(_receipts(run), key)}\n")


@app.command(name="key")
def make_key(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the private key goes.")],
) -> None:
    """Make a key to sign receipts with, and print its public half."""
    from fairtrial.energy.signing import new_key

    emit(f"{new_key(file)}\n")


@app.command()
def watch(
    meters: Meters = None,
    files: Files = None,
    settings: Settings = None,
    every_s: Annotated[
        float,
        typer.Option(
            "--every-s",
            parser=seconds("--every-s", least=0.1, most=MOST_S),
            metavar="S",
            help="Seconds between lines.",
        ),
    ] = 1.0,
    lines: Annotated[
        int,
        typer.Option(
            "--lines",
            parser=whole("--lines", least=0, most=MOST_LINES),
            metavar="N",
            help="Stop after N lines; 0 goes on.",
        ),
    ] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Show power as it is now, a line each second, until interrupted."""
    import itertools

    from fairtrial.cli.energymeters import MeterSet
    from fairtrial.cli.energypage import watch_line
    from fairtrial.energy.host import ThisHost
    from fairtrial.energy.ledger import EnergyLedger
    from fairtrial.energy.watching import intervals

    host = ThisHost()
    choice = MeterSet.of(meters, files, settings).chosen(host)
    for line in choice.notes:
        note(line)
    with EnergyLedger(meters=choice.meters, host=host, keepalive_s=None) as ledger:
        for accounts in itertools.islice(intervals(ledger, every_s), lines or None):
            emit(watch_line(accounts, as_json=as_json))


app.command()(footprint)


def _receipts(run: Path) -> Path:
    if run.is_dir():
        return run / RECEIPTS
    if run.is_file():
        return run
    from fairtrial.cli.places import find_run

    return find_run(str(run)).energy


def _told(receipts: Path, found: "Verification") -> "Agreement | None":
    """Compares the trials of the run that receipts are of; None where they lie alone."""
    from fairtrial.cli.places import told_run
    from fairtrial.energy.agreement import agreement
    from fairtrial.engine.directory import RunDirectory

    directory = RunDirectory(receipts.parent)
    if receipts.name != directory.energy.name or not directory.record.is_file():
        return None
    return agreement(told_run(directory), found)


def _emit_json(value: Mapping[str, object]) -> None:
    emit(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
