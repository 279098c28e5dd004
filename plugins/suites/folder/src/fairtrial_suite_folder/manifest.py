"""The second format: one manifest with many tasks over one fixture, and hidden checks beside it."""

import hashlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from attrs import evolve, frozen
from fairtrial.api.errors import SuiteError
from fairtrial.api.task import Brief, Task
from fairtrial.stacks import STACKS, Stack, detect

from fairtrial_suite_folder.checkfile import check_command, check_place
from fairtrial_suite_folder.digests import total_digest
from fairtrial_suite_folder.entry import Entry, Oracle
from fairtrial_suite_folder.mishap import mishap
from fairtrial_suite_folder.need import read_needs
from fairtrial_suite_folder.origin import Origin
from fairtrial_suite_folder.probefile import Probe, read_probe
from fairtrial_suite_folder.reading import known_fix, read_table, stay_inside
from fairtrial_suite_folder.standing import file_fault, folder_fault
from fairtrial_suite_folder.table import LONGEST_ID, SLUG, Table
from fairtrial_suite_folder.tree import digest, read_tree

TOP = ("fixture", "tasks", "stack", "timeout_s", "test_cmd", "git")
KEYS = ("id", "family", "title", "body", "answer", "expect", "timeout_s", "fixture", "needs")
ANSWER = ("prefer",)
EXPECT = ("pr", "check", "probe", "regression", "changed_within", "questions")


@frozen(kw_only=True)
class _Shared:
    """What all tasks over one fixture of a manifest have in common."""

    table: Table
    fixture: Path
    fixture_digest: str
    stack: Stack | None
    test_cmd: tuple[str, ...]
    timeout_s: float
    repository: bool


def read_manifest(file: Path) -> Iterator[Entry | SuiteError]:
    """
    Yields the tasks of a manifest, in order; in place of one that can't be read, why.

    Raises:
        SuiteError: The manifest as a whole can't be read.
    """
    table = read_table(file)
    table.only(*TOP)
    main = _shared(table, table)
    others: dict[str, _Shared] = {}
    for one in map(_named, table.tables("tasks")):
        try:
            shared = main
            if name := one.maybe_text("fixture"):
                shared = others[name] = others.get(name) or _shared(table, one)
            yield _entry(shared, one)
        except SuiteError as error:
            yield error
        except Exception as error:  # noqa: BLE001 - one task, whatever it is, hides no other
            yield mishap(one.task or one.place, file, error)


def _named(table: Table) -> Table:
    """Returns the table of a task, whose faults name it from now on, if it has a name."""
    name = table.values.get("id")
    return table.about(name) if isinstance(name, str) else table


def _shared(manifest: Table, table: Table) -> _Shared:
    """Reads the fixture that a table names; the manifest's own keys speak of its own fixture."""
    path = table.path("fixture", table.text("fixture"))
    fixture = manifest.file.parent / path
    if fault := folder_fault(fixture, str(path)):
        raise table.fault("fixture", fault, "make it, or mend the path")
    stay_inside(table, "fixture", str(path))
    own = table is manifest
    return _Shared(
        table=manifest,
        fixture=fixture,
        fixture_digest=digest(read_tree(fixture)),
        stack=_stack(manifest, fixture) if own else detect(fixture),
        test_cmd=manifest.command("test_cmd") if own else (),
        timeout_s=manifest.seconds("timeout_s", 1200.0),
        repository=manifest.flag("git", default=True),
    )


def _stack(table: Table, fixture: Path) -> Stack | None:
    name = table.maybe_text("stack")
    if name and name not in STACKS:
        raise table.fault("stack", f"no stack is called “{name}”", f"one of {', '.join(STACKS)}")
    return STACKS[name] if name else detect(fixture)


def _entry(shared: _Shared, table: Table) -> Entry:
    name = table.text("id")
    table.only(*KEYS)
    if not SLUG.fullmatch(name):
        raise table.fault("id", f"“{name}” is no id", "use letters, digits, “.”, “_”, “-”")
    if len(name) > LONGEST_ID:
        problem = f"the id has {len(name)} characters, and {LONGEST_ID} are the most"
        raise table.fault("id", problem, "shorten it")
    expect = table.table("expect")
    if expect is None:
        raise table.fault("expect", "the key “expect” is missing", "say what a good attempt does")
    expect.only(*EXPECT)
    oracle = _oracle(shared, expect)
    reference = known_fix(table, f"reference/{name}")
    entry = Entry(
        task=_task(shared, table, expect),
        file=table.file,
        origin=Origin(before=shared.fixture),
        oracle=oracle,
        reference=reference,
        needs=read_needs(table),
        repository=shared.repository,
    )
    # Last, since it takes the keys as they are: by now each is known to hold what it may.
    total = _digest(shared, table, oracle, reference)
    return evolve(entry, task=evolve(entry.task, digest=total))


def _task(shared: _Shared, table: Table, expect: Table) -> Task:
    name = table.text("id")
    allowed = expect.paths("changed_within")
    prompt = f"{table.text('title').strip()}\n\n{table.text('body').strip()}\n"
    return Task(
        id=name,
        family=table.maybe_text("family") or name,
        brief=Brief(prompt=prompt, timeout_s=_timeout_s(shared, table)),
        digest="",
        allowed=tuple(map(str, allowed)) if "changed_within" in expect.values else None,
        questions_expected=expect.count("questions"),
        submission_expected=expect.flag("pr", default=True),
        preferences=_preferences(table),
        stack=shared.stack.name if shared.stack else "",
        needs=table.texts("needs"),
    )


def _preferences(table: Table) -> tuple[str, ...]:
    answer = table.table("answer")
    if answer is None:
        return ()
    answer.only(*ANSWER)
    return answer.texts("prefer")


def _timeout_s(shared: _Shared, table: Table) -> float:
    return table.seconds("timeout_s", shared.timeout_s)


def _oracle(shared: _Shared, expect: Table) -> Oracle:
    check = _check(shared, expect) if "check" in expect.values else None
    probe = _probe(shared, expect)
    if check is None and probe is None:
        way_on = "give a check or a probe"
        raise expect.fault("check", "nothing says how the task is graded", way_on)
    return Oracle(
        check=check,
        check_name=check_place(check) if check else PurePosixPath(),
        check_cmd=check_command(check, expect) if check else (),
        probe=probe,
        regression_cmd=_regression(shared, expect),
    )


def _check(shared: _Shared, expect: Table) -> Path:
    path = expect.path("check", expect.text("check"))
    check = shared.table.file.parent / path
    if fault := file_fault(check, str(path)):
        raise expect.fault("check", f"the check {fault}", "add it, or mend the path")
    _refuse_in_fixture(shared, expect, "check", check)
    return check


def _probe(shared: _Shared, expect: Table) -> Probe | None:
    asked = expect.table("probe")
    if asked is None:
        return None
    probe = read_probe(asked)
    for key, file in (("file", probe.file), ("cases", probe.cases_file)):
        _refuse_in_fixture(shared, asked, key, file)
    return probe


def _refuse_in_fixture(shared: _Shared, table: Table, key: str, file: Path) -> None:
    folder = shared.table.file.parent
    real = file.resolve()
    if real.is_relative_to(shared.fixture.resolve()) or not real.is_relative_to(folder.resolve()):
        path = table.text(key)
        problem = f"the {key} “{path}” must lie beside the fixture, not in it or elsewhere"
        raise table.fault(key, problem, "move it to a folder such as checks/")


def _regression(shared: _Shared, expect: Table) -> tuple[str, ...]:
    if not expect.flag("regression", default=False):
        return ()
    if shared.stack is None and not shared.test_cmd:
        problem = "no stack is known, so its own tests can't be run"
        raise expect.fault("regression", problem, "write stack = … at the top")
    return shared.test_cmd or (shared.stack.test_command if shared.stack else ())


def _digest(shared: _Shared, table: Table, oracle: Oracle, reference: Path | None) -> str:
    files = {
        "check": oracle.check,
        "probe": oracle.probe.file if oracle.probe else None,
        "cases": oracle.probe.cases_file if oracle.probe else None,
    }
    parts = {
        "fixture": shared.fixture_digest,
        "stack": shared.stack.name if shared.stack else "",
        **{
            name: hashlib.sha256(file.read_bytes()).hexdigest()
            for name, file in files.items()
            if file is not None
        },
    }
    if shared.test_cmd:
        parts["test_cmd"] = "\0".join(shared.test_cmd)
    if reference is not None:
        parts["reference"] = digest(read_tree(reference, table.task))
    values = dict(table.values) | {"timeout_s": _timeout_s(shared, table)}
    return total_digest(values, parts)
