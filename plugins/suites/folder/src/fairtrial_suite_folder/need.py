"""What a task needs beside its tree: programs, and packages of two registries."""

import re

from attrs import frozen

from fairtrial_suite_folder.table import Table

PROGRAM = re.compile(r"([A-Za-z0-9][A-Za-z0-9._+-]*)(?:\s*>=\s*(\d+(?:\.\d+)*))?")
PYPI = re.compile(
    r"pypi:([A-Za-z0-9][A-Za-z0-9._-]*(?:\[[A-Za-z0-9,._-]+\])?)==([A-Za-z0-9.!+_-]+)"
)
NPM = re.compile(r"npm:((?:@[a-z0-9][a-z0-9._~-]*/)?[a-z0-9][a-z0-9._~-]*)@(\d[A-Za-z0-9.+_-]*)")


@frozen(kw_only=True)
class Need:
    """
    One need, as a task spells it.

    Attributes:
        kind: `program`, `pypi` or `npm`.
        name: The program's or the package's name.
        version: The least version of a program, or empty; the exact one of a package.
        spelling: What the task wrote.
    """

    kind: str
    name: str
    version: str
    spelling: str


def read_needs(table: Table) -> tuple[Need, ...]:
    """
    Reads `needs = […]`.

    Raises:
        SuiteError: An entry has another form than `node>=18`, `pypi:NAME==VERSION` or
            `npm:NAME@VERSION`.
    """
    texts = table.texts("needs")
    return tuple(_need(table, f"needs[{at}]", text) for at, text in enumerate(texts))


def _need(table: Table, key: str, text: str) -> Need:
    forms = (("pypi", PYPI), ("npm", NPM), ("program", PROGRAM))
    for kind, pattern in forms:
        if found := pattern.fullmatch(text):
            name, version = found.groups()
            return Need(kind=kind, name=name, version=version or "", spelling=text)
    raise table.fault(
        key,
        f"“{text}” is no need that can be read",
        "write a program (node, node>=18), pypi:NAME==VERSION or npm:NAME@VERSION",
    )
