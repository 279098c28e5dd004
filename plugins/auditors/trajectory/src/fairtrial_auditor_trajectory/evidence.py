"""Evidence that can be shown: secrets taken out, on one line, cut."""

from fairtrial.redaction import MARK, redact, visible

SHOWN = 160
"""Most characters of evidence that a finding keeps."""

_LOOKED_AT = 8_192


def shown(text: str) -> str:
    """Returns what may be shown of a text: redacted, on one line, at most `SHOWN` characters."""
    part = redact(text[:_LOOKED_AT])[: 4 * SHOWN]
    line = "".join(map(visible, " ".join(part.split())))
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 1]}{MARK}"
