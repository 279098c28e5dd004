"""Grading a tree: pristine tests, the check put in and taken out, and what each run said."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from attrs import frozen
from fairtrial.api.sandbox import EndedBy, Finished, Workspace
from fairtrial.api.verdict import Check, CheckKind, Verdict
from fairtrial.stacks import STACKS, runner_of

from fairtrial_suite_folder.entry import Entry
from fairtrial_suite_folder.tree import Leaf, Tree, make_folder, remove, write_leaf

TAIL = 2000
"""Characters of output that a failing check keeps."""

PINNED = {"TZ": "UTC", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}
"""What every check's environment holds, so that a run of today says what one of tomorrow does."""


@frozen(kw_only=True)
class _Step:
    name: str
    kind: CheckKind
    code: str
    argv: tuple[str, ...]


def grade(entry: Entry, pristine: Tree, workspace: Workspace, version: str) -> Verdict:
    """Runs all that grades a task, each step whatever the one before said."""
    oracle = entry.oracle
    restore(oracle.test_files, pristine, workspace.root)
    environment = _environment(entry)
    graded: list[tuple[Check, str]] = []
    if oracle.check is not None:
        graded.append(_hidden(entry, workspace, environment))
    if oracle.test_cmd:
        step = _Step(name="tests", kind=CheckKind.VISIBLE, code="tests", argv=oracle.test_cmd)
        graded.append(_run(step, entry, workspace, environment))
    if oracle.regression_cmd:
        step = _Step(
            name="regression",
            kind=CheckKind.REGRESSION,
            code="tests",
            argv=oracle.regression_cmd,
        )
        graded.append(_run(step, entry, workspace, environment))
    output = "".join(f"== {check.name}\n{text}\n" for check, text in graded)
    return Verdict(
        checks=tuple(check for check, _ in graded), suite_version=version, output=output
    )


def restore(paths: tuple[PurePosixPath, ...], pristine: Tree, root: Path) -> None:
    """Lays test files and folders anew; whatever lies there goes, links are not followed."""
    for path in paths:
        make_folder(root, path.parent)
        remove(root / path)
        for at, leaf in pristine.items():
            if at == path or path in at.parents:
                make_folder(root, at.parent)
                write_leaf(leaf, root / at)


def _environment(entry: Entry) -> Mapping[str, str]:
    stack = STACKS.get(entry.task.stack)
    return {**PINNED, **(stack.environment if stack else {}), **dict(entry.variables)}


def _hidden(
    entry: Entry, workspace: Workspace, environment: Mapping[str, str]
) -> tuple[Check, str]:
    check, place = entry.oracle.check, entry.oracle.check_name
    assert check is not None  # noqa: S101 - the caller has looked
    argv = tuple(part.replace("{check}", str(place)) for part in entry.oracle.check_cmd)
    step = _Step(name="hidden check", kind=CheckKind.VISIBLE, code="hidden-check", argv=argv)
    try:
        make_folder(workspace.root, place.parent)
        write_leaf(Leaf(data=check.read_bytes()), workspace.root / place)
        return _run(step, entry, workspace, environment)
    finally:
        # What the tests run next is agent's code, which must not find the check.
        if not (workspace.root / place.parent).is_symlink():
            remove(workspace.root / place)


def _run(
    step: _Step, entry: Entry, workspace: Workspace, environment: Mapping[str, str]
) -> tuple[Check, str]:
    limit = entry.oracle.timeout_s
    try:
        finished = workspace.run(step.argv, timeout_s=limit, env=environment)
    except FileNotFoundError:
        why = f"the program “{step.argv[0]}” isn't there"
        return Check(name=step.name, kind=step.kind, passed=None, code="grader", why=why), why
    text = _text(finished)
    passed, code, why = _judge(step, finished, text, limit)
    return Check(name=step.name, kind=step.kind, passed=passed, code=code, why=why), text


def _judge(
    step: _Step, finished: Finished, text: str, limit_s: float
) -> tuple[bool | None, str, str]:
    if finished.ended_by in (EndedBy.TIMEOUT, EndedBy.IDLE):
        why = f"did not end within {limit_s:g} s\n{text}"
        return False, "timeout", why[-TAIL:] if len(why) > TAIL else why
    if finished.ended_by in (EndedBy.INTERRUPT, EndedBy.CALLER):
        return None, "grader", "was stopped before it ended"
    runner = runner_of(step.argv)
    ran = runner.ran(text) if runner else None
    if runner and ran == 0:
        return None, "grader", f"{runner.name} ran no test\n{text}"[-TAIL:]
    if finished.code != 0:
        return False, step.code, text[-TAIL:]
    if runner and ran is None:
        # Such as `os._exit(0)` in a module that the tests import.
        why = f"{runner.name} ended well without saying that a test ran\n{text}"
        return False, "tampered", why[-TAIL:]
    return True, "", ""


def _text(finished: Finished) -> str:
    parts = (finished.stdout, finished.stderr)
    return "\n".join(
        part.decode("utf-8", "replace").rstrip() for part in parts if part.strip()
    ).replace("\r\n", "\n")
