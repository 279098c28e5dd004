"""What is done to a set on disk: each step under its lock, from the set as it is by then."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen
from fairtrial.api.errors import ConfigError, SuiteError

from fairtrial_suite_heldout import lock, manifest
from fairtrial_suite_heldout.companions import Companion, Companions
from fairtrial_suite_heldout.place import refuse_inside

PATIENCE_S = 10.0
"""Seconds that a run's end waits for another writer; its trials are spent already."""

_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@frozen(kw_only=True)
class Keeper:
    """
    Makes every change of one set.

    Attributes:
        directory: Where the set is.
        root: The work tree, which must not hold it.
    """

    directory: Path
    root: Path

    def read(self) -> Companions:
        """
        Reads the set as it is.

        Raises:
            ConfigError: It lies inside the work tree.
            SuiteError: It can't be read.
        """
        refuse_inside(self.directory, self.root)
        return manifest.read(self.directory)

    def add(self, family: str, check: Path) -> Companion:
        """
        Copies a check into the set, as the one that is scored for a family from now on.

        Raises:
            ConfigError: The place, the family's name or the file won't do, or the family has one.
            SuiteError: The set can't be read, written or locked.
        """
        refuse_inside(self.directory, self.root)
        if not _SLUG.fullmatch(family):
            raise ConfigError(
                problem=f"“{family}” can't be a family's name",
                way_on="use letters, digits, “.”, “_” and “-”, as the tasks do",
            )
        if not check.is_file():
            raise ConfigError(
                problem=f"there is no check “{check}”", way_on="name the file of a test"
            )
        self.directory.mkdir(parents=True, exist_ok=True)
        with lock.held(self.directory):
            there = (self.directory / manifest.NAME).exists()
            before = manifest.read(self.directory) if there else Companions()
            return self._add(before, family, check)

    def _add(self, before: Companions, family: str, check: Path) -> Companion:
        active = before.active(family)
        if active is not None:
            raise ConfigError(
                problem=f"family “{family}” has a held-out check already: {active.id}",
                facts=(("set", str(self.directory)),),
                way_on=f"retire it first, by `fairtrial heldout retire {active.id}`",
            )
        name = before.next_id(family)
        companion = Companion(
            id=name, family=family, file=f"{name}{extension(check)}", added=manifest.now()
        )
        shutil.copyfile(check, self.directory / companion.file)
        manifest.write(self.directory, before.with_added(companion))
        return companion

    def retire(self, check: str) -> Companions:
        """
        Retires a check, and returns the set as it is then.

        Raises:
            ConfigError: The set has none of that id, or it is retired.
            SuiteError: The set can't be read, written or locked.
        """
        refuse_inside(self.directory, self.root)
        with lock.held(self.directory):
            before = manifest.read(self.directory)
            found = before.find(check)
            if found is None or found.retired:
                active = [each.id for each in before.checks if not each.retired]
                said = "is retired already" if found else "is not in the held-out set"
                raise ConfigError(
                    problem=f"“{check}” {said}",
                    facts=(("active", ", ".join(active) or "–"),),
                    way_on="`fairtrial heldout list` shows every check",
                )
            after = before.with_retired([check], manifest.now())
            manifest.write(self.directory, after)
        return after

    def decide(self, counts: Mapping[str, int]) -> Companions:
        """
        Counts decisions, retires what has made enough of them, and returns the set as it is then.

        The set is read anew, so that a check which was added in the meantime is kept.

        Raises:
            SuiteError: The set can't be read, written or locked, or lacks a check that was scored.
        """
        with lock.held(self.directory, patience_s=PATIENCE_S):
            before = manifest.read(self.directory)
            try:
                after = before.with_decisions(counts, manifest.now())
            except KeyError as error:
                raise SuiteError(
                    problem=f"the held-out check “{error.args[0]}” was scored, and is gone",
                    facts=(("set", str(self.directory)),),
                    way_on="restore the set, then run again with --resume",
                ) from error
            manifest.write(self.directory, after)
        return after


def extension(check: Path) -> str:
    """Returns what a test's name must end with to be one: `.py`, `.rs`, `.go`, `.test.mjs`."""
    parts = check.name.split(".")
    keep = parts[-2:] if "test" in parts[-2:-1] and len(parts) > 2 else parts[-1:]  # noqa: PLR2004 - NAME.test.mjs
    return "." + ".".join(keep) if len(parts) > 1 else ""
