"""What a watched run is, what its report says, and what came of it: values."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath

from attrs import field, frozen


@frozen(kw_only=True)
class Seen:
    """
    One line of a report.

    Attributes:
        name: The test's whole name: where it stands, then what it is called.
        passed: None where it was skipped.
        note: Why it failed.
        solo: Whether it has no twin, where other tests of the runner have one.
    """

    name: str
    passed: bool | None
    note: str = ""
    solo: bool = True


@frozen(kw_only=True)
class Account:
    """
    All that a report says.

    Attributes:
        seen: The tests, canaries included, in the order in which they ended.
        whole: Whether the runner told that this was all.
        output: What the tests printed, where the report has it.
    """

    seen: Sequence[Seen] = ()
    whole: bool = True
    output: str = ""


@frozen(kw_only=True)
class Plan:
    """
    How one known command is run so that its outcomes can be trusted as far as may be.

    Attributes:
        runner: The runner's name, for people.
        argv: What is started in its place.
        env: Variables that are set besides.
        stdin: What it reads: what no other process is to know.
        files: Files laid for the run, by path from the root; what lay there comes back after.
        read: Reads the report.
        must_fail: Names of canaries that must fail.
        must_pass: Names of canaries that must pass.
        token: What the failure of a twin says; empty where tests have no twins.
        codes: The exit statuses of a run whose canaries did as they must.
    """

    runner: str
    argv: tuple[str, ...]
    read: Callable[[str], Account]
    env: Mapping[str, str] = field(factory=dict)
    stdin: bytes = b""
    files: Mapping[PurePosixPath, bytes] = field(factory=dict)
    must_fail: frozenset[str] = frozenset()
    must_pass: frozenset[str] = frozenset()
    token: str = ""
    codes: frozenset[int] = frozenset({1})


@frozen(kw_only=True)
class Outcome:
    """
    What came of a watched run.

    Attributes:
        passed: None where no test ran.
        code: A machine word of `Check.code` where it did not pass; `failed` for tests that failed.
        why: For people.
        tests: The project's own tests by name; canaries are not among them.
        output: What was printed, for the run directory.
    """

    passed: bool | None
    code: str = ""
    why: str = ""
    tests: Mapping[str, bool | None] = field(factory=dict)
    output: str = ""
