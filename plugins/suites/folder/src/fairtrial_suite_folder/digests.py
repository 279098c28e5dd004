"""The digest of a task: all that defines it, wherever it lies and whenever it was written."""

import hashlib
import json
from collections.abc import Mapping

FORMAT = "1"
"""Part of every digest: changes whenever the same files would mean another task."""


def total_digest(values: Mapping[str, object], parts: Mapping[str, str]) -> str:
    """Returns the SHA-256 (hex) over a task's keys and the digests of its other parts."""
    whole = {"format": FORMAT, "values": dict(values), "parts": dict(parts)}
    text = json.dumps(whole, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()
