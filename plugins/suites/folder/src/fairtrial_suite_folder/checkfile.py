"""A hidden check's file: where it is laid, and what runs it."""

from pathlib import Path, PurePosixPath

from fairtrial.stacks import GO, RUST

from fairtrial_suite_folder.table import Table

STEM = "fairtrial_check"
"""The fixed name under which a check is laid into the graded tree."""

COMPANIONS = {".rs": RUST.companion, ".go": GO.companion}
"""Tool chains that take a test only at a place of their own."""

RUNNERS = {
    ".py": ("python3", "{check}"),
    ".js": ("node", "{check}"),
    ".mjs": ("node", "{check}"),
    ".cjs": ("node", "{check}"),
    ".sh": ("sh", "{check}"),
}


def check_place(check: Path) -> PurePosixPath:
    """Returns the path, relative to the tree's root, at which the check is laid."""
    if check.suffix in COMPANIONS:
        return COMPANIONS[check.suffix].place
    # `x.test.mjs` stays a test file by its name, since test runners go by it.
    parts = check.name.split(".")
    keep = ".".join(parts[-2:]) if "test" in parts[-2:-1] else parts[-1]
    return PurePosixPath(f"{STEM}.{keep}" if len(parts) > 1 else STEM)


def check_command(check: Path, table: Table) -> tuple[str, ...]:
    """
    Returns what runs a check of that extension.

    Raises:
        SuiteError: Nothing is known to run it.
    """
    if check.suffix in COMPANIONS:
        return COMPANIONS[check.suffix].command
    if ".test." in check.name and check.suffix in (".js", ".mjs", ".cjs"):
        return ("node", "--test", "{check}")
    if check.suffix not in RUNNERS:
        problem = f"nothing is known to run “{check.name}”"
        raise table.fault("check", problem, 'give check_cmd = ["…", "{check}"]')
    return RUNNERS[check.suffix]
