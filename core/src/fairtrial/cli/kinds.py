"""Kinds of plugin as users name them."""

import difflib

from fairtrial.api.errors import ConfigError
from fairtrial.registry import KINDS


def refuse_unknown_kind(kind: str) -> None:
    """
    Refuses a word that is no kind.

    Raises:
        ConfigError: It is none.
    """
    if kind in KINDS:
        return
    near = difflib.get_close_matches(kind, KINDS, n=1)
    raise ConfigError(
        problem=f"there is no kind of plugin “{kind}”",
        facts=(("kinds", ", ".join(KINDS)), *(("nearest", each) for each in near)),
        way_on="name one of these",
    )
