"""
Logs: structlog, configured here and nowhere else.

All of it goes to stderr. `text` is one short line an event, `json` one JSON object a line,
`quiet` nothing but errors.
"""

import json
import logging
from collections.abc import Iterable, Mapping, MutableMapping
from datetime import UTC, datetime

import structlog
from attrs import frozen
from structlog.typing import Processor

from fairtrial.cli.options import LogForm
from fairtrial.cli.voice import VOICE
from fairtrial.figures.markdown import safe
from fairtrial.redaction import plain_text, redact, redact_within

_PROSE = ("because", "why", "concern", "way_on")
"""Facts that are told in words; a person reads them as what follows from the event."""


def configure(form: LogForm, *, verbose: bool = False) -> None:
    """
    Sets up logs for this process.

    Args:
        form: How they are written.
        verbose: Whether to show each stage of a trial, not only what is weaker than asked.
    """
    structlog.configure(
        processors=_processors(form),
        wrapper_class=structlog.make_filtering_bound_logger(_level(form, verbose=verbose)),
        logger_factory=_VoiceFactory(),
        cache_logger_on_first_use=False,
    )


def json_line(event: Mapping[str, object]) -> str:
    """Returns one JSON object on one line, keys in the order given."""
    return json.dumps(event, ensure_ascii=False, default=str)


def now() -> str:
    """Returns the time as log lines give it: ISO 8601, UTC, milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def event_line(event: str, *, level: str = "info", **facts: object) -> str:
    """Returns an event as one JSON object on one line, as log lines are."""
    told = {key: redact_within(value) for key, value in facts.items()}
    return json_line({"timestamp": now(), "level": level, "event": event, **told})


def tell(event: str, text: str, *, level: str = "info", **facts: object) -> None:
    """
    Says what is neither a result nor progress: in words, or as an object with `--log json`.

    Args:
        event: What it is about, a constant.
        text: The words; may be several lines.
        level: `info`, `warning` or `error`.
        facts: What the words hold, for programs.
    """
    VOICE.say(event_line(event, level=level, **facts) if VOICE.as_json else text)


def _level(form: LogForm, *, verbose: bool) -> int:
    if form is LogForm.QUIET:
        return logging.ERROR
    # Progress tells of each trial already; its stages are for whoever asks for them.
    return logging.INFO if verbose else logging.WARNING


def _processors(form: LogForm) -> Iterable[Processor]:
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
    ]
    if form is LogForm.JSON:
        return [
            *shared,
            _stamp,
            structlog.processors.format_exc_info,
            _as_json,
        ]
    return [*shared, structlog.processors.format_exc_info, _as_text]


def _stamp(_: object, __: str, event: MutableMapping[str, object]) -> Mapping[str, object]:
    return {"timestamp": now(), **event}


def _as_json(_: object, __: str, event: MutableMapping[str, object]) -> str:
    first = {key: event.pop(key) for key in ("timestamp", "level", "event") if key in event}
    told = {key: redact_within(event[key]) for key in sorted(event)}
    return json_line({**first, **told})


def _as_text(_: object, method: str, event: MutableMapping[str, object]) -> str:
    level, said = event.pop("level", method), event.pop("event", "")
    trace = event.pop("exception", "")
    prose = "; ".join(_sentence(event.pop(key)) for key in _PROSE if event.get(key))
    facts = " ".join(f"{key}={_value(value)}" for key, value in event.items())
    line = f"{level}: {said}" + (f": {prose}" if prose else "") + (f"  {facts}" if facts else "")
    return f"{line}\n{plain_text(redact(str(trace)))}" if trace else line


def _sentence(value: object) -> str:
    return safe(redact(str(value)))


def _value(value: object) -> str:
    text = redact(str(value))
    plain = text.isprintable() and text and not set(text) & set(' "=')
    # Escapes keep an agent's control sequences away from the terminal.
    return text if plain else json.dumps(text, ensure_ascii=not text.isprintable())


@frozen
class _VoiceLogger:
    """What structlog hands the finished line to."""

    def msg(self, line: str) -> None:
        VOICE.say(line)

    debug = info = warning = warn = error = critical = exception = fatal = log = msg


@frozen
class _VoiceFactory:
    def __call__(self, *args: object) -> _VoiceLogger:
        return _VoiceLogger()
