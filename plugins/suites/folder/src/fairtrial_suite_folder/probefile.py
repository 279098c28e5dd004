"""A task's probe: its file, and the cases with what ought to come back."""

import json
from pathlib import Path

from attrs import frozen
from fairtrial.stacks.probes import SUFFIXES, Case

from fairtrial_suite_folder.reading import piece, read_table
from fairtrial_suite_folder.table import Table

KEYS = ("file", "cases", "timeout_s", "isolate", "tolerance")
CASE_KEYS = ("name", "call", "args", "expect", "raises", "isolate", "tolerance")


@frozen(kw_only=True)
class Probe:
    """
    A hidden check that never sees what is expected.

    Attributes:
        file: The program that calls the code under test.
        cases_file: Where the cases stand; never laid into a tree.
        cases: What is asked, and what must come back.
        timeout_s: Seconds that each child may take.
    """

    file: Path
    cases_file: Path
    cases: tuple[Case, ...]
    timeout_s: float


def read_probe(table: Table) -> Probe:
    """
    Reads `[probe]`, and the cases that it names.

    Raises:
        SuiteError: A file is missing, or a case can't be read.
    """
    table.only(*KEYS)
    file, cases = piece(table, "file"), piece(table, "cases")
    if file.suffix not in SUFFIXES:
        problem = f"“{file.name}” is in no language that a probe can be written in"
        raise table.fault("file", problem, f"let it end with one of {', '.join(SUFFIXES)}")
    inside = read_table(cases, table.task)
    inside.only("cases")
    found = tuple(_case(one, at, table) for at, one in enumerate(inside.tables("cases")))
    if not found:
        raise inside.fault("cases", "there are no cases", "write [[cases]]")
    return Probe(
        file=file, cases_file=cases, cases=found, timeout_s=table.seconds("timeout_s", 60.0)
    )


def _case(one: Table, at: int, probe: Table) -> Case:
    one.only(*CASE_KEYS)
    call = one.text("call")
    if ("expect" in one.values) == ("raises" in one.values):
        problem = "a case says either what it expects or what it raises"
        raise one.fault("expect", problem, "give expect = … or raises = “…”, and not both")
    args = one.values.get("args", [])
    if not isinstance(args, list):
        raise one.fault("args", "“args” must be a list", "write args = […]")
    _plain(one, "args", args)
    _plain(one, "expect", one.values.get("expect"))
    return Case(
        name=one.maybe_text("name") or f"{call} {at}",
        call=call,
        args=tuple(args),
        expect=one.values.get("expect"),  # type: ignore[arg-type]  # plain, as was just tested
        raises=one.maybe_text("raises"),
        tolerance=_tolerance(one, probe),
        isolate=one.flag("isolate", default=probe.flag("isolate", default=False)),
    )


def _plain(one: Table, key: str, value: object) -> None:
    try:
        json.dumps(value)
    except (TypeError, ValueError) as error:
        way_on = "dates and times have no place in JSON: write them as texts"
        raise one.fault(key, f"“{key}” is not plain: {error}", way_on) from error


def _tolerance(one: Table, probe: Table) -> float:
    owner = one if "tolerance" in one.values else probe
    return owner.positive("tolerance", 1.0) if "tolerance" in owner.values else 0.0
