"""Keys that were written into a config by mistake, and would end up in every record of a run."""

import re
from collections.abc import Iterator, Mapping

from fairtrial.api.errors import ConfigError
from fairtrial.config.merge import Merged
from fairtrial.serial.wording import key_text

_FORMS = re.compile(
    r"sk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{16,}"  # Anthropic, OpenAI, OpenRouter
    r"|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}"
    r"|AIza[A-Za-z0-9_-]{30,}"  # Google
    r"|AKIA[A-Z0-9]{16}"  # Amazon
    r"|xai-[A-Za-z0-9]{20,}|hf_[A-Za-z0-9]{20,}"
)


def refuse_secrets(merged: Merged) -> None:
    """
    Looks through every text of a config.

    Raises:
        ConfigError: One of them has the form of a provider's key; it is not repeated.
    """
    for path, text in _texts(merged.data, ()):
        if not _FORMS.search(text):
            continue
        names = tuple(part for part in path if isinstance(part, str))
        origin = next(
            (found for place, found in merged.origins.items() if names[: len(place)] == place),
            None,
        )
        raise ConfigError(
            problem=f"{key_text(path)} holds what looks like a key",
            facts=(("written in", origin.label),) if origin else (),
            way_on="put the key into an environment variable and name the variable instead; "
            "whoever has seen this file should get a new key",
        )


def _texts(
    value: object, path: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _texts(inner, (*path, index))
