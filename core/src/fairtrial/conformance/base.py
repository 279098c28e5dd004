"""What every kit holds: the checks of a plugin's form, and the guard against a weakened kit."""

from collections.abc import Iterator
from types import FunctionType
from typing import ClassVar, Protocol, cast

from fairtrial.conformance import form, packaging
from fairtrial.conformance.promise import Broken, NotJudged, promise

KIT_PACKAGE = "fairtrial.conformance."


class Mark(Protocol):
    """A mark of pytest's, as far as the guard looks at it."""

    name: str
    kwargs: dict[str, object]


class Request(Protocol):
    """Pytest's fixture of that name, as far as a kit uses it."""

    def getfixturevalue(self, argname: str, /) -> object:
        """Returns the value of the fixture of that name."""


class Conformance:
    """
    The promises that all kinds share.

    A subclass of a kit sets `entry_point`, its capabilities, and gives one fixture named after
    the kind. A promise that a plugin can't keep yet is overridden with
    `@pytest.mark.xfail(reason=…)`, so that the gap is told; in no other way.
    """

    kind: ClassVar[str]
    """The singular noun of the kind."""

    entry_point: ClassVar[str] = ""
    """The name under which the plugin is installed; with it, packaging is checked too."""

    composes: ClassVar[bool] = False
    """Whether a field holds other plugins, which a config names: such fields aren't put in TOML."""

    live: ClassVar[bool] = False
    """Whether nobody declared capabilities, as in a live check; what hangs on one isn't judged."""

    def __init_subclass__(cls, **kwargs: object) -> None:
        """
        Takes a subclass in.

        Raises:
            TypeError: It overrides the guard itself.
        """
        super().__init_subclass__(**kwargs)
        if "test_kit_is_whole" in vars(cls):
            msg = f"{cls.__name__} overrides test_kit_is_whole, which guards all other tests"
            raise TypeError(msg)

    def test_kit_is_whole(self) -> None:
        """No test of the kit is deleted, or overridden without an `xfail` that says why."""
        weakened = [
            name
            for name, original in tests_of(kit_of(type(self)))
            if not _is_whole(original, getattr(type(self), name, None))
        ]
        promise(not weakened, f"tests of the kit were taken away: {', '.join(weakened)}")

    def test_it_is_what_its_kind_asks_for(self, request: Request) -> None:
        """It is a frozen attrs class that has each method of its kind, called as the kind says."""
        form.is_a_plugin(self._plugin(request), self.kind)

    def test_fields_are_given_by_name(self, request: Request) -> None:
        """A plugin is built as a config builds it: field by field, by name."""
        form.is_built_by_name(self._plugin(request))

    def test_every_field_is_explained(self, request: Request) -> None:
        """A field is a key of the run config, and its docstring is what a user reads of it."""
        form.is_explained(self._plugin(request))

    def test_fields_go_through_a_config_and_back(self, request: Request) -> None:
        """What a plugin is built of can be written as TOML, and read back as the same plugin."""
        if not self.composes:
            form.goes_round(self._plugin(request), self.kind)

    def test_an_unknown_key_is_refused_by_name(self, request: Request) -> None:
        """A misspelt key in a config is an error that quotes it."""
        if not self.composes:
            form.refuses_unknown_keys(self._plugin(request), self.kind)

    def test_no_secret_is_shown(self, request: Request) -> None:
        """A field that holds a secret is left out of the plugin's repr."""
        form.hides_secrets(self._plugin(request))

    def test_two_instances_share_no_state(self, request: Request) -> None:
        """Nothing that can be changed hangs on the class."""
        form.shares_nothing(self._plugin(request))

    def test_importing_it_does_no_work(self, request: Request) -> None:
        """Importing the plugin writes no file, starts no thread or child, and prints nothing."""
        packaging.imports_idly(type(self._plugin(request)))

    def test_the_entry_point_leads_to_it(self, request: Request) -> None:
        """Group, name and distribution agree, and the package says that it is typed."""
        if self.entry_point:
            packaging.resolves(self.kind, self.entry_point, type(self._plugin(request)))

    def declared(self, capability: str) -> bool:
        """
        Returns whether a capability was declared.

        Raises:
            NotJudged: Nobody was there to declare it.
        """
        if self.live:
            raise NotJudged(f"`{capability}` is for the plugin's author to declare, in its tests")
        return bool(getattr(self, capability))

    def _plugin(self, request: Request) -> object:
        return request.getfixturevalue(self.kind)


def kit_of(cls: type) -> type:
    """Returns the kit that a test class was made from: its nearest class of this package."""
    for base in cls.__mro__:
        if base.__module__.startswith(KIT_PACKAGE):
            return base
    raise Broken(f"{cls.__name__} inherits no kit")


def tests_of(kit: type) -> Iterator[tuple[str, FunctionType]]:
    """Yields a kit's tests in the order in which they are written, shared ones first."""
    names: dict[str, None] = {}
    for base in reversed(kit.__mro__):
        names.update((name, None) for name in vars(base) if name.startswith("test_"))
    for name in names:
        yield name, cast("FunctionType", getattr(kit, name))


def _is_whole(original: object, mine: object) -> bool:
    if mine is original:
        return True
    marks = cast("list[Mark]", getattr(mine, "pytestmark", []))
    return any(mark.name == "xfail" and mark.kwargs.get("reason") for mark in marks)
