"""
Runs a Python test command and writes, beside its output, what became of each test.

Laid into the graded tree under a name of its own and started by path, so that nothing of the tree
is on `sys.path` before all that is needed here has been imported. It is told what to do on its
standard input, where nothing that runs later can read it.
"""

import contextlib
import copy
import importlib.util
import json
import os
import random
import runpy
import sys
import traceback
import types
import unittest
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from unittest.main import TestProgram

NOTE = 1500
"""Characters of a failure that are told."""

Order = dict[str, object]


class Report:
    """The file that is told of each test; its name is gone before any code of the tree runs."""

    def __init__(self, path: str) -> None:
        self._handle = os.open(path, os.O_WRONLY | os.O_APPEND)
        os.unlink(path)  # noqa: PTH108 - one less module that the tree could have replaced
        self._pid = os.getpid()
        self._lines = 0
        # Kept, since the graded code may replace them in their modules.
        self._getpid, self._write, self._dumps = os.getpid, os.write, json.dumps

    def say(self, name: str, passed: bool | None, note: str = "", *, solo: bool = False) -> None:
        """Tells one outcome; a child of this process that gets here says nothing."""
        if self._getpid() == self._pid:
            self._lines += 1
            line = {"name": name, "passed": passed, "note": note[-NOTE:], "solo": solo}
            self._write(self._handle, self._dumps(line).encode() + b"\n")

    def end(self) -> None:
        """Tells that this was all."""
        if self._getpid() == self._pid:
            self._write(self._handle, self._dumps({"end": self._lines}).encode() + b"\n")


class Result(unittest.TestResult):
    """What unittest tells its outcomes to."""

    def __init__(self, report: Report) -> None:
        super().__init__()
        self._report = report

    def addSuccess(self, test: unittest.TestCase) -> None:  # noqa: N802 - unittest's name
        """A test has passed."""
        self._say(test, True)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:  # noqa: N802 - unittest's name
        """A test was skipped."""
        super().addSkip(test, reason)
        self._say(test, None, reason)

    def addExpectedFailure(self, test, err) -> None:  # type: ignore[no-untyped-def]  # noqa: N802 - unittest's name
        """A test has failed as its author expects, which says nothing of the tree."""
        super().addExpectedFailure(test, err)
        self._say(test, None)

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:  # noqa: N802 - unittest's name
        """A test has passed against its author's expectation."""
        super().addUnexpectedSuccess(test)
        self._say(test, False, "unexpected success")

    def addFailure(self, test, err) -> None:  # type: ignore[no-untyped-def]  # noqa: N802 - unittest's name
        """A test has failed."""
        super().addFailure(test, err)
        self._say(test, False, _told(err))

    def addError(self, test, err) -> None:  # type: ignore[no-untyped-def]  # noqa: N802 - unittest's name
        """A test has broken."""
        super().addError(test, err)
        self._say(test, False, _told(err))

    def addSubTest(self, test, subtest, err) -> None:  # type: ignore[no-untyped-def]  # noqa: N802 - unittest's name
        """A part of a test has ended."""
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._say(test, False, _told(err))

    def _say(self, test: unittest.TestCase, passed: bool | None, note: str = "") -> None:
        solo = not getattr(test, "fairtrial_twinned", False)
        self._report.say(test.id(), passed, note, solo=solo)


class Runner:
    """Runs a suite with canaries before and after it, and a twin beside each test."""

    def __init__(self, order: Order, report: Report) -> None:
        self._order = order
        self._report = report

    def run(self, test: unittest.TestSuite | unittest.TestCase) -> Result:
        """Runs all."""
        result = Result(self._report)
        early, late = _canaries(self._order)
        token = str(self._order["token"])
        chosen = [one for each in _leaves(test) for one in _with_twin(each, token)]
        with contextlib.suppress(KeyboardInterrupt):
            unittest.TestSuite([*early, *chosen, *late]).run(result)
        return result


def _leaves(test: unittest.TestSuite | unittest.TestCase) -> Iterator[unittest.TestCase]:
    # A suite class of the project's own may do more than hold tests: it stays as it is.
    if type(test) is unittest.TestSuite:
        for each in test:
            yield from _leaves(each)
    else:
        yield test  # type: ignore[misc]  # a suite runs like a case


def _with_twin(test: unittest.TestCase, token: str) -> list[unittest.TestCase]:
    method = getattr(test, "_testMethodName", "runTest")
    plain = hasattr(test, "_testMethodName") and type(test).__module__ != "unittest.loader"
    if not plain or method == "runTest":
        return [test]
    twin = copy.copy(test)
    # By its own name and class, so that whoever lets the test pass lets the twin pass as well.
    twin.__dict__ |= {
        method: lambda: twin.assertEqual(token, ""),  # noqa: PT009 - unittest's way is what is tried
        "setUp": _nothing,
        "tearDown": _nothing,
        "asyncSetUp": _nothing_later,
        "asyncTearDown": _nothing_later,
        "_cleanups": [],
    }
    for each in (test, twin):
        each.fairtrial_twinned = True  # type: ignore[attr-defined]  # a mark of ours on a case of theirs
    return random.SystemRandom().sample([test, twin], 2)


def _nothing() -> None:
    """Stands in for what prepares a test."""


async def _nothing_later() -> None:
    """Stands in for what prepares a test that is a coroutine."""


def _canaries(order: Order) -> Iterable[list[unittest.TestCase]]:
    for names in order["canaries"]:  # type: ignore[attr-defined]  # a list, as the harness made it
        cases: list[unittest.TestCase] = []
        for name, work in _works(str(order["canary_file"]), names):
            body = types.MethodType(lambda self, work=work: work(self), unittest.TestCase())
            case = unittest.FunctionTestCase(body)
            case.id = lambda name=name: name  # type: ignore[method-assign,misc]  # of this one case
            cases.append(case)
        yield random.SystemRandom().sample(cases, len(cases))


def _works(file: str, names: dict[str, str]) -> Iterator[tuple[str, Callable[[object], None]]]:
    spec = importlib.util.spec_from_file_location(Path(file).stem, file)
    assert spec is not None  # noqa: S101 - the harness has laid it
    assert spec.loader is not None  # noqa: S101 - a file by its path has one
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for function, name in names.items():
        yield name, getattr(module, function)


def _told(err: tuple[type[BaseException], BaseException, types.TracebackType]) -> str:
    return "".join(traceback.format_exception(*err, limit=-6))


def run_unittest(order: Order, report: Report) -> int:
    """Runs `python -m unittest …`."""
    argv = ["python3 -m unittest", *order["args"]]  # type: ignore[misc]  # a list of texts
    runner = Runner(order, report)
    program = TestProgram(module=None, argv=argv, testRunner=runner, exit=False)
    report.end()
    return int(not program.result.wasSuccessful())


def run_pytest(order: Order, report: Report) -> int:
    """Runs `python -m pytest …`, with the plugin that lies beside this file."""
    import pytest  # noqa: PLC0415 - only where it is asked for

    spec = importlib.util.spec_from_file_location("fairtrial_plugin", str(order["plugin"]))
    assert spec is not None  # noqa: S101 - the harness has laid it
    assert spec.loader is not None  # noqa: S101 - a file by its path has one
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    code = pytest.main(list(order["args"]), plugins=[module.Plugin(order, report)])  # type: ignore[call-overload]  # a list of texts
    report.end()
    return int(code)


def run_script(order: Order, report: Report) -> int:
    """
    Runs a check that is a script: it has passed if it came to its own end with status 0.

    A `sys.exit(0)` counts only where the check itself says it, not the code that it calls.
    """
    path = str(order["script"])
    sys.argv[0] = path
    status: object = 0
    own = True
    note = ""
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as leave:
        status = leave.code
        places = [frame.filename for frame in traceback.extract_tb(leave.__traceback__)]
        # `exit()` raises in a module of Python's own.
        leavers = [place for place in places if "_sitebuiltins" not in place]
        own = leavers[-1:] == [path]
        note = "" if own else f"the check was left from {leavers[-1]}"
        if isinstance(status, str):
            print(status, file=sys.stderr)  # noqa: T201 - as Python itself does
    except BaseException:  # noqa: BLE001 - whatever it is, the check has failed
        traceback.print_exc()
        status = 1
    passed = own and (status is None or status == 0)
    report.say("check", passed, note)
    report.end()
    return status if isinstance(status, int) else int(status is not None)


MODES = {"unittest": run_unittest, "pytest": run_pytest, "script": run_script}


def main() -> int:
    """Reads the order, hides it, and does what it says."""
    order: Order = json.loads(sys.stdin.buffer.read())
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    report = Report(str(order["report"]))
    further = str(order["pythonpath"])
    own = [str(path) for path in order["path"]]  # type: ignore[attr-defined]  # a list of texts
    sys.path[0:1] = own + [
        str(Path(part).absolute()) for part in further.split(os.pathsep) if part
    ]
    if further:
        os.environ["PYTHONPATH"] = further
    return MODES[str(order["mode"])](order, report)


if __name__ == "__main__":
    sys.exit(main())
