"""`fairtrial audit LOG`: logs of any agent, audited without a run around them."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

from fairtrial.api import Attempt, Auditor, Brief, Ending, Evidence, Finding, Patch, RunError, Task
from fairtrial.config import load
from fairtrial.engine.audit import LEDGER, enter, pattern_set
from fairtrial.engine.eventlog import EventLog, logs
from fairtrial.figures.markdown import cell, table
from fairtrial.registry import Builder

NO_RUN = ('run.suite="none"', 'run.solvers=["noop"]')
"""A config needs them; nothing here runs."""

DEFAULT = "trajectory"


@frozen(kw_only=True)
class LogAudit:
    """
    What an auditor said of one log.

    Attributes:
        place: The log's file or folder.
        auditor: The auditor's name.
        pattern_set: The number of its pattern set.
        events: How many events the log holds.
        found: What it found; None where it had nothing to judge by.
    """

    place: Path
    auditor: str
    pattern_set: int
    events: int
    found: tuple[Finding, ...] | None

    @property
    def clean(self) -> bool | None:
        """Whether nothing enforcing was found; None where nothing was judged."""
        if self.found is None:
            return None
        return not any(finding.enforcing for finding in self.found)


def auditors_of(files: Sequence[Path], settings: Sequence[str]) -> dict[str, Auditor]:
    """
    Returns the auditors that a config names; the one of trajectories where it names none.

    Raises:
        ConfigError: The config can't be used.
        PluginError: One of them can't be.
    """
    config = load(files, (*(() if files else NO_RUN), *settings))
    names = config.run.auditors or (DEFAULT,)
    made = Builder(config=config).all("auditor", names)
    return dict(made)  # type: ignore[arg-type]  # the builder has checked their kind


def find_logs(place: Path) -> Iterator[tuple[Path, tuple[Path, ...]]]:
    """
    Yields each log below a place, with its files in order.

    A file is a log. A folder with `events.jsonl` or `trajectory.jsonl` is one, archives first. Of
    any other file that ends in `.jsonl`, each is one.
    """
    if place.is_file():
        yield place, (place,)
        return
    for folder in (place, *sorted(path for path in place.rglob("*") if path.is_dir())):
        rotated = logs(folder)
        if rotated:
            yield folder, rotated
        for path in sorted(folder.glob("*.jsonl")):
            if path not in rotated and path.name != LEDGER and path.is_file():
                yield path, (path,)


def audit_logs(place: Path, auditors: dict[str, Auditor]) -> tuple[LogAudit, ...]:
    """
    Audits every log below a place and enters it in the ledger beside the log.

    Raises:
        RunError: There is none, or one can't be read.
    """
    found = list(find_logs(place))
    if not found:
        raise RunError(
            problem=f"there is no log below “{place}”",
            facts=(("looked for", "events.jsonl, trajectory.jsonl, *.jsonl"),),
            way_on="give a log in the form of fairtrial's trajectories, or a run",
        )
    return tuple(
        _audit(log, files, name, auditor)
        for log, files in found
        for name, auditor in auditors.items()
    )


def _audit(log: Path, files: tuple[Path, ...], name: str, auditor: Auditor) -> LogAudit:
    evidence = _evidence(log.stem, EventLog(files))
    try:
        found = auditor.audit(evidence)
        events = len(evidence.events or ())
    except OSError as error:
        raise RunError(
            problem=f"the log “{log}” can't be read",
            facts=(("because", str(error.strerror)),),
            way_on="mend its permissions",
        ) from error
    told = None if found is None else tuple(found)
    if told is not None:
        enter(log if log.is_dir() else log.parent, auditor, name, evidence, told)
    return LogAudit(
        place=log, auditor=name, pattern_set=pattern_set(auditor), events=events, found=told
    )


def _evidence(name: str, events: EventLog) -> Evidence:
    task = Task(
        id=name or "log", family=name, brief=Brief(prompt="not known", timeout_s=1.0), digest=""
    )
    return Evidence(
        task=task, attempt=Attempt(ending=Ending.FINISHED), patch=Patch(), events=events
    )


def as_json(audits: Sequence[LogAudit]) -> str:
    """Returns audits as one JSON text."""
    rows = [
        {
            "log": str(one.place),
            "auditor": one.auditor,
            "pattern_set": one.pattern_set,
            "events": one.events,
            "hits": [_hit(finding) for finding in one.found or ()],
            "clean": one.clean,
        }
        for one in audits
    ]
    return json.dumps({"audits": rows}, indent=2) + "\n"


def _hit(finding: Finding) -> dict[str, object]:
    return {
        "pattern": finding.rule,
        "status": "enforcing" if finding.enforcing else "advisory",
        "seq": int(finding.where) if finding.where.isdigit() else None,
        "tool_call_id": finding.tool_call_id or None,
        "agent": finding.agent or None,
        "evidence": finding.evidence,
    }


_WORDS = {True: "clean", False: "HACKED", None: "unaudited"}


def as_markdown(audits: Sequence[LogAudit]) -> str:
    """Returns audits as tables: the logs, then what was found in them."""
    rows = [
        (
            cell(str(one.place)),
            f"{cell(one.auditor)} {one.pattern_set}",
            str(one.events),
            _WORDS[one.clean],
            str(len(one.found or ())),
        )
        for one in audits
    ]
    parts = [table(("log", "auditor", "events", "verdict", "hits"), rows, right="llrlr")]
    hits = [
        (
            cell(one.place.name),
            finding.where,
            cell(finding.rule),
            "enforcing" if finding.enforcing else "advisory",
            cell(finding.agent) or "–",
            cell(finding.evidence),
        )
        for one in audits
        for finding in one.found or ()
    ]
    if hits:
        headings = ("log", "event", "pattern", "status", "agent", "evidence")
        parts.append(table(headings, hits, right="lr"))
    return "\n".join(parts)
