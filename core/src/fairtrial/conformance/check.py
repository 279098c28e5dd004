"""The kits without pytest: the same tests, run live, one outcome each."""

import inspect
import tempfile
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path

from attrs import frozen

from fairtrial.conformance.base import Conformance, kit_of, tests_of
from fairtrial.conformance.promise import Broken, NotJudged
from fairtrial.registry import load


@frozen(kw_only=True)
class Outcome:
    """
    What one test of a kit said of a plugin.

    Attributes:
        name: The test's name, which is a sentence.
        passed: None where it could not be judged here.
        why: What was seen, where it didn't pass.
    """

    name: str
    passed: bool | None
    why: str = ""


def self_check(kind: str, plugin: object) -> Iterable[Outcome]:
    """
    Puts a plugin to its kit, here and now.

    Args:
        kind: The singular noun of its kind, such as `solver`.
        plugin: An instance, or the name of an installed plugin; by name, packaging is checked
            too and the plugin is built with its default fields.

    Raises:
        PluginError: No plugin of that name can be loaded.
        TypeError: It has a field without a default, so that an instance is needed.
    """
    kit = kit_class(kind)()
    if not isinstance(plugin, str):
        return run_kit(kit, plugin)
    cls = load(kind, plugin, asked_in="fairtrial plugins check")
    named = type("Named", (type(kit),), {"entry_point": plugin, "__module__": __name__})
    return run_kit(named(), cls())


def kit_class(kind: str) -> type[Conformance]:
    """Returns the kit of a kind."""
    found: type[Conformance] = getattr(
        import_module(f"fairtrial.conformance.{kind}"), f"{kind.capitalize()}Conformance"
    )
    return found


def run_kit(kit: Conformance, plugin: object) -> Iterator[Outcome]:
    """Runs every test of a kit on a plugin; a generator, so that outcomes show as they come."""
    for name, _ in tests_of(kit_of(type(kit))):
        yield _outcome(name, getattr(kit, name), {kit.kind: plugin})


@frozen
class _Fixtures:
    """Stands in for pytest's `request`."""

    values: dict[str, object]

    def getfixturevalue(self, argname: str, /) -> object:
        return self.values[argname]


def _outcome(name: str, test: Callable[..., None], values: dict[str, object]) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="fairtrial-kit-") as place:
        known = {**values, "tmp_path": Path(place).resolve(), "request": _Fixtures(values)}
        try:
            test(**{wanted: known[wanted] for wanted in inspect.signature(test).parameters})
        except NotJudged as reason:
            return Outcome(name=name, passed=None, why=str(reason))
        except Broken as broken:
            return Outcome(name=name, passed=False, why=str(broken))
        except Exception as error:  # noqa: BLE001  # foreign code: all it raises is its outcome
            return Outcome(name=name, passed=False, why=f"{type(error).__name__}: {error}")
    return Outcome(name=name, passed=True)
