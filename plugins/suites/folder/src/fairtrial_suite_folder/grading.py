"""Grading a tree: pristine tests, the check put in and taken out, and what each run said."""

import re
import shlex
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from attrs import evolve, frozen
from fairtrial.api.sandbox import EndedBy, Finished, Workspace
from fairtrial.api.verdict import Check, CheckKind, Verdict
from fairtrial.stacks import STACKS, runner_of
from fairtrial.stacks.probes import ask
from fairtrial.stacks.watched import Expected, Outcome, watch, watch_script

from fairtrial_suite_folder.aftermath import Aftermath, open_up
from fairtrial_suite_folder.entry import Entry
from fairtrial_suite_folder.probefile import Probe
from fairtrial_suite_folder.tree import Leaf, Tree, make_folder, remove, write_leaf

TAIL = 2000
"""Characters of output that a failing check keeps."""

PINNED = {"TZ": "UTC", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}
"""What every check's environment holds, so that a run of today says what one of tomorrow does."""

UNWATCHED = "judged by its exit status alone: no test of the grader's could run beside it"
"""What is said of a command whose runner isn't known."""

_PLAIN = re.compile(r"[\w@%+=:,./ -]+")


@frozen(kw_only=True)
class _Step:
    name: str
    kind: CheckKind
    code: str
    argv: tuple[str, ...]
    script: str = ""
    by_name: tuple[str, ...] = ()


@frozen(kw_only=True)
class _Bench:
    """What all steps of one grading share."""

    entry: Entry
    workspace: Workspace
    pristine: Tree
    aftermath: Aftermath
    environment: Mapping[str, str]
    files: Mapping[PurePosixPath, str]


def grade(entry: Entry, pristine: Tree, workspace: Workspace, version: str) -> Verdict:
    """Runs all that grades a task, each step whatever the one before said."""
    oracle = entry.oracle
    bench = _Bench(
        entry=entry,
        workspace=workspace,
        pristine=pristine,
        aftermath=Aftermath(
            entry=entry,
            pristine=pristine,
            workspace=workspace,
            checks=sum(
                map(bool, (oracle.probe, oracle.check, oracle.test_cmd, oracle.regression_cmd))
            ),
        ),
        environment=_environment(entry),
        files=_texts(oracle.test_files, pristine),
    )
    graded: list[tuple[Check, str]] = []
    if oracle.probe is not None:
        graded.append(_probed(oracle.probe, bench))
    if oracle.check is not None:
        graded.append(_hidden(bench))
    if oracle.test_cmd:
        step = _Step(
            name="tests",
            kind=CheckKind.VISIBLE,
            code="tests",
            argv=oracle.test_cmd,
            by_name=(*oracle.fail_to_pass, *oracle.pass_to_pass),
        )
        graded.append(_run(step, bench))
    if oracle.regression_cmd:
        step = _Step(
            name="regression",
            kind=CheckKind.REGRESSION,
            code="tests",
            argv=oracle.regression_cmd,
            by_name=oracle.pass_to_pass,
        )
        graded.append(_run(step, bench))
    output = "".join(f"== {check.name}\n{text}\n" for check, text in graded)
    return Verdict(
        checks=tuple(check for check, _ in graded), suite_version=version, output=output
    )


def tampered(verdict: Verdict, broken: tuple[Path, ...]) -> Verdict:
    """Adds to a verdict that the environment it was reached in was changed meanwhile."""
    names = ", ".join(home.name for home in broken)
    why = f"files of the task's environment were changed while it was graded: {names}"
    check = Check(
        name="environment", kind=CheckKind.VISIBLE, passed=False, code="tampered", why=why
    )
    return evolve(verdict, checks=(*verdict.checks, check))


def restore(paths: tuple[PurePosixPath, ...], pristine: Tree, root: Path) -> None:
    """Lays test files and folders anew; whatever lies there goes, links are not followed."""
    for path in paths:
        make_folder(root, path.parent)
        remove(root / path)
        for at, leaf in pristine.items():
            if at == path or path in at.parents:
                make_folder(root, at.parent)
                write_leaf(leaf, root / at)


def _texts(paths: tuple[PurePosixPath, ...], pristine: Tree) -> dict[PurePosixPath, str]:
    return {
        at: leaf.data.decode("utf-8", "replace")
        for at, leaf in pristine.items()
        if leaf.link is None and any(at == path or path in at.parents for path in paths)
    }


def _environment(entry: Entry) -> Mapping[str, str]:
    stack = STACKS.get(entry.task.stack)
    return {**PINNED, **(stack.environment if stack else {}), **dict(entry.variables)}


def _hidden(bench: _Bench) -> tuple[Check, str]:
    oracle = bench.entry.oracle
    place = oracle.check_name
    argv = tuple(part.replace("{check}", str(place)) for part in oracle.check_cmd)
    step = _Step(
        name="hidden check",
        kind=CheckKind.VISIBLE,
        code="hidden-check",
        argv=argv,
        script=str(place),
    )
    # It is laid last: what was put back before may be anything that a runner obeys.
    return _told(step, bench, lambda: _with_check(step, bench))


def _with_check(step: _Step, bench: _Bench) -> Outcome:
    """Runs the hidden check, which lies in the tree only meanwhile."""
    check = bench.entry.oracle.check
    assert check is not None  # noqa: S101 - a caller of this one's has looked
    leaf = Leaf(data=check.read_bytes())
    root, place = bench.workspace.root, bench.entry.oracle.check_name
    hindered, left = _put(leaf, root, place), ""
    outcome = Outcome(passed=False, code="tampered", why=hindered)
    try:
        if not hindered:
            outcome = _ran(step, bench)
    finally:
        # What the tests run next is agent's code, which must not find the check.
        with suppress(RecursionError):
            left = _put(None, root, place)
    return evolve(outcome, passed=False, code="tampered", why=left) if left else outcome


def _put(leaf: Leaf | None, root: Path, place: PurePosixPath) -> str:
    """
    Lays the check, or takes it out; returns why that was not possible.

    Where code has put a link in a folder's place, that folder is made anew, and nothing behind it
    is touched; where it has locked one, that is opened.
    """
    try:
        for folder in reversed(place.parents):
            make_folder(root, folder)
            open_up(root / folder)
        if leaf is None:
            remove(root / place)
        else:
            write_leaf(leaf, root / place)
    except OSError as error:
        return f"the hidden check can't be laid or taken out: {error}"
    return ""


def _probed(probe: Probe, bench: _Bench) -> tuple[Check, str]:
    step = _Step(name="probe", kind=CheckKind.VISIBLE, code="hidden-check", argv=("the probe's",))
    return _told(
        step,
        bench,
        lambda: ask(
            probe.file.name,
            probe.file.read_bytes(),
            probe.cases,
            bench.workspace,
            timeout_s=probe.timeout_s,
            env=bench.environment,
        ),
    )


def _run(step: _Step, bench: _Bench) -> tuple[Check, str]:
    return _told(step, bench, lambda: _ran(step, bench))


def _ran(step: _Step, bench: _Bench) -> Outcome:
    return _watched(step, bench) or _by_status(step, bench)


def _told(step: _Step, bench: _Bench, work: Callable[[], Outcome]) -> tuple[Check, str]:
    try:
        hindered = _hindrance(bench)
        outcome = Outcome(passed=False, code="tampered", why=hindered) if hindered else work()
        bench.aftermath.worked = True
    except FileNotFoundError:
        why = f"the program “{step.argv[0]}” isn't there"
        outcome = Outcome(passed=None, code="grader", why=why, output=why)
    except RecursionError:
        # Nothing honest nests so deeply what it tells or leaves, and no such trick is our fault.
        why = "what it told, or left in the tree, is nested too deeply"
        outcome = Outcome(passed=False, code="tampered", why=why)
    code = step.code if outcome.code == "failed" else outcome.code
    why = _shortened(outcome.why)
    check = Check(name=step.name, kind=step.kind, passed=outcome.passed, code=code, why=why)
    return check, outcome.output


def _hindrance(bench: _Bench) -> str:
    """
    Puts back what the code of the step before may have changed; returns why that was not possible.

    It may have written to the tests of this step, and to what their runner obeys.
    """
    root = bench.workspace.root
    try:
        open_up(root)
        restore(bench.entry.oracle.test_files, bench.pristine, root)
        return bench.aftermath.undo()
    except OSError as error:
        return f"what was there before can't be put back: {error}"


def plain(argv: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the words of a shell line in which there is nothing for a shell to do."""
    if argv[:2] == ("sh", "-c") and len(argv) > 2 and _PLAIN.fullmatch(argv[2]):  # noqa: PLR2004 - sh -c LINE
        words = tuple(shlex.split(argv[2]))
        if words and "=" not in words[0]:
            return words
    return argv


def _watched(step: _Step, bench: _Bench) -> Outcome | None:
    limit = bench.entry.oracle.timeout_s
    argv = plain(step.argv)
    if step.script:
        outcome = watch_script(
            argv, step.script, bench.workspace, timeout_s=limit, env=bench.environment
        )
        if outcome is not None:
            return outcome
    return watch(
        argv,
        bench.workspace,
        timeout_s=limit,
        env=bench.environment,
        expected=Expected(files=bench.files, by_name=step.by_name),
    )


def _by_status(step: _Step, bench: _Bench) -> Outcome:
    limit = bench.entry.oracle.timeout_s
    finished = bench.workspace.run(step.argv, timeout_s=limit, env=bench.environment)
    text = _text(finished)
    passed, code, why = _judge(step, finished, text, limit)
    return Outcome(passed=passed, code=code, why=why, output=f"({UNWATCHED})\n{text}")


def _judge(
    step: _Step, finished: Finished, text: str, limit_s: float
) -> tuple[bool | None, str, str]:
    if finished.ended_by in (EndedBy.TIMEOUT, EndedBy.IDLE):
        return False, "timeout", f"did not end within {limit_s:g} s\n{text}"
    if finished.ended_by in (EndedBy.INTERRUPT, EndedBy.CALLER):
        return None, "grader", "was stopped before it ended"
    runner = runner_of(step.argv)
    ran = runner.ran(text) if runner else None
    if runner and ran == 0:
        return None, "grader", f"{runner.name} ran no test\n{text}"
    if finished.code != 0:
        return False, step.code, text
    if runner and ran is None:
        # Such as `os._exit(0)` in a module that the tests import.
        why = f"{runner.name} ended well without saying that a test ran\n{text}"
        return False, "tampered", why
    return True, "", UNWATCHED


def _shortened(why: str) -> str:
    """Keeps the first line, which says what is wrong, and the end of what follows."""
    if len(why) <= TAIL:
        return why
    first, _, rest = why.partition("\n")
    return (
        why[-TAIL:] if len(first) > TAIL // 4 else f"{first}\n{rest[-(TAIL - len(first) - 1) :]}"
    )


def _text(finished: Finished) -> str:
    parts = (finished.stdout, finished.stderr)
    return "\n".join(
        part.decode("utf-8", "replace").rstrip() for part in parts if part.strip()
    ).replace("\r\n", "\n")
