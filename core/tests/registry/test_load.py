"""Loading: one class by name, and four ways of failing, each with its whole text."""

from collections.abc import Callable
from pathlib import Path

import pytest
from fairtrial.api import PluginAmbiguous, PluginBroken, PluginError, PluginMissing, PluginRefused
from fairtrial.cli.show_error import error_text
from fairtrial.registry import load

Install = Callable[..., Path]

GOOD = "\n    def solve(self, session, /):\n        return None\n"
ABSTRACT = """
import abc

from attrs import frozen


@frozen(kw_only=True)
class EchoSolver(abc.ABC):
    @abc.abstractmethod
    def solve(self, session, /): ...
"""
FROZEN = "from attrs import frozen\n@frozen(kw_only=True)\nclass EchoSolver:\n"


def _error(kind: type[PluginError], name: str, **options: object) -> str:
    with pytest.raises(kind) as caught:
        load("solver", name, asked_in="nightly.toml, table [solvers.x]", **options)  # type: ignore[arg-type]  # a test's
    assert ("solver", name) == (caught.value.kind, caught.value.name)
    return error_text(caught.value)


@pytest.mark.usefixtures("echo")
def test_a_plugin_is_loaded_by_its_name() -> None:
    assert "EchoSolver" == load("solver", "echo", asked_in="here").__name__


@pytest.mark.usefixtures("echo")
def test_a_missing_plugin_asked_for_in_its_table(solver: Install) -> None:
    solver("cascade", "")
    text = _error(PluginMissing, "ecko", in_table=True)
    assert (
        """\
error: no solver plugin called “ecko” is installed

  asked for in   nightly.toml, table [solvers.x]
  installed      cascade   acme-cascade 1.0
                 echo      acme-echo 1.0
  nearest        echo

  write plugin = "echo" in that table, or install the distribution that provides “ecko”
"""
        == text
    )


@pytest.mark.usefixtures("echo")
def test_a_missing_plugin_asked_for_by_name_may_have_meant_a_table() -> None:
    text = _error(PluginMissing, "fxi", tables=("fix", "other"))
    assert (
        """\
error: no solver plugin called “fxi” is installed

  asked for in   nightly.toml, table [solvers.x]
  tables here    fix, other
  installed      echo   acme-echo 1.0
  nearest        fix

  write “fix” there, or install the distribution that provides “fxi”
"""
        == text
    )


def test_a_missing_plugin_where_none_is_installed_and_one_is_damaged(install: Install) -> None:
    info = install("acme-worn", {})
    (info / "entry_points.txt").write_text("[fairtrial.solvers]\nnothing\n")
    text = _error(PluginMissing, "claude")
    assert (
        """\
error: no solver plugin called “claude” is installed

  asked for in   nightly.toml, table [solvers.x]
  installed      none
  damaged        acme_worn-1.0.dist-info: its entry_points.txt can't be read

  install the distribution that provides “claude”; `fairtrial plugins list` shows what there is
"""
        == text
    )


def test_a_plugin_whose_dependency_is_missing(solver: Install) -> None:
    solver("echo", "import acme_anyio\n")
    text = _error(PluginBroken, "echo")
    assert (
        """\
error: solver “echo” is installed but can't be loaded

  provided by    acme-echo 1.0 → acme_echo:EchoSolver
  because        ModuleNotFoundError: No module named 'acme_anyio'
  which is       a dependency of that plugin, not the plugin itself

  reinstall it with its dependencies; `fairtrial plugins check echo` shows more
"""
        == text
    )


@pytest.mark.parametrize(
    ("source", "because", "which_is"),
    [
        (
            None,
            "ModuleNotFoundError: No module named 'acme_echo'",
            "a part of the plugin itself, which is only half installed",
        ),
        (
            "from acme_echo.parser import parse",
            "ModuleNotFoundError: No module named 'acme_echo.parser'; 'acme_echo' is not a package",
            "a part of the plugin itself, which is only half installed",
        ),
        (
            "from json import nothing",
            None,
            "a dependency of that plugin, in a version that it doesn't fit",
        ),
        ("from acme_echo import later", None, "a fault of the plugin itself"),
        (
            "pass",
            "AttributeError: module 'acme_echo' has no attribute 'EchoSolver'",
            "a name that the plugin's entry point promises and its module doesn't have",
        ),
        (
            "import json; json.nothing",
            "AttributeError: module 'json' has no attribute 'nothing'",
            "raised while the plugin was imported, before it was asked for anything",
        ),
        (
            "def (",
            "SyntaxError: invalid syntax (acme_echo.py, line 1)",
            "raised while the plugin was imported, before it was asked for anything",
        ),
        (
            "assert 1 == 2, 'sums'",
            "AssertionError: sums",
            "raised while the plugin was imported, before it was asked for anything",
        ),
        (
            "raise ImportError",
            "ImportError",
            "raised while the plugin was imported, before it was asked for anything",
        ),
        (
            "raise SystemExit(0)",
            "SystemExit: 0",
            "raised while the plugin was imported, before it was asked for anything",
        ),
    ],
)
def test_each_way_of_being_broken_is_told_apart(
    solver: Install, site: Path, source: str | None, because: str | None, which_is: str
) -> None:
    solver("echo", source or "")
    if source is None:
        (site / "acme_echo.py").unlink()
    with pytest.raises(PluginBroken) as caught:
        load("solver", "echo", asked_in="here")
    facts = dict(caught.value.facts)
    assert which_is == facts["which is"]
    assert because in (None, facts["because"])
    assert caught.value.__cause__ is not None


def test_an_interruption_while_a_plugin_is_imported_stays_one(solver: Install) -> None:
    solver("echo", "raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        load("solver", "echo", asked_in="here")


def test_an_entry_point_that_is_no_place_in_a_module(install: Install) -> None:
    install("acme-odd", {"fairtrial.solvers": {"odd": "not a place!"}})
    with pytest.raises(PluginBroken) as caught:
        load("solver", "odd", asked_in="here")
    which_is = "what becomes of its entry point “not a place!”: not module:Class"
    assert which_is == dict(caught.value.facts)["which is"]


@pytest.mark.usefixtures("echo")
def test_two_distributions_that_provide_one_name(install: Install) -> None:
    install("acme-other", {"fairtrial.solvers": {"echo": "acme_other:Other"}}, version="2.5")
    text = _error(PluginAmbiguous, "echo")
    assert (
        """\
error: two plugins are installed as solver “echo”

  asked for in   nightly.toml, table [solvers.x]
  provided by    acme-echo 1.0 → acme_echo:EchoSolver
                 acme-other 2.5 → acme_other:Other

  uninstall all but one of these distributions
"""
        == text
    )


def test_a_class_that_is_not_what_its_kind_asks_for(solver: Install) -> None:
    solver(
        "echo", "from attrs import define\n@define\nclass EchoSolver:\n    loud: bool = False\n"
    )
    text = _error(PluginRefused, "echo")
    assert (
        """\
error: solver “echo” is installed but can't be used as a solver

  provided by    acme-echo 1.0 → acme_echo:EchoSolver
  because        it is an attrs class, but not a frozen one: write @frozen(kw_only=True) above it
                 it has no method `solve`

  tell its author; `fairtrial plugins check echo` shows more
"""
        == text
    )


@pytest.mark.parametrize(
    ("source", "because"),
    [
        ("def EchoSolver(): ...", "it is no class but a function"),
        ("EchoSolver = 3", "it is no class but an int"),
        (
            "class EchoSolver:" + GOOD,
            "it is no attrs class: write @frozen(kw_only=True) above it",
        ),
        (FROZEN + "    solve: int = 3\n", "its `solve` is no method"),
        (
            FROZEN + "    async def solve(self, session, /): ...\n",
            "its method `solve` is async; interfaces are synchronous",
        ),
        (
            FROZEN + "    def solve(self): ...\n",
            "its method `solve` can't be called with one argument",
        ),
        (
            FROZEN + "    @staticmethod\n    def solve(self, session): ...\n",
            "its method `solve` can't be called with one argument",
        ),
        (
            FROZEN + "    tool: complex = 1j\n" + GOOD,
            "its field `tool` is of the type complex, which no config can hold",
        ),
        (
            FROZEN + "    tool: 'Nowhere' = 1\n" + GOOD,
            "a type that it names can't be found: name 'Nowhere' is not defined",
        ),
        (
            "from fairtrial.api import Session\n" + FROZEN + "    tool: Session | None\n" + GOOD,
            "its field `tool` is typed with Session, which is no kind of plugin",
        ),
        (
            FROZEN + "    plugin: str = ''\n" + GOOD,
            "it has a field `plugin`, a key that every table has already",
        ),
        (
            ABSTRACT,
            "it is abstract: solve",
        ),
    ],
)
def test_each_reason_for_a_refusal_is_told(solver: Install, source: str, because: str) -> None:
    solver("echo", source)
    with pytest.raises(PluginRefused) as caught:
        load("solver", "echo", asked_in="here")
    assert because == dict(caught.value.facts)["because"]


def test_a_property_of_an_interface_may_be_a_field_but_not_be_left_out(install: Install) -> None:
    methods = "".join(f"    def {name}(self, *_): ...\n" for name in ("tasks", "seed", "grade"))
    module = FROZEN.replace("EchoSolver", "Bare") + methods
    module += FROZEN.replace("EchoSolver", "Full") + "    version: str = '1'\n" + methods
    points = {"fairtrial.suites": {"bare": "acme_few:Bare", "full": "acme_few:Full"}}
    install("acme-few", points, {"acme_few": module})
    assert "Full" == load("suite", "full", asked_in="here").__name__
    with pytest.raises(PluginRefused) as caught:
        load("suite", "bare", asked_in="here")
    assert "it has no `version`" == dict(caught.value.facts)["because"]


def test_a_method_without_a_signature_to_read_is_refused(solver: Install) -> None:
    solver("echo", FROZEN + "    solve = type('Odd', (), {'__call__': 3, '__signature__': 4})()\n")
    with pytest.raises(PluginRefused):
        load("solver", "echo", asked_in="here")
