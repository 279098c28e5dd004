"""`heldout.json`: the set on disk, read with suspicion and written whole or not at all."""

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn, TypeVar, cast

from fairtrial.api.errors import SuiteError

from fairtrial_suite_heldout.companions import Change, Companion, Companions
from fairtrial_suite_heldout.place import refuse_escape

NAME = "heldout.json"

T = TypeVar("T")


def now() -> str:
    """Returns the time, ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def read(directory: Path) -> Companions:
    """
    Reads a set.

    Raises:
        SuiteError: There is none, it can't be understood, or a file of it lies elsewhere.
    """
    path = directory / NAME
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SuiteError(
            problem=f"there is no held-out set in “{directory}”",
            facts=(("looked for", str(path)), ("because", str(error))),
            way_on="make one by `fairtrial heldout add`",
        ) from error
    found = _Reader(path).read(text)
    for each in found.checks:
        real = refuse_escape(directory, each.file, each.id)
        if not each.retired and not real.is_file():
            raise SuiteError(
                problem=f"the file of the held-out check “{each.id}” is missing",
                facts=(("file", each.file), ("set", str(directory))),
                way_on=f"restore it, or retire the check by `fairtrial heldout retire {each.id}`",
            )
    return found


def write(directory: Path, companions: Companions) -> None:
    """
    Writes a set, so that a reader finds the old or the new one and nothing between.

    Raises:
        SuiteError: It can't be written; the old one is untouched.
    """
    plain = {
        "version": companions.version,
        "checks": [
            {
                "id": each.id,
                "family": each.family,
                "file": each.file,
                "decisions": each.decisions,
                "retired": each.retired,
                "added": each.added,
            }
            for each in companions.checks
        ],
        "history": [
            {
                "version": each.version,
                "at": each.at,
                "added": list(each.added),
                "retired": list(each.retired),
            }
            for each in companions.history
        ],
    }
    part = directory / f"{NAME}.tmp"
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(json.dumps(plain, indent=2, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        part.replace(directory / NAME)
    except OSError as error:
        raise SuiteError(
            problem=f"the held-out set in “{directory}” can't be written",
            facts=(("because", str(error.strerror)),),
            way_on="make room, or mend the directory's permissions",
        ) from error


class _Reader:
    """Turns the manifest's text into values; any doubt names the place in it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self, text: str) -> Companions:
        try:
            top = json.loads(text)
        except ValueError as error:
            self._refuse("the whole file", f"is no JSON: {error}")
        table = self._is(top, dict, "the whole file")
        checks = tuple(
            self._check(each, f"checks[{at}]")
            for at, each in enumerate(self._get(table, "checks", list, ""))
        )
        version = self._number(table, "version", "", least=1)
        ids = [each.id for each in checks]
        for at, each in enumerate(ids):
            if each in ids[:at]:
                self._refuse(f"checks[{at}].id", f"is “{each}” for the second time")
        history = tuple(
            self._change(each, f"history[{at}]")
            for at, each in enumerate(self._get({"history": [], **table}, "history", list, ""))
        )
        return Companions(version=version, checks=checks, history=history)

    def _check(self, value: object, where: str) -> Companion:
        table = self._is(value, dict, where)
        texts = {key: self._get(table, key, str, where) for key in ("id", "family", "file")}
        for key, text in texts.items():
            if not text.strip():
                self._refuse(f"{where}.{key}", "is empty")
        return Companion(
            **texts,
            decisions=self._number(table, "decisions", where),
            retired=self._get(table, "retired", bool, where),
            added=self._get(table, "added", str, where),
        )

    def _change(self, value: object, where: str) -> Change:
        table = self._is(value, dict, where)
        return Change(
            version=self._number(table, "version", where, least=1),
            at=self._get(table, "at", str, where),
            added=self._texts(table, "added", where),
            retired=self._texts(table, "retired", where),
        )

    def _texts(self, table: Mapping[str, object], key: str, where: str) -> tuple[str, ...]:
        return tuple(
            self._is(each, str, f"{where}.{key}[{at}]")
            for at, each in enumerate(self._get(table, key, list, where))
        )

    def _number(self, table: Mapping[str, object], key: str, where: str, *, least: int = 0) -> int:
        value = self._get(table, key, int, where)
        if isinstance(value, bool) or value < least:
            self._refuse(f"{where}.{key}".lstrip("."), f"must be {least} or more")
        return value

    def _get(self, table: Mapping[str, object], key: str, kind: type[T], where: str) -> T:
        place = f"{where}.{key}".lstrip(".")
        if key not in table:
            self._refuse(place, "is missing")
        return self._is(table[key], kind, place)

    def _is(self, value: object, kind: type[T], where: str) -> T:
        names = {dict: "a table", list: "a list", str: "text", int: "a number", bool: "a truth"}
        if not isinstance(value, kind):
            self._refuse(where, f"must be {names[cast('type', kind)]}")
        return value

    def _refuse(self, where: str, what: str) -> NoReturn:
        raise SuiteError(
            problem=f"the held-out set “{self.path}” can't be understood: {where} {what}",
            facts=(("file", str(self.path)),),
            way_on="undo what was edited by hand; `fairtrial heldout` makes every change",
        )
