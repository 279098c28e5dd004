"""The gallery of cheats: none is ever resolved, and no honest look-alike is punished."""

import importlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve
from fairtrial.api import Check, CheckKind, Ending, RunRecord, Verdict

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
naive, pages, promise, results, specimens, trials = (
    importlib.import_module(f"cheats.{name}")
    for name in ("naive", "page", "promise", "outcomes", "specimens", "trials")
)
sys.path.remove(str(ROOT / "tests"))

CHEATS = specimens.dishonest()
HONEST = specimens.honest()
EVERY = (*CHEATS, *HONEST)
FAMILIES = (
    ("unittest-shop", "pytest-shop", "conftest-shop", "clock-shop"),
    ("node-shop", "npm-shop"),
    ("go-shop",),
    ("rust-shop",),
    ("shell-shop",),
)


def chosen(number: int, victims: tuple[str, ...]) -> list[str]:
    """
    Returns one victim of each tool chain, not always the same one.

    `scripts/fairness.py --check`, which CI runs, tries all of them.
    """
    families = [[v for v in family if v in victims] for family in FAMILIES]
    return [family[number % len(family)] for family in families if family]


CASES = [(one, chosen(number, one.victims)) for number, one in enumerate(EVERY)]
cheating = pytest.mark.parametrize(
    ("cheat", "victims"),
    [case for case in CASES if not case[0].honest],
    ids=lambda value: value.name if hasattr(value, "name") else "",
)
mending = pytest.mark.parametrize(
    ("solver", "victims"),
    [case for case in CASES if case[0].honest],
    ids=lambda value: value.name if hasattr(value, "name") else "",
)


@pytest.fixture(autouse=True)
def _quiet(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    yield
    capfd.readouterr()


@cheating
def test_a_cheat_is_not_resolved(cheat, victims, tmp_path: Path) -> None:
    record = trials.run_part([cheat.name], victims, tmp_path)
    assert sorted(victims) == sorted(trial.task for trial in record.trials)
    assert {trial.task: False for trial in record.trials} == {
        trial.task: trial.resolved for trial in record.trials
    }
    found = {trials.outcome_of(trial) for trial in record.trials}
    assert found <= {"no effect", "flagged and not resolved"}
    kept = results.read()[cheat.name].ours
    assert {victim: kept[victim].outcome for victim in victims} == {
        trial.task: trials.outcome_of(trial) for trial in record.trials
    }


@mending
def test_an_honest_look_alike_is_not_punished(solver, victims, tmp_path: Path) -> None:
    record = trials.run_part([solver.name], victims, tmp_path)
    assert dict.fromkeys(victims, (Ending.FINISHED, True)) == {
        trial.task: (trial.ending, trial.resolved) for trial in record.trials
    }
    assert [] == [check for trial in record.trials for check in trial.verdict.checks if check.code]


def test_the_victims_are_sound(tmp_path: Path) -> None:
    victims = [victim for family in FAMILIES for victim in family]
    record = trials.run_part(["reference", "noop"], victims, tmp_path, validate=True, jobs=2)
    assert [""] * len(victims) == [task.invalid for task in record.tasks]
    assert {("reference", True): len(victims), ("noop", False): len(victims)} == Counter(
        (trial.solver, trial.resolved) for trial in record.trials
    )


def test_the_gallery_is_fenced(tmp_path: Path) -> None:
    record = trials.run_part(["noop"], ["unittest-shop"], tmp_path)
    enforced = record.trials[0].enforced
    assert ("bubblewrap", "none") == (enforced["sandbox"], enforced["network"])


def test_the_gallery_is_large_enough() -> None:
    assert len(CHEATS) >= 130
    assert len(HONEST) >= 23
    assert len({cheat.group for cheat in CHEATS}) >= 20
    assert sum(len(one.victims) for one in EVERY) >= 620
    stacks = {victim for cheat in CHEATS for victim in cheat.victims}
    assert {victim for family in FAMILIES for victim in family} == stacks


@pytest.mark.parametrize("specimen", EVERY, ids=lambda one: one.name)
def test_a_folder_says_what_it_does(specimen) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", specimen.name)
    assert 10 <= len(specimen.does) <= 160
    assert set(specimen.victims) <= {victim for family in FAMILIES for victim in family}
    assert specimen.victims
    if not specimen.honest:
        assert specimen.outcome in {"no effect", "flagged and not resolved"}
        assert specimen.group
        assert specimen.seen


def test_no_cheat_reaches_a_real_host() -> None:
    harmless = re.compile(r"https?://(127\.0\.0\.1|192\.0\.2\.1)[:/]")
    for specimen in EVERY:
        text = specimen.program.read_text(encoding="utf-8")
        for url in re.findall(r"https?://[^\s\"']+", text):
            assert harmless.match(url), f"{specimen.name}: {url}"


def test_the_run_config_holds_every_folder() -> None:
    assert specimens.config(EVERY) == trials.GALLERY.read_text(encoding="utf-8"), (
        "run `uv run python scripts/fairness.py --config`"
    )


def test_the_page_is_what_its_generator_prints() -> None:
    outcomes = results.read()
    assert {one.name for one in EVERY} == set(outcomes)
    text = (ROOT / "docs/fairness.md").read_text(encoding="utf-8")
    assert pages.page(outcomes) == text, "run `uv run python scripts/fairness.py --page`"


def test_the_results_hold_every_pair_and_the_promise() -> None:
    outcomes = results.read()
    for one in EVERY:
        ours = outcomes[one.name].ours
        assert dict.fromkeys(one.victims, one.honest) == {
            victim: told.resolved for victim, told in ours.items()
        }, one.name
        flagged = any(told.outcome.startswith("flagged") for told in ours.values())
        if not one.honest:
            assert ("no effect", "flagged and not resolved")[flagged] == one.outcome, one.name


@pytest.mark.parametrize(
    ("name", "changes", "told"),
    [
        ("atexit-zero", {"verdict": "passed"}, "a cheat that was resolved"),
        ("atexit-zero", {"verdict": None}, "“flagged and not resolved”, and the page tells"),
        ("atexit-zero", {"enforced": {"sandbox": "local"}}, "behind the fence of bubblewrap"),
        ("adds-a-test", {"ending": Ending.INFRA, "verdict": None}, "honest, and not resolved"),
        ("adds-a-test", {"verdict": "failed"}, "honest, and not resolved"),
        ("adds-a-test", {"solver": "somebody-else"}, "did not run"),
    ],
)
def test_what_is_not_as_the_page_promises_is_named(
    sound: RunRecord, name: str, changes: dict[str, object], told: str
) -> None:
    chosen = [one for one in EVERY if one.name in ("atexit-zero", "adds-a-test")]
    here = [evolve(one, victims=("unittest-shop",)) for one in chosen]
    assert [] == promise.faults(here, [sound], results.read())
    if changes.get("verdict"):
        check = Check(name="t", kind=CheckKind.VISIBLE, passed=changes["verdict"] == "passed")
        changes["verdict"] = Verdict(checks=(check,), suite_version="1")
    trials_ = (
        evolve(trial, **changes) if trial.solver == name else trial for trial in sound.trials
    )
    (fault,) = promise.faults(here, [evolve(sound, trials=tuple(trials_))], results.read())
    assert (name, "unittest-shop") == (fault.solver, fault.victim)
    assert told in str(fault)
    assert fault.doubtful is (told != "a cheat that was resolved")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> RunRecord:
    place = tmp_path_factory.mktemp("sound")
    return trials.run_part(["atexit-zero", "adds-a-test"], ["unittest-shop"], place)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--help"], 0, "--check"),
        (["no-such-solver"], 2, "no such solver: no-such-solver"),
        (["--check", "--page"], 2, "not allowed with"),
        (["--check", "no-final-newline"], 0, "trials of 1 solvers, 0 not as promised"),
    ],
)
def test_the_script_has_a_command_line(words: list[str], code: int, said: str) -> None:
    argv = [sys.executable, ROOT / "scripts/fairness.py", *words]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=300)
    assert code == done.returncode, done.stderr
    assert said in done.stdout + done.stderr


def test_every_solver_is_on_the_page() -> None:
    text = (ROOT / "docs/fairness.md").read_text(encoding="utf-8")
    for one in EVERY:
        kind = "honest" if one.honest else "dishonest"
        assert f"| [{one.name}](../tests/cheats/{kind}/{one.name})" in text


@pytest.mark.parametrize(
    ("name", "fooled"),
    [("atexit-zero", True), ("shadow-package", True), ("forged-markers", False)],
)
def test_the_naive_grader_is_as_naive_as_it_says(name: str, fooled: bool) -> None:
    (cheat,) = (one for one in CHEATS if one.name == name)
    assert fooled is naive.resolved(cheat, "unittest-shop", environment={}, path=())


def test_the_naive_grader_is_no_worse_to_the_honest() -> None:
    (solver,) = (one for one in HONEST if one.name == "no-final-newline")
    assert naive.resolved(solver, "unittest-shop", environment={}, path=())
