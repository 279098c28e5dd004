"""Taking secrets out of what is kept of a trial; the tree itself is kept to the byte."""

from pathlib import Path

import structlog
from attrs import evolve

from fairtrial.agents.files import reason
from fairtrial.agents.secrecy import folders_of
from fairtrial.api import Answer, Exchange, Question, Stage, Trial, Verdict
from fairtrial.redaction import redact, redact_keys

_MOST_BYTES = 64 << 20
"""Files longer than this are no logs that a person reads, and are left out of a copy."""


def without_secrets(trial: Trial) -> Trial:
    """Returns a trial with every text that came from outside redacted."""
    findings = trial.findings
    return evolve(
        trial,
        note=redact(trial.note),
        stages=tuple(_stage(each) for each in trial.stages),
        submission=None if trial.submission is None else redact(trial.submission),
        verdict=None if trial.verdict is None else _verdict(trial.verdict),
        findings=None
        if findings is None
        else tuple(evolve(each, evidence=redact(each.evidence)) for each in findings),
        questions=None
        if trial.questions is None
        else tuple(_exchange(each) for each in trial.questions),
    )


def _stage(stage: Stage) -> Stage:
    return evolve(
        stage,
        note=redact(stage.note),
        escalated=redact(stage.escalated),
        submission=None if stage.submission is None else redact(stage.submission),
    )


def holds_logs(place: Path) -> bool:
    """Whether a directory is there; a link would let an agent have another one copied."""
    try:
        return not place.is_symlink() and place.is_dir()
    except OSError as error:
        _unread(place, error)
        return False


def copy_without_keys(source: Path, target: Path) -> None:
    """
    Copies a directory of logs, keys taken out of each that is text.

    Links stay links, and are never followed; pipes and the like are left out, and so is a file
    that is no text but holds a key, what can't be read, and whatever lies deeper than any log.
    """
    for place, _, names in folders_of(source, unread=_unread):
        to = target / place.relative_to(source)
        to.mkdir(parents=True, exist_ok=True)
        for name in names:
            log = place / name
            try:
                content = _read(log)
            except OSError as error:
                _unread(log, error)
                continue
            if isinstance(content, Path):
                (to / name).symlink_to(content)
            elif content is not None:
                _keep(log, content, to / name)


def _read(log: Path) -> bytes | Path | None:
    """Returns what a log holds, or where a link leads; None for what is no log."""
    if log.is_symlink():
        return log.readlink()
    if not log.is_file() or log.stat().st_size > _MOST_BYTES:
        return None
    return log.read_bytes()


def _keep(log: Path, data: bytes, to: Path) -> None:
    # Bytes that are no text come back as they were.
    text = data.decode(errors="surrogateescape")
    shown = redact_keys(text)
    if shown != text and b"\0" in data:
        # A database of the agent's would be broken by it, and tells the key if it is left.
        _lost(log, "it holds a key")
        return
    to.write_bytes(shown.encode(errors="surrogateescape"))


def _unread(log: Path, error: OSError) -> None:
    """Says that a log is not kept, since an agent locked it or the like."""
    _lost(log, reason(error))


def _lost(log: Path, because: str) -> None:
    structlog.get_logger().warning("log not kept", file=log.name, because=because)


def _verdict(verdict: Verdict) -> Verdict:
    checks = tuple(evolve(check, why=redact(check.why)) for check in verdict.checks)
    return evolve(verdict, checks=checks, output=redact(verdict.output))


def _exchange(exchange: Exchange) -> Exchange:
    return evolve(exchange, question=_question(exchange.question), answer=_answer(exchange.answer))


def _question(question: Question) -> Question:
    return evolve(question, text=redact(question.text), header=redact(question.header))


def _answer(answer: Answer) -> Answer:
    return evolve(answer, text=redact(answer.text), picked=tuple(map(redact, answer.picked)))
