"""One plugin's class, imported by name."""

from collections.abc import Sequence
from importlib.metadata import EntryPoint
from typing import Never

from stevedore.extension import ExtensionManager, error_on_conflict
from stevedore.named import NamedExtensionManager

from fairtrial.api.errors import FairtrialError
from fairtrial.registry.check import faults
from fairtrial.registry.discover import Found, Installed, scan
from fairtrial.registry.errors import ambiguous, broken, missing, refused
from fairtrial.registry.kinds import KINDS


def load(
    kind: str,
    name: str,
    *,
    asked_in: str,
    in_table: bool = False,
    tables: Sequence[str] = (),
    installed: Installed | None = None,
) -> type:
    """
    Imports a plugin's class and looks whether it is what its kind asks for.

    Args:
        kind: The noun of its kind.
        name: The name of its entry point.
        asked_in: Who wants it, for the error: a file and a table, or a command's argument.
        in_table: Whether `asked_in` is the plugin's own table, so that its key `plugin` may name
            another one.
        tables: Names of tables, or of control arms, that may have been meant instead.
        installed: What `scan` found; by default it looks now.

    Raises:
        PluginMissing: No distribution provides it.
        PluginAmbiguous: Several do.
        PluginBroken: It can't be imported.
        PluginRefused: It is no plugin of that kind.
    """
    here = scan() if installed is None else installed
    matches = [found for found in here.of(kind) if found.name == name]
    if len(matches) > 1:
        raise ambiguous(matches, asked_in=asked_in)

    def on_missing(_: set[str]) -> None:
        raise missing(kind, name, asked_in=asked_in, in_table=in_table, tables=tables, here=here)

    plugin = _import(matches, name, kind, on_missing)
    because = faults(KINDS[kind], plugin)
    if because:
        raise refused(matches[0], because)
    return plugin


class _Fresh(NamedExtensionManager[type]):
    """
    stevedore's manager without its cache.

    The cache keeps entry points on disk by times of 128 seconds' resolution, and without their
    distributions, so that a plugin just renamed or removed would still be found.
    """

    def __init__(self, matches: Sequence[Found], **options: object) -> None:
        self._matches = matches
        super().__init__(**options)  # type: ignore[arg-type]  # passed through as they are

    def list_entry_points(self) -> list[EntryPoint]:
        return [found.entry_point for found in self._matches]


def _import(matches: Sequence[Found], name: str, kind: str, on_missing: object) -> type:
    try:
        manager = _Fresh(
            matches,
            namespace=KINDS[kind].group,
            names=[name],
            on_load_failure_callback=_raise,
            on_missing_entrypoints_callback=on_missing,
            conflict_resolver=error_on_conflict,
        )
    except FairtrialError:
        raise
    except (Exception, SystemExit) as error:
        # SystemExit too: a module that leaves when imported must not end the run silently.
        raise broken(matches[0], error) from error
    return manager[name].plugin


def _raise(_: ExtensionManager[type], __: EntryPoint, error: BaseException) -> Never:
    raise error
