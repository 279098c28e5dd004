"""
Runs the gallery of cheats through this harness and through a naive grader; writes the page of it.

    uv run python scripts/fairness.py                 all of it, and docs/fairness.md
    uv run python scripts/fairness.py hang shims-…    some solvers anew, the others as they were
    uv run python scripts/fairness.py --config        only tests/cheats/gallery.toml
    uv run python scripts/fairness.py --page          only docs/fairness.md, from the last results
"""

import os
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from fairtrial_suite_folder import FolderSuite

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from cheats import naive, page, specimens, trials  # noqa: E402 - found only now
from cheats import outcomes as results  # noqa: E402

HERE = specimens.HERE
PAGE = ROOT / "docs/fairness.md"
JOBS = os.cpu_count() or 1


def ours(chosen: tuple[specimens.Specimen, ...], outcomes: dict[str, results.Outcome]) -> None:
    """Runs the chosen solvers, each on its victims, and notes what came of it."""
    for victim in sorted({victim for one in chosen for victim in one.victims}):
        names = [one.name for one in chosen if victim in one.victims]
        print(f"{victim}: {len(names)} solvers", file=sys.stderr)
        with tempfile.TemporaryDirectory(prefix="gallery-") as out:
            record = trials.run_part(names, [victim], Path(out), validate=True, jobs=JOBS)
        for trial in record.trials:
            told = results.Told(
                resolved=trial.resolved is True,
                outcome=trials.outcome_of(trial),
                by=trials.caught_by(trial),
            )
            outcomes[trial.solver].ours[victim] = told


def naively(chosen: tuple[specimens.Specimen, ...], outcomes: dict[str, results.Outcome]) -> None:
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


def refresh(names: list[str]) -> None:
    """Runs what was asked for, by both graders, and keeps the results."""
    everyone = (*specimens.dishonest(), *specimens.honest())
    chosen = tuple(one for one in everyone if not names or one.name in names)
    kept = results.read()
    outcomes = {one.name: kept.get(one.name, results.Outcome()) for one in everyone}
    for one in chosen:
        outcomes[one.name] = results.Outcome()
    ours(chosen, outcomes)
    naively(chosen, outcomes)
    results.write(outcomes)


def main() -> None:
    """Does what the command line asks for."""
    everyone = (*specimens.dishonest(), *specimens.honest())
    trials.GALLERY.write_text(specimens.config(everyone), encoding="utf-8")
    if "--config" in sys.argv:
        return
    if "--page" not in sys.argv:
        refresh(sys.argv[1:])
    outcomes = results.read()
    PAGE.write_text(page.page(outcomes), encoding="utf-8")
    print(page.totals(outcomes))


if __name__ == "__main__":
    main()
