"""Keys: not in a config, not in a note."""

import re
from collections.abc import Iterable

from fairtrial.redaction import redact_keys, shows_key

_SECRET_NAME = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$", re.IGNORECASE)
_SECRET_SIZE = 16
_SHORTEST = 6


def holds_key(text: str, name: str = "") -> bool:
    """
    Tells whether a text looks as if it holds a key.

    Args:
        text: The text.
        name: The variable whose value it is; a long value without spaces, placeholders or an address in it, of one that is called
            `…_KEY` or `…_TOKEN` is taken for a key.
    """
    if shows_key(text):
        return True
    dense = len(text) >= _SECRET_SIZE and " " not in text and "://" not in text
    return dense and "{" not in text and _SECRET_NAME.search(name) is not None


def redact(text: str, secrets: Iterable[str]) -> str:
    """Returns the text without the secrets, and without what looks like a key."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, "[redacted]")
    return redact_keys(text)
