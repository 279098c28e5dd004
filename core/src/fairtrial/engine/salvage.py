"""What is kept of a trial that a plugin's odd value would keep from being written."""

import structlog
from attrs import evolve

from fairtrial import serial
from fairtrial.api import Ending, Trial
from fairtrial.engine.secrecy import without_secrets
from fairtrial.redaction import redact

_ODD = (TypeError, ValueError, AttributeError, RecursionError)
_PARTS = (
    "wall_s",
    "usage",
    "metered",
    "energy",
    "stages",
    "questions",
    "enforced",
    "model",
    "agent_version",
    "insight",
)
"""What stays true of an attempt whose verdict is not kept."""

log = structlog.get_logger()


def writable(trial: Trial) -> Trial:
    """
    Returns a trial that can be written down: the same one, where nothing is odd about it.

    A text in the place of a number, or a number that JSON can't say, must lose neither what the
    attempt cost nor any other trial. What holds such a value is left out, and the trial is
    `infra`, with the reason.
    """
    try:
        _write(trial)
    except _ODD as error:
        log.warning("trial can't be written whole", because=str(error))
        return _without_what_is_odd(trial, error)
    return trial


def _without_what_is_odd(trial: Trial, error: Exception) -> Trial:
    ending = trial.ending if trial.ending is Ending.INTERRUPTED else Ending.INFRA
    kept = Trial(
        task=trial.task,
        digest=trial.digest,
        family=trial.family,
        solver=trial.solver,
        rollout=trial.rollout,
        ending=ending,
        quarantine=trial.quarantine,
        started_at=trial.started_at,
        note=redact(f"its record can't be written: {type(error).__name__}: {error}"),
    )
    for name in _PARTS:
        try:
            more = evolve(kept, **{name: getattr(trial, name)})
            _write(more)
        except _ODD:
            continue
        kept = more
    return kept


def _write(trial: Trial) -> None:
    serial.dumps(without_secrets(trial))
