"""A plugin of pytest that reports each test, and adds canaries and a twin beside each one."""

import functools
import importlib
import random
import sys
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest
from _pytest.fixtures import FuncFixtureInfo


class Told(Protocol):
    """What each outcome is told to."""

    def say(self, name: str, passed: bool | None, note: str = "", *, solo: bool = False) -> None:
        """Tells one outcome."""


class Plugin:
    """What pytest is given."""

    def __init__(self, order: dict[str, object], report: Told) -> None:
        self._order = order
        self._report = report
        self._phases: list[pytest.TestReport] = []
        self._solo: set[str] = set()

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Lets the run go on after a failure, since a canary's is no reason to stop."""
        config.option.maxfail = 0

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> Iterator[None]:
        """Adds the canaries and the twins once everybody else has chosen and sorted."""
        yield
        early, late = (self._canaries(session, names) for names in self._order["canaries"])  # type: ignore[attr-defined]  # a list of tables
        items[:] = [*early, *(one for item in items for one in self._twins(item)), *late]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gathers the phases of one test."""
        self._phases.append(report)
        if report.when == "teardown":
            phases, self._phases = self._phases, []
            failed = [phase for phase in phases if phase.failed]
            called = any(phase.when == "call" and phase.passed for phase in phases)
            passed = False if failed else True if called else None
            note = "\n".join(str(phase.longrepr or "") for phase in failed)
            name = report.nodeid
            self._report.say(name, passed, note, solo=name in self._solo)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Tells of a file that could not be collected, or does not want to be."""
        if not report.passed:
            passed = False if report.failed else None
            self._report.say(report.nodeid, passed, str(report.longrepr), solo=True)

    def _twins(self, item: pytest.Item) -> list[pytest.Item]:
        if not isinstance(item, pytest.Function) or item.parent is None:
            self._solo.add(item.nodeid)
            return [item]
        twin = _function(item.parent, item.name, _failing(str(self._order["token"])), type(item))
        # By its very name, so that whoever lets the test pass lets the twin pass as well.
        twin._nodeid = item.nodeid  # type: ignore[attr-defined]  # noqa: SLF001 - pytest has no other way to share a name
        return random.SystemRandom().sample([item, twin], 2)

    def _canaries(self, session: pytest.Session, names: dict[str, str]) -> list[pytest.Item]:
        file = Path(str(self._order["canary_file"]))
        pytest.register_assert_rewrite(file.stem)
        sys.path.insert(0, str(file.parent))
        try:
            module = importlib.import_module(file.stem)
        finally:
            sys.path.remove(str(file.parent))
        place: pytest.Module = pytest.Module.from_parent(session, path=file)
        found: list[pytest.Item] = []
        for function, name in names.items():
            work = functools.partial(getattr(module, function), unittest.TestCase())
            canary = _function(place, name, work, pytest.Function)
            canary._nodeid = name  # type: ignore[attr-defined]  # noqa: SLF001 - as above
            found.append(canary)
        return random.SystemRandom().sample(found, len(found))


def _function(
    parent: object, name: str, work: Callable[[], None], kind: type[pytest.Function]
) -> pytest.Function:
    """Makes a test of a kind out of a function, without any fixture."""
    none = FuncFixtureInfo((), (), [], {})
    made: pytest.Function = kind.from_parent(parent, name=name, callobj=work, fixtureinfo=none)
    # Drawing up where each of ours failed would take longer than all the tests.
    made.repr_failure = _briefly  # type: ignore[method-assign]  # of this one test
    prepare = made.setup

    def setup() -> None:
        # A case of unittest's gets its instance here, and with it another function to run.
        made.__dict__.pop("_instance", None)
        prepare()
        case = getattr(made, "_testcase", None) or getattr(made, "instance", None)
        if isinstance(case, unittest.TestCase):
            case.setUp = case.tearDown = _nothing  # type: ignore[method-assign]  # of this one case
            if getattr(made.obj, "__self__", None) is case:
                made.obj = work

    made.setup = setup  # type: ignore[method-assign]  # of this one test
    return made


def _briefly(excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
    del style
    return str(excinfo.value)


def _failing(token: str) -> Callable[[], None]:
    def fail() -> None:
        raise AssertionError(token)

    return fail


def _nothing() -> None:
    """Stands in for what prepares a test."""
