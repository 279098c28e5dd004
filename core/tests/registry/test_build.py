"""Building: the objects that a run names, from its tables."""

import sys
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest
from fairtrial.api import ConfigError, Distribution, FairtrialError, PluginMissing, PluginRefused
from fairtrial.cli.show_error import error_text
from fairtrial.config import RunConfig, load
from fairtrial.registry import Builder, build

Install = Callable[..., Path]
Config = Callable[..., RunConfig]

pytestmark = pytest.mark.usefixtures("few", "echo", "duo")

FEW = """
from attrs import frozen

@frozen(kw_only=True)
class Few:
    version: str = "1"
    def tasks(self): ...
    def seed(self, task, workspace, /): ...
    def grade(self, task, workspace, /): ...

@frozen(kw_only=True)
class Calm:
    def answer(self, question, task, /): ...

@frozen(kw_only=True)
class Room:
    def open(self, label, fence, /): ...

@frozen(kw_only=True)
class Gate:
    def open(self, label, budget_usd, /): ...
"""


@pytest.fixture
def few(install: Install) -> None:
    points = {
        "fairtrial.suites": {"few": "acme_few:Few"},
        "fairtrial.answerers": {"calm": "acme_few:Calm"},
        "fairtrial.sandboxes": {"auto": "acme_few:Room"},
        "fairtrial.gateways": {"gate": "acme_few:Gate"},
    }
    install("acme-few", points, {"acme_few": FEW}, version="0.3")


def _error(config: RunConfig) -> str:
    with pytest.raises(FairtrialError) as caught:
        build(config)
    return error_text(caught.value)


def test_everything_that_run_names_is_made_and_nothing_else_is_imported(
    solver: Install, config: Config
) -> None:
    solver("unused", "raise SystemExit")
    tables = '[solvers.shout]\nplugin = "echo"\nloud = true\n[solvers.idle]\nplugin = "unused"\n'
    plugins = build(config(tables, '["reference", "noop", "shout", "echo"]'))
    assert ["shout", "echo"] == list(plugins.solvers)
    assert (True, False) == tuple(each.loud for each in plugins.solvers.values())  # type: ignore[attr-defined]  # the test's own
    assert ("Few", "Calm", "Room") == tuple(
        type(each).__name__ for each in (plugins.suite, plugins.answerer, plugins.sandbox)
    )
    assert plugins.gateway is None
    assert "acme_unused" not in sys.modules


def test_what_auto_looks_at_is_known_or_has_a_table_and_nothing_else_is_imported(
    install: Install, config: Config
) -> None:
    meter = (
        "from attrs import frozen\n@frozen(kw_only=True)\nclass M:\n    watts: float\n"
        "    def probe(self, host, /): ...\n    def open(self, host, /): ...\n"
    )
    install(
        "acme-meters",
        {"fairtrial.meters": {"fancy": "acme_fancy:M", "other": "acme_other:M"}},
        {"acme_fancy": meter, "acme_other": "raise SystemExit"},
    )

    built = build(config("[meters.mine]\nplugin = 'fancy'\nwatts = 3.0\n"))

    assert {"mine": 3.0} == {name: own.watts for name, own in built.meters.items()}  # type: ignore[attr-defined]  # the test's own
    assert {} == build(config("")).meters
    assert "acme_other" not in sys.modules
    said = _error(config("[meters.fanci]\nwatts = 3.0\n"))
    assert "error: no meter plugin called “fanci” is installed" in said
    assert "asked for in   run.toml, table [meters.fanci]" in said


def test_the_distributions_that_took_part_are_told(config: Config) -> None:
    names = ("acme-echo 1.0", "acme-few 0.3", "fairtrial-core 0.1.0")
    expected = tuple(
        Distribution(name=name, version=version)
        for name, version in (each.split() for each in names)
    )
    assert expected == build(config("")).distributions


def test_a_gateway_is_made_where_one_is_named(config: Config) -> None:
    run = config("[gateways.wire]\nplugin = 'gate'\n")
    gateway = build(attrs.evolve(run, run=attrs.evolve(run.run, gateway="wire"))).gateway
    assert "Gate" == type(gateway).__name__


def test_a_field_typed_with_an_interface_takes_the_names_of_tables(config: Config) -> None:
    tables = '[solvers.pair]\nplugin = "duo"\nstages = ["shout", "echo"]\nspare = "echo"\n'
    tables += '[solvers.shout]\nplugin = "echo"\nloud = true\n'
    solvers = build(config(tables, '["pair", "shout"]')).solvers
    pair = solvers["pair"]
    assert (True, False) == tuple(stage.loud for stage in pair.stages)  # type: ignore[attr-defined]  # the test's own
    assert pair.stages[0] is solvers["shout"]  # type: ignore[attr-defined]  # the test's own
    assert pair.stages[1] is pair.spare  # type: ignore[attr-defined]  # the test's own


def test_a_relative_path_starts_from_the_file_that_names_it(
    config: Config, tmp_path: Path
) -> None:
    tables = '[solvers.duo]\nstages = []\nfolder = "inner"\n'
    pair = build(config(tables, '["duo"]')).solvers["duo"]
    assert tmp_path / "inner" == pair.folder  # type: ignore[attr-defined]  # the test's own


def test_tables_that_name_each_other_in_a_circle(config: Config) -> None:
    tables = '[solvers.a]\nplugin = "duo"\nstages = ["b"]\n[solvers.b]\nplugin = "duo"\nstages = ["a"]\n'
    assert """\
error: these solvers name each other in a circle: “a” → “b” → “a”

  written in     run.toml

  let one of them name another plugin
""" == _error(config(tables, '["a"]'))


def test_a_circle_through_two_kinds_names_the_tables(install: Install, config: Config) -> None:
    module = (
        "from attrs import frozen\nfrom fairtrial.api import Solver, Suite\n"
        "@frozen(kw_only=True)\nclass A:\n    suite: Suite\n    def solve(self, session, /): ...\n"
        "@frozen(kw_only=True)\nclass B:\n    version: str = ''\n    solver: Solver\n"
        "    def tasks(self): ...\n    def seed(self, a, b, /): ...\n"
        "    def grade(self, a, b, /): ...\n"
    )
    points = {"fairtrial.solvers": {"a": "acme_mix:A"}, "fairtrial.suites": {"b": "acme_mix:B"}}
    install("acme-mix", points, {"acme_mix": module})
    tables = '[solvers.a]\nsuite = "b"\n[suites.b]\nsolver = "a"\n'
    first, *_ = _error(config(tables, '["a"]')).splitlines()
    way = "[solvers.a] → [suites.b] → [solvers.a]"
    assert f"error: these tables name each other in a circle: {way}" == first


def test_a_part_that_is_not_installed_is_missed_where_it_was_named(config: Config) -> None:
    tables = '[solvers.pair]\nplugin = "duo"\nstages = ["echo", "ecko"]\n'
    assert """\
error: no solver plugin called “ecko” is installed

  asked for in   run.toml, [solvers.pair] stages
  tables here    pair
  installed      duo    acme-duo 1.0
                 echo   acme-echo 1.0
  nearest        echo

  write “echo” there, or install the distribution that provides “ecko”
""" == _error(config(tables, '["pair"]'))


def test_a_name_in_run_without_table_or_plugin_is_missed_there(config: Config) -> None:
    with pytest.raises(PluginMissing) as caught:
        build(config("", '["nobody"]'))
    assert "run.toml, [run] solvers" == dict(caught.value.facts)["asked for in"]


def test_a_misspelt_control_arm_is_told_from_a_plugin_that_is_not_installed(
    config: Config,
) -> None:
    assert """\
error: no solver plugin called “refrence” is installed

  asked for in   run.toml, [run] solvers
  installed      duo    acme-duo 1.0
                 echo   acme-echo 1.0
  nearest        reference

  write “reference” there, or install the distribution that provides “refrence”
""" == _error(config("", '["refrence"]'))


def test_a_control_arm_can_not_be_a_part_of_a_solver(config: Config) -> None:
    assert """\
error: “reference” can't be a part of another solver

  asked for in   run.toml, [solvers.pair] stages
  because        it is a control arm of the engine, which no solver may call

  name a solver there
""" == _error(config('[solvers.pair]\nplugin = "duo"\nstages = ["reference"]\n', '["pair"]'))


def test_a_part_that_is_no_name_is_refused_at_its_place(config: Config) -> None:
    assert """\
error: [solvers.pair] stages[1]: expected the name of a solver, as text, got 3 (a number)

  written in     run.toml

  correct it there; `fairtrial config schema` lists every key with its type
""" == _error(config('[solvers.pair]\nplugin = "duo"\nstages = ["echo", 3]\n', '["pair"]'))


def test_a_misspelt_key_is_refused_with_the_nearest_one(config: Config) -> None:
    assert """\
error: [solvers.echo] luod: there is no such key

  written in     run.toml
  keys           loud
  nearest        loud

  correct it there; `fairtrial config schema` lists every key with its type
""" == _error(config("[solvers.echo]\nluod = true\n"))


def test_a_key_that_must_be_given_names_who_asked_for_the_plugin(config: Config) -> None:
    assert """\
error: [solvers.duo] stages: is missing, and has no default

  written in     run.toml, [run] solvers

  correct it there; `fairtrial config schema` lists every key with its type
""" == _error(config("", '["duo"]'))


def test_a_constructor_that_fails_is_the_plugins_own_fault(
    solver: Install, config: Config
) -> None:
    source = (
        "from attrs import frozen\n@frozen(kw_only=True)\nclass EchoSolver:\n"
        "    def __attrs_post_init__(self):\n        raise RuntimeError('no luck')\n"
        "    def solve(self, session, /): ...\n"
    )
    solver("odd", source)
    with pytest.raises(PluginRefused) as caught:
        build(config("[solvers.odd]\n", '["odd"]'))
    assert """\
error: solver “odd” can't be built from [solvers.odd]

  written in     run.toml
  provided by    acme-odd 1.0 → acme_odd:EchoSolver
  because        RuntimeError: no luck

  tell its author; run again with -v for the traceback
""" == error_text(caught.value)


def test_what_a_constructor_says_of_the_config_is_passed_on(
    solver: Install, config: Config
) -> None:
    source = (
        "from attrs import frozen\nfrom fairtrial.api import ConfigError\n"
        "@frozen(kw_only=True)\nclass EchoSolver:\n    def __attrs_post_init__(self):\n"
        "        raise ConfigError(problem='the moon is full')\n"
        "    def solve(self, session, /): ...\n"
    )
    solver("odd", source)
    with pytest.raises(ConfigError, match="the moon is full"):
        build(config("", '["odd"]'))


def test_a_table_is_made_once_however_often_it_is_asked_for(config: Config) -> None:
    builder = Builder(config=config(""))
    assert builder.make("solver", "echo", asked_in="a") is builder.asked("solver", "echo")


def test_a_constructor_that_wants_to_leave_does_not_end_the_run(
    solver: Install, config: Config
) -> None:
    source = (
        "from attrs import frozen\n@frozen(kw_only=True)\nclass EchoSolver:\n"
        "    def __attrs_post_init__(self):\n        raise SystemExit(0)\n"
        "    def solve(self, session, /): ...\n"
    )
    solver("odd", source)
    with pytest.raises(PluginRefused):
        build(config("", '["odd"]'))


def test_a_table_that_is_set_and_that_nothing_uses_is_refused(config: Config) -> None:
    config('[solvers.shout]\nplugin = "echo"\n[solvers.idle]\nplugin = "echo"\n', '["shout"]')

    def loaded(*settings: str) -> RunConfig:
        return load([Path("run.toml")], settings)

    assert (
        "error: nothing in this run uses [solvers.shot]\n\n"
        "  written in     --set\n"
        "  used           shout\n"
        "  nearest        shout\n\n"
        "  correct the name there, or name the table in [run]\n"
    ) == _error(loaded("solvers.shot.loud=true"))
    # What a file holds may be there for other runs, and a part of another plugin is used.
    assert ["shout"] == list(build(loaded("solvers.idle.loud=true")).solvers)
    settings = ("solvers.p.plugin=duo", "solvers.p.stages=['q']", "solvers.q.plugin=echo")
    assert ["p"] == list(build(loaded(*settings, "run.solvers=['p']")).solvers)
