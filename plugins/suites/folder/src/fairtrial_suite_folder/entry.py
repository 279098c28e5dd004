"""All that the suite knows of a task: what it shows, and what it keeps to itself."""

from pathlib import Path, PurePosixPath

from attrs import frozen
from fairtrial.api.task import Task

from fairtrial_suite_folder.need import Need
from fairtrial_suite_folder.origin import Origin
from fairtrial_suite_folder.probefile import Probe


@frozen(kw_only=True)
class Oracle:
    """
    How a tree is graded.

    Attributes:
        test_cmd: The visible oracle; empty where the task has only a hidden check.
        test_files: Files and folders that are laid anew from the pristine tree before grading.
        regression_cmd: The project's own tests; empty where they are not judged.
        check: The hidden check's file; None where there is none.
        check_name: The name under which it is laid, at the root or where its tool chain needs it.
        check_cmd: What runs it; `{check}` stands for where it was laid.
        probe: The hidden check that is a probe; None where there is none.
        timeout_s: Seconds that each command may take.
        fail_to_pass: Names of tests of `test_cmd` that the fix makes pass.
        pass_to_pass: Names of tests that must go on passing.
    """

    test_cmd: tuple[str, ...] = ()
    test_files: tuple[PurePosixPath, ...] = ()
    regression_cmd: tuple[str, ...] = ()
    check: Path | None = None
    check_name: PurePosixPath = PurePosixPath()
    check_cmd: tuple[str, ...] = ()
    probe: Probe | None = None
    timeout_s: float = 300.0
    fail_to_pass: tuple[str, ...] = ()
    pass_to_pass: tuple[str, ...] = ()


@frozen(kw_only=True)
class Entry:
    """
    One task with its hidden parts; never leaves the suite.

    Attributes:
        task: What the engine sees.
        file: The file that defines it.
        origin: Where its tree comes from.
        oracle: How a tree is graded.
        reference: The folder of the known-good fix; None where there is none.
        needs: What must be there for its programs to run.
        repository: Whether its tree is handed out as a repository of one commit.
        variables: Names and values added to the environment of the attempt and of the checks.
    """

    task: Task
    file: Path
    origin: Origin
    oracle: Oracle
    reference: Path | None = None
    needs: tuple[Need, ...] = ()
    repository: bool = False
    variables: tuple[tuple[str, str], ...] = ()
