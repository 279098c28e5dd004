"""The first format: a folder with `task.toml`, and `before/`, `reference/`, `check/` beside it."""

import hashlib
from pathlib import Path, PurePosixPath

from attrs import evolve
from fairtrial.api.task import Brief, Task
from fairtrial.stacks import STACKS
from fairtrial.stacks.globs import exactly

from fairtrial_suite_folder.checkfile import check_command, check_place
from fairtrial_suite_folder.digests import total_digest
from fairtrial_suite_folder.entry import Entry, Oracle
from fairtrial_suite_folder.need import read_needs
from fairtrial_suite_folder.origin import Origin, read_source
from fairtrial_suite_folder.probefile import read_probe
from fairtrial_suite_folder.reading import known_fix, piece, read_table, read_text
from fairtrial_suite_folder.standing import folder_fault, found_at
from fairtrial_suite_folder.table import LONGEST_ID, SLUG, Table
from fairtrial_suite_folder.tree import digest, read_tree

KEYS = (
    "name",
    "prompt",
    "prompt_file",
    "stack",
    "timeout_s",
    "family",
    "test_cmd",
    "test_files",
    "regression_cmd",
    "fail_to_pass",
    "pass_to_pass",
    "check",
    "check_cmd",
    "check_timeout_s",
    "probe",
    "changed_within",
    "questions",
    "prefer",
    "submission",
    "open_paths",
    "quarantine",
    "needs",
    "env",
    "git",
    "source",
)


def read_task(file: Path) -> Entry:
    """
    Reads one `task.toml` with all that it points at, but for a source that must be fetched.

    Raises:
        SuiteError: A piece is missing, unreadable, or breaks a rule of the format.
    """
    table = read_table(file)
    name = table.text("name")
    table = table.about(name)
    table.only(*KEYS)
    if not SLUG.fullmatch(name) or name != file.parent.name:
        problem = f"the name “{name}” is not that of its folder, “{file.parent.name}”"
        raise table.fault("name", problem, "use one name for both: letters, digits, “.”, “_”, “-”")
    if len(name) > LONGEST_ID:
        problem = f"the name has {len(name)} characters, and {LONGEST_ID} are the most"
        raise table.fault("name", problem, "shorten it, and its folder's name with it")
    origin = _origin(table)
    oracle = _oracle(table)
    reference = known_fix(table, "reference")
    entry = Entry(
        task=_task(table, oracle),
        file=file,
        origin=origin,
        oracle=oracle,
        reference=reference,
        needs=read_needs(table),
        repository=table.flag("git", default=_from_git(origin)),
        variables=table.variables("env"),
    )
    _test_files_exist(entry, table)
    # Last, since it takes the keys as they are: by now each is known to hold what it may.
    total = _digest(table, origin, oracle, reference)
    return evolve(entry, task=evolve(entry.task, digest=total))


def _task(table: Table, oracle: Oracle) -> Task:
    name = table.text("name")
    protected = tuple(exactly(path) for path in oracle.test_files)
    allowed = table.paths("changed_within")
    return Task(
        id=name,
        family=table.maybe_text("family") or name,
        brief=Brief(prompt=_prompt(table), timeout_s=table.seconds("timeout_s", 600.0)),
        digest="",
        protected=protected,
        open_paths=table.texts("open_paths"),
        allowed=tuple(map(str, allowed)) if "changed_within" in table.values else None,
        questions_expected=table.count("questions"),
        submission_expected=table.flag("submission", default=True),
        preferences=table.texts("prefer"),
        stack=_stack(table),
        quarantine=table.maybe_text("quarantine"),
        needs=table.texts("needs"),
    )


def _stack(table: Table) -> str:
    name = table.maybe_text("stack")
    if name and name not in STACKS:
        raise table.fault("stack", f"no stack is called “{name}”", f"one of {', '.join(STACKS)}")
    return name


def _prompt(table: Table) -> str:
    if "prompt" in table.values and "prompt_file" in table.values:
        problem = "both “prompt” and “prompt_file” are given"
        raise table.fault("prompt_file", problem, "keep one of them")
    if "prompt_file" not in table.values:
        return table.text("prompt").strip() + "\n"
    file = piece(table, "prompt_file")
    text = read_text(file, table).strip()
    if not text:
        raise table.fault("prompt_file", f"“{file.name}” is empty", "write the request into it")
    return text + "\n"


def _origin(table: Table) -> Origin:
    before = table.file.parent / "before"
    source = table.table("source")
    if source is not None:
        if found_at(before):
            raise table.fault("source", "there are both before/ and [source]", "keep one of them")
        plant = piece(source, "plant") if "plant" in source.values else None
        return Origin(source=read_source(source), plant=plant)
    if fault := folder_fault(before, "before"):
        way_on = "make the folder before/ with the tree to work on, or name a [source]"
        raise table.fault("", fault, way_on)
    return Origin(before=before)


def _from_git(origin: Origin) -> bool:
    return origin.source is not None and origin.source.kind == "git"


def _oracle(table: Table) -> Oracle:
    test_cmd = table.command("test_cmd")
    check = piece(table, "check") if "check" in table.values else None
    asked = table.table("probe")
    probe = read_probe(asked) if asked else None
    if check is None and probe is None and not test_cmd:
        way_on = "give test_cmd, a check or a probe"
        raise table.fault("test_cmd", "nothing says how the task is graded", way_on)
    if check is None and "check_cmd" in table.values:
        raise table.fault("check_cmd", "“check_cmd” is given without “check”", "name the check")
    return Oracle(
        test_cmd=test_cmd,
        test_files=table.paths("test_files"),
        regression_cmd=table.command("regression_cmd"),
        check=check,
        check_name=check_place(check) if check else PurePosixPath(),
        check_cmd=table.command("check_cmd") or (check_command(check, table) if check else ()),
        timeout_s=table.seconds("check_timeout_s", 300.0),
        probe=probe,
        fail_to_pass=table.texts("fail_to_pass"),
        pass_to_pass=table.texts("pass_to_pass"),
    )


def _test_files_exist(entry: Entry, table: Table) -> None:
    """A tree beside the task can be looked at now; a source's only once it was fetched."""
    if entry.origin.before is None:
        return
    for at, path in enumerate(entry.oracle.test_files):
        if not (entry.origin.before / path).exists():
            problem = f"the test file “{path}” is not in before/"
            raise table.fault(f"test_files[{at}]", problem, "add the file, or mend the path")


def _digest(table: Table, origin: Origin, oracle: Oracle, reference: Path | None) -> str:
    """
    SHA-256 over all that defines the task, wherever it lies and whenever it was written.

    A source enters by the digest that the task's own file holds, so that nothing is fetched.
    """
    task = table.task
    trees = {
        name: digest(read_tree(folder, task))
        for name, folder in (("before", origin.before), ("reference", reference))
        if folder is not None
    }
    files = {
        key: hashlib.sha256(file.read_bytes()).hexdigest()
        for key, file in (
            ("plant", origin.plant),
            ("check", oracle.check),
            ("probe", oracle.probe.file if oracle.probe else None),
            ("cases", oracle.probe.cases_file if oracle.probe else None),
        )
        if file is not None
    }
    return total_digest(dict(table.values) | {"prompt": _prompt(table)}, trees | files)
