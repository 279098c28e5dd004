"""What the harness knows of one tool chain, as a value."""

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from attrs import field, frozen

from fairtrial.stacks.results import Results


@frozen(kw_only=True)
class Companion:
    """
    Where a test file that is not the project's own must lie to be run alone, and what runs it.

    Attributes:
        place: Its path, relative to the project's root.
        command: The argv; `{check}` stands for the place.
    """

    place: PurePosixPath
    command: tuple[str, ...]


@frozen(kw_only=True)
class Runner:
    """
    A test runner, known by the command that starts it.

    Attributes:
        name: For people.
        words: Words that stand in this order, side by side, in the command.
        ran: Tells from what it printed how many tests ran; None where it never came to say so.
        report: Arguments that make it write its results to the file `{report}`; empty where it
            prints them.
        results: Reads those results, from the file or from what was printed.
    """

    name: str
    words: tuple[str, ...]
    ran: Callable[[str], int | None]
    results: Callable[[str], Results]
    report: tuple[str, ...] = ()

    def runs_in(self, argv: tuple[str, ...]) -> bool:
        """Tells whether a command starts this runner, be it through `sh -c`."""
        words = _words(argv)
        length = len(self.words)
        spans = (words[at : at + length] for at in range(len(words) - length + 1))
        return self.words in spans


def _words(argv: tuple[str, ...]) -> tuple[str, ...]:
    parts = argv[2].split() if argv[:2] == ("sh", "-c") and len(argv) > 2 else argv  # noqa: PLR2004 - sh -c LINE
    # A program counts by its name, wherever it is installed.
    return tuple(part.rpartition("/")[2] if not part.startswith("-") else part for part in parts)


@frozen(kw_only=True)
class Stack:
    """
    One tool chain. Globs are those of `Task.protected`: without a slash, a name at any depth.

    Attributes:
        name: As tasks spell it.
        markers: Files of which one at the root says that a project is of this stack.
        source: Globs of program text.
        tests: Globs of test files; these win over `source`.
        tooling: Globs of files that configure tools and say nothing of behaviour.
        executed: Globs of files that the test runner or the interpreter executes or reads as its
            configuration, so that changing one could change what a test run says.
        test_command: Runs all of a project's own tests.
        runners: The test runners whose output can be read.
        companion: Where a test from outside is laid.
        environment: Variables that make a test run the same each time, and offline.
    """

    name: str
    markers: tuple[str, ...]
    source: tuple[str, ...]
    tests: tuple[str, ...]
    tooling: tuple[str, ...]
    executed: tuple[str, ...]
    test_command: tuple[str, ...]
    runners: tuple[Runner, ...]
    companion: Companion
    environment: Mapping[str, str] = field(factory=dict, hash=False)
