"""What must hold of a task before any program runs: the rules that its files alone can break."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from fairtrial.api.errors import SuiteError
from fairtrial.api.suite import Fault
from fairtrial.stacks import executed_by, runner_of
from fairtrial.stacks.globs import matches
from fairtrial.stacks.watched import hindrance

from fairtrial_suite_folder.checkfile import COMPANIONS, STEM
from fairtrial_suite_folder.entry import Entry
from fairtrial_suite_folder.grading import plain
from fairtrial_suite_folder.loading import attempts
from fairtrial_suite_folder.material import fetch, reference_of, tree_of
from fairtrial_suite_folder.mishap import mishap

PHRASES = ("hidden check", "held-out", "heldout")
"""Words that a request, or a tree written for it, has no reason to use."""


WARNINGS = frozenset({"unwatched"})
"""Rules that a task may break and be used all the same."""


def faults(path: Path, cache: Path) -> Sequence[Fault]:
    """
    Returns what is wrong with the tasks at a path, rule by rule; never raises for a task.

    That a check fails before and passes with the reference is for whoever can run it.
    """
    found: list[Fault] = []
    try:
        for entry in attempts(path):
            if isinstance(entry, SuiteError):
                found.append(_broken(entry))
                continue
            found += _of_one(entry, cache)
    except SuiteError as error:
        found.append(_broken(error))
    return tuple(found)


def _broken(error: SuiteError) -> Fault:
    places = [value for _, value in error.facts]
    problem = f"{error.problem} ({', '.join(places)})" if places else error.problem
    if error.way_on:
        problem = f"{problem}; {error.way_on}"
    return Fault(task=error.task or "", rule="format", problem=problem)


def _of_one(entry: Entry, cache: Path) -> Iterator[Fault]:
    try:
        fetch(entry, cache)
        rules = (
            *_request(entry),
            *_reference(entry, cache),
            *_tests(entry),
            *_unwatched(entry),
            *_secrets(entry, cache),
        )
    except SuiteError as error:
        yield _broken(error)
        return
    except Exception as error:  # noqa: BLE001 - one task, whatever it is, hides no other
        yield _broken(mishap(entry.task.id, entry.file, error))
        return
    for rule, problem in rules:
        yield Fault(task=entry.task.id, rule=rule, problem=problem, warning=rule in WARNINGS)


def _request(entry: Entry) -> Iterator[tuple[str, str]]:
    allowed = entry.task.allowed
    if allowed == () or (allowed is None and entry.file.name != "task.toml"):
        yield "scope", "changed_within names no path"


def _reference(entry: Entry, cache: Path) -> Iterator[tuple[str, str]]:
    patch = reference_of(entry, cache)
    if patch is None:
        yield "reference", "there is no reference/ folder, nor a patch to take back"
        return
    if not patch:
        yield "reference", "the reference changes nothing"
    task = entry.task
    executed = executed_by(task.stack)
    for path in patch.paths:
        if task.allowed and path not in task.allowed:
            yield "scope", f"the reference changes “{path}”, which is not in changed_within"
        if matches(path, task.protected):
            yield "reference", f"the reference changes “{path}”, which is one of test_files"
        elif matches(path, executed) and not matches(path, task.open_paths):
            yield "reference", f"the reference changes “{path}”, which needs open_paths"


def _tests(entry: Entry) -> Iterator[tuple[str, str]]:
    oracle = entry.oracle
    if runner_of(oracle.test_cmd) and not oracle.test_files:
        yield "tests", "test_cmd runs tests that a solver may edit: test_files names none"


def _unwatched(entry: Entry) -> Iterator[tuple[str, str]]:
    oracle = entry.oracle
    for key, argv in (("test_cmd", oracle.test_cmd), ("regression_cmd", oracle.regression_cmd)):
        if argv and (why := hindrance(plain(argv))):
            yield "unwatched", f"{key} is believed by its exit status: {why}"


def _secrets(entry: Entry, cache: Path) -> Iterator[tuple[str, str]]:
    prompt = entry.task.brief.prompt.casefold()
    names = _names(entry)
    yield from (("secret", f"the request says “{word}”") for word in names if word in prompt)
    checks = [file.read_bytes().strip() for file in _hidden_files(entry)]
    # A third party's package may speak of held-out data for reasons of its own.
    sought = names if entry.origin.source is None else (STEM,)
    for path, leaf in tree_of(entry, cache).items():
        text = leaf.data.decode("utf-8", "replace").casefold()
        for word in sought:
            if word in text or word in str(path).casefold():
                yield "secret", f"“{path}” says “{word}”"
        if any(check and check in leaf.data for check in checks):
            yield "secret", f"“{path}” holds the check"


def _hidden_files(entry: Entry) -> tuple[Path, ...]:
    oracle = entry.oracle
    check = (oracle.check,) if oracle.check else ()
    probe = (oracle.probe.file, oracle.probe.cases_file) if oracle.probe else ()
    return (*check, *probe)


def _names(entry: Entry) -> tuple[str, ...]:
    places = tuple(companion.place.stem.partition(".")[0] for companion in COMPANIONS.values())
    own = (entry.oracle.check.name.casefold(),) if entry.oracle.check else ()
    return tuple(dict.fromkeys((*PHRASES, STEM, *places, *own)))
