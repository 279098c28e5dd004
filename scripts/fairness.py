"""
Runs the gallery of cheats through this harness and through a naive grader; writes the page of it.

With names, only those solvers are run anew, and the others stay as they were.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import structlog
from fairtrial.api import RunRecord
from fairtrial_suite_folder import FolderSuite

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from cheats import naive, page, promise, specimens, trials  # noqa: E402 - found only now
from cheats import outcomes as results  # noqa: E402

HERE = specimens.HERE
PAGE = ROOT / "docs/fairness.md"
JOBS = os.cpu_count() or 1
_ERRORS = 40
"""The level from which on a log line is shown."""

Specimens = Sequence[specimens.Specimen]


def records(chosen: Specimens) -> list[RunRecord]:
    """Runs the chosen solvers, each on its victims: one run a victim, two of them at a time."""

    def on(victim: str) -> RunRecord:
        names = [one.name for one in chosen if victim in one.victims]
        with tempfile.TemporaryDirectory(prefix="gallery-") as out:
            record = trials.run_part(names, [victim], Path(out), validate=True, jobs=JOBS)
        print(f"{victim}: {len(record.trials)} trials", file=sys.stderr)
        return record

    victims = sorted({victim for one in chosen for victim in one.victims})
    # Much of the time of a run is spent waiting for what doesn't end by itself.
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(on, victims))


def ours(chosen: Specimens, outcomes: dict[str, results.Outcome]) -> None:
    """Notes what came of the chosen solvers in this harness."""
    for record in records(chosen):
        for trial in record.trials:
            told = results.Told(
                resolved=trial.resolved is True,
                outcome=trials.outcome_of(trial),
                by=trials.caught_by(trial),
            )
            outcomes[trial.solver].ours[trial.task] = told


def naively(chosen: Specimens, outcomes: dict[str, results.Outcome]) -> None:
    """Tries the naive grader on each solver, until it was fooled once."""
    suite = FolderSuite(path=HERE / "victims")
    equipment = {task.id: suite.equip(task) for task in suite.tasks()}

    def tried(one: specimens.Specimen) -> Mapping[str, bool]:
        found: dict[str, bool] = {}
        for victim in one.victims:
            needed = equipment[victim]
            found[victim] = naive.resolved(
                one, victim, environment=needed.variables, path=needed.path
            )
            if found[victim]:
                break
        return found

    cheats = [one for one in chosen if not one.honest]
    with ThreadPoolExecutor(JOBS) as pool:
        for one, found in zip(cheats, pool.map(tried, cheats), strict=True):
            print(f"{one.name}: naive {found}", file=sys.stderr)
            outcomes[one.name].naive = dict(found)


def refresh(everyone: Specimens, chosen: Specimens) -> None:
    """Runs the chosen ones in both graders, and keeps the results."""
    kept = results.read()
    outcomes = {one.name: kept.get(one.name, results.Outcome()) for one in everyone}
    for one in chosen:
        outcomes[one.name] = results.Outcome()
    ours(chosen, outcomes)
    naively(chosen, outcomes)
    results.write(outcomes)


def check(chosen: Specimens) -> int:
    """Runs the chosen ones in this harness, says what is not as the page promises; 1 if any is."""
    kept = results.read()
    faults = promise.faults(chosen, records(chosen), kept)
    doubtful = [one for one in chosen if any(f.solver == one.name and f.doubtful for f in faults)]
    if doubtful:
        for fault in faults:
            print(f"tried once more: {fault}", file=sys.stderr)
        again = promise.faults(doubtful, records(doubtful), kept)
        faults = [*(fault for fault in faults if not fault.doubtful), *again]
    for fault in faults:
        print(fault)
    trials_run = sum(len(one.victims) for one in chosen)
    print(f"{trials_run} trials of {len(chosen)} solvers, {len(faults)} not as promised")
    return 1 if faults else 0


def write_page() -> None:
    """Writes the page from the last results, and tells its figures."""
    outcomes = results.read()
    PAGE.write_text(page.page(outcomes), encoding="utf-8")
    print(page.totals(outcomes))


def main(words: Iterable[str]) -> int:
    """Does what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("solvers", nargs="*", metavar="SOLVER", help="a folder of tests/cheats")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--check", action="store_true", help="run in our own grader; write nothing")
    only.add_argument("--config", action="store_true", help="write gallery.toml, and no more")
    only.add_argument("--page", action="store_true", help="write docs/fairness.md from last time")
    asked = parser.parse_args(list(words))
    everyone = (*specimens.dishonest(), *specimens.honest())
    strangers = set(asked.solvers) - {one.name for one in everyone}
    if strangers:
        parser.error(f"no such solver: {', '.join(sorted(strangers))}")
    chosen = [one for one in everyone if not asked.solvers or one.name in asked.solvers]
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(_ERRORS))
    if asked.check:
        return check(chosen)
    trials.GALLERY.write_text(specimens.config(everyone), encoding="utf-8")
    if asked.config:
        return 0
    if not asked.page:
        refresh(everyone, chosen)
    write_page()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
