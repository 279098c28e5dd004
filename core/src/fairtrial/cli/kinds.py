"""Kinds of plugin as users name them."""

import difflib

from fairtrial.api.errors import ConfigError
from fairtrial.registry import KINDS, scan
from fairtrial.registry.discover import Installed


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


def none_of_any_kind(name: str, asked_in: str, here: Installed) -> ConfigError:
    """
    Returns the error of a name that no installed plugin has, of whatever kind.

    Args:
        name: The name as the user spelt it.
        asked_in: The command that was to find it.
        here: What is installed.
    """
    close = difflib.get_close_matches(name, {each.name for each in here.plugins}, n=3)
    near = [f"{each.name} ({each.kind})" for each in here.plugins if each.name in close]
    damaged = [f"{each.distribution}: {each.because}" for each in here.damaged]
    return ConfigError(
        problem=f"no plugin called “{name}” is installed",
        facts=(
            ("asked for in", asked_in),
            *((("damaged", "\n".join(damaged)),) if damaged else ()),
            *((("nearest", ", ".join(near)),) if near else ()),
        ),
        way_on="`fairtrial plugins list` shows what there is, of every kind",
    )


def refuse_taken(kind: str, name: str) -> None:
    """
    Refuses the name of a plugin that is installed: of two of one name, neither could be loaded.

    Raises:
        ConfigError: There is one.
    """
    found = [each for each in scan().of(kind) if each.name == name]
    if found:
        raise ConfigError(
            problem=f"a {kind} plugin called “{name}” is installed already",
            facts=(("provided by", "\n".join(each.place for each in found)),),
            way_on="choose another name; nothing was written",
        )
