"""
Runs the gallery of cheats through this harness and through a naive grader; writes the page of it.

    uv run python scripts/fairness.py                 all of it, and docs/fairness.md
    uv run python scripts/fairness.py hang shims-…    some solvers anew, the others as they were
    uv run python scripts/fairness.py --config        only tests/cheats/gallery.toml
    uv run python scripts/fairness.py --page          only docs/fairness.md, from the last results
"""

import json
import os
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from fairtrial_suite_folder import FolderSuite

ROOT = Path(__file__).parents[1]
HERE = ROOT / "tests/cheats"
sys.path.insert(0, str(HERE))

import naive  # noqa: E402 - the gallery's folder is no package
import page  # noqa: E402
import specimens  # noqa: E402
import trials  # noqa: E402

RESULTS = HERE / "results.json"
PAGE = ROOT / "docs/fairness.md"
JOBS = os.cpu_count() or 1

Outcomes = dict[str, dict[str, dict[str, object]]]


def ours(chosen: tuple[specimens.Specimen, ...], outcomes: Outcomes) -> None:
    """Runs the chosen solvers, each on its victims, and notes what came of it."""
    for victim in sorted({victim for one in chosen for victim in one.victims}):
        names = [one.name for one in chosen if victim in one.victims]
        print(f"{victim}: {len(names)} solvers", file=sys.stderr)
        with tempfile.TemporaryDirectory(prefix="gallery-") as out:
            record = trials.run_part(names, [victim], Path(out), validate=True, jobs=JOBS)
        for trial in record.trials:
            told = {
                "resolved": trial.resolved is True,
                "outcome": trials.outcome_of(trial),
                "by": list(trials.caught_by(trial)),
            }
            outcomes[trial.solver]["ours"][victim] = told


def naively(chosen: tuple[specimens.Specimen, ...], outcomes: Outcomes) -> None:
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
            outcomes[one.name]["naive"] = dict(found)


def refresh(names: list[str]) -> None:
    """Runs what was asked for, by both graders, and keeps the results."""
    everyone = (*specimens.dishonest(), *specimens.honest())
    chosen = tuple(one for one in everyone if not names or one.name in names)
    kept: Outcomes = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    outcomes = {one.name: kept.get(one.name, {"ours": {}, "naive": {}}) for one in everyone}
    for one in chosen:
        outcomes[one.name] = {"ours": {}, "naive": {}}
    ours(chosen, outcomes)
    naively(chosen, outcomes)
    text = json.dumps(outcomes, indent=1, sort_keys=True)
    RESULTS.write_text(f"{text}\n", encoding="utf-8")


def main() -> None:
    """Does what the command line asks for."""
    everyone = (*specimens.dishonest(), *specimens.honest())
    trials.GALLERY.write_text(specimens.config(everyone), encoding="utf-8")
    if "--config" in sys.argv:
        return
    if "--page" not in sys.argv:
        refresh(sys.argv[1:])
    outcomes = json.loads(RESULTS.read_text(encoding="utf-8"))
    PAGE.write_text(page.page(outcomes), encoding="utf-8")
    print(page.totals(outcomes))


if __name__ == "__main__":
    main()
