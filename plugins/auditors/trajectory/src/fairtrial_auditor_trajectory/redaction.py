"""Evidence that can be shown: secrets taken out, control characters made visible, cut."""

import re
import unicodedata

SHOWN = 160
"""Most characters of evidence that a finding keeps."""

_LOOKED_AT = 8_192
_MARK = "…"
_KEYS = re.compile(
    r"""
    \bsk-ant-[\w-]{8,}                                  # Anthropic
    | \bsk-[\w-]{16,}                                   # OpenAI
    | \bgh[pousr]_\w{20,} | \bgithub_pat_\w{20,}        # GitHub
    | \bxox[abprs]-[\w-]{10,}                           # Slack
    | \bAKIA[A-Z0-9]{16}                                # AWS
    | \bAIza[\w-]{20,}                                  # Google
    """,
    re.VERBOSE | re.ASCII,
)
_BEARER = re.compile(r"\b(Bearer|Basic)\s+[^\s'\"]{12,}", re.IGNORECASE)
_NAMED = re.compile(
    r"((?:api_?key|token|secret|password|passwd)['\"]?\s*[:=]\s*['\"]?)[^\s'\"]{6,}",
    re.IGNORECASE,
)


def shown(text: str) -> str:
    """Returns what may be shown of a text: redacted, on one line, at most `SHOWN` characters."""
    part = redacted(text[:_LOOKED_AT])
    line = "".join(map(_visible, part[: 2 * SHOWN])).strip()
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 1]}{_MARK}"


def redacted(text: str) -> str:
    """Returns a text with each secret in it replaced by `…`."""
    text = _BEARER.sub(rf"\1 {_MARK}", _KEYS.sub(_MARK, text))
    return _NAMED.sub(rf"\1{_MARK}", text)


def _visible(letter: str) -> str:
    if letter.isprintable() or letter == " ":
        return letter
    code = ord(letter)
    if letter == "\t":
        return " "
    if code < 0x20:  # noqa: PLR2004 - the pictures of control characters, U+2400 to U+241F
        return chr(0x2400 + code)
    # Marks that turn the writing direction, lone surrogates, DEL and the like.
    return " " if unicodedata.category(letter) in {"Zs", "Zl", "Zp"} else "�"
