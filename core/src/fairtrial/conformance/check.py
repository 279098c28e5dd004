"""The kits without pytest: the same tests, run live, one outcome each."""

import inspect
import tempfile
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path

import attrs
from attrs import frozen

from fairtrial.api import PluginRefused
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


def self_check(kind: str, plugin: object, *, entry_point: str = "") -> Iterable[Outcome]:
    """
    Puts a plugin to its kit, here and now.

    Args:
        kind: The singular noun of its kind, such as `solver`.
        plugin: An instance, or the name of an installed plugin; by name, packaging is checked
            too and the plugin is built with its default fields.
        entry_point: The name under which an instance's class is installed, to check packaging.

    Raises:
        PluginError: No plugin of that name can be loaded, or it can't be built of its name alone.
    """
    built = _built(kind, plugin) if isinstance(plugin, str) else plugin
    name = plugin if isinstance(plugin, str) else entry_point
    parts = {"entry_point": name, "live": True, "__module__": __name__}
    live: type[Conformance] = type("Live", (kit_class(kind),), parts)
    return run_kit(live(), built)


def _built(kind: str, name: str) -> object:
    cls = load(kind, name, asked_in="fairtrial plugins check")
    needed = [one.name for one in attrs.fields(cls) if one.init and one.default is attrs.NOTHING]
    if needed:
        raise PluginRefused(
            kind=kind,
            name=name,
            problem=f"the {kind} “{name}” can't be checked by its name alone",
            facts=(("needs", ", ".join(needed)),),
            way_on="check it in its own tests, which give these fields a value",
        )
    return cls()


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
