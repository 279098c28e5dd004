"""
What a person wrote, turned into objects: strictly, and with the place of every fault.

Nothing is coerced that isn't the same thing: `"3"` is no number, `1` is no true, `1.0` is no whole
number; only a whole number may stand where any number may.
"""

from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path
from typing import TypeVar, cast

from fairtrial.api.errors import ConfigError
from fairtrial.serial.context import Context, Resolve, using
from fairtrial.serial.faults import Fault, faults_of
from fairtrial.serial.hooks import structurer
from fairtrial.serial.wording import key_text

T = TypeVar("T")


def structure(
    cls: type[T],
    data: object,
    *,
    where: str,
    base: Path | Mapping[str, Path] | None = None,
    source: str | Mapping[str, str] = "",
    resolve: Resolve | None = None,
) -> T:
    """
    Builds an object of an attrs class from a table that a person wrote.

    Args:
        cls: The class; its fields are the table's keys.
        data: The table.
        where: The table's name as it is spelt in TOML, such as `[solvers.fix]`.
        base: What relative paths are relative to; for each key its own, where keys of one table
            came from several files. None leaves them as they are.
        source: The file that the table came from, for the error's facts; or for each key its own,
            a file or a flag, and under `""` those of the whole table.
        resolve: Turns the name that stands in a field typed with an interface into what is to
            stand there; it is given the interface, the name, and the key.

    Raises:
        ConfigError: Something in the table can't be used; all faults of the table at once.
        Exception: Whatever else the class's constructor raised, unchanged.
    """
    context = Context(base=base, resolve=resolve)
    try:
        with using(context):
            return cast("T", structurer(cast("Hashable", cls))(data, cls))
    except Exception as error:
        faults = tuple(faults_of(error))
        raise _as_config_error(faults, where, _written_in(faults, source)) from error


def _written_in(faults: Iterable[Fault], source: str | Mapping[str, str]) -> str:
    """Returns where these faults were written; where the whole table was, if one of them wasn't."""
    if isinstance(source, str):
        return source
    places = [source.get(str(fault.path[0])) if fault.path else None for fault in faults]
    known = [place for place in places if place is not None]
    return ", ".join(dict.fromkeys(known)) if len(known) == len(places) else source[""]


def _as_config_error(faults: tuple[Fault, ...], where: str, source: str) -> ConfigError:
    stands_in = (("written in", source),) if source else ()
    if len(faults) == 1:
        [fault] = faults
        place = f"{where} {key_text(fault.path)}".rstrip()
        choices = (("keys", ", ".join(fault.choices)),) if fault.choices else ()
        nearest = (("nearest", fault.nearest),) if fault.nearest else ()
        return ConfigError(
            problem=f"{place}: {fault.text}",
            facts=(*stands_in, *choices, *nearest),
            way_on="correct it there; `fairtrial config schema` lists every key with its type",
        )
    return ConfigError(
        problem=f"{where}: {len(faults)} things can't be used as they are",
        facts=(
            *stands_in,
            *((key_text(fault.path) or "the table", fault.full) for fault in faults),
        ),
        way_on="correct them there; `fairtrial config schema` lists every key with its type",
    )
