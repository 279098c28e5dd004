"""The schema and the page of a run config, over what is installed."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from fairtrial.registry import plugin_page, run_config_page, schema
from fairtrial.registry.schema import DIALECT
from jsonschema import Draft202012Validator, ValidationError

Install = Callable[..., Path]

NETS = """
import enum
from collections.abc import Mapping
from typing import Literal

from attrs import field, frozen

from fairtrial.api import Solver


class Net(enum.StrEnum):
    OFF = "off"
    ON = "on"


@frozen(kw_only=True)
class NetSolver:
    '''Goes | out.'''

    argv: tuple[str, ...]
    "The program, and its arguments."
    net: Net = Net.OFF
    env: Mapping[str, str] = field(factory=dict)
    spare: tuple[Solver, ...] | None = None
    effort: Literal["", "low"] = ""
    count: int = field(init=False, default=0)

    def solve(self, session, /): ...
"""


def _check(toml: str) -> None:
    whole = schema()
    Draft202012Validator.check_schema(whole)
    Draft202012Validator(whole).validate(tomllib.loads(toml))


def _refused(toml: str) -> str:
    with pytest.raises(ValidationError) as caught:
        _check(toml)
    return caught.value.json_path


@pytest.fixture
def nets(solver: Install) -> None:
    solver("net", NETS, "NetSolver")


@pytest.mark.usefixtures("echo", "nets")
def test_a_sound_config_fits_the_schema() -> None:
    _check(
        '[run]\nsuite = "a"\nsolvers = ["b"]\n'
        '[solvers.b]\nplugin = "echo"\nloud = true\n'
        '[solvers.echo]\nloud = false\n[solvers.net]\nargv = ["x"]\nspare = ["echo"]\n'
        '[solvers.other]\nplugin = "not-installed-here"\nanything = 3\n'
    )
    assert DIALECT == schema()["$schema"]


@pytest.mark.usefixtures("echo", "nets")
@pytest.mark.parametrize(
    ("toml", "where"),
    [
        ("[run]\nsolvers = []", "$.run"),
        ('[run]\nsuite = "a"\nsolvers = ["b"]\njobs = "2"', "$.run.jobs"),
        ("[sovlers.a]", "$"),
        ('[solvers.b]\nplugin = "echo"\nluod = true', "$.solvers.b"),
        ("[solvers.echo]\nluod = true", "$.solvers.echo"),
        ('[solvers.net]\nargv = "x"', "$.solvers.net.argv"),
        ('[solvers.net]\nargv = []\nnet = "of"', "$.solvers.net.net"),
        ('[solvers.x]\nplugin = "net"\nargv = []\ncount = 1', "$.solvers.x"),
    ],
)
def test_what_the_schema_refuses(toml: str, where: str) -> None:
    assert where == _refused(toml)


def test_a_plugin_that_can_not_be_loaded_leaves_its_tables_open(solver: Install) -> None:
    solver("echo", "raise ValueError")
    _check("[solvers.echo]\nanything = 3\n")


@pytest.mark.usefixtures("echo", "nets")
def test_the_page_tells_every_key_of_the_plugins_asked_for() -> None:
    page = run_config_page("acme-")
    _, _, after = page.partition('## `[solvers.*]` with `plugin = "net"`\n')
    assert (
        """
Goes \\| out.

| key | takes | default | meaning |
|---|---|---|---|
| `argv` | a list of: text | must be given | The program, and its arguments. |
| `net` | one of `off`, `on` | `"off"` |  |
| `env` | a table | `{}` |  |
| `spare` | a list of: the name of a solver | not set |  |
| `effort` | one of empty, `low` | `""` |  |
"""
        == after
    )
    assert "| `loud` | true or false | `false` | Whether it shouts. |" in page


@pytest.mark.usefixtures("echo")
def test_the_page_tells_the_keys_of_run_and_leaves_strangers_out() -> None:
    page = run_config_page()
    assert "| `jobs` | a whole number | `1` | Trials under way at once. |" in page
    assert "| `timeout_s` | a number | not set |" in page
    assert "| `suite` | text | must be given |" in page
    assert "loud" not in page


@pytest.mark.usefixtures("echo")
def test_a_plugin_that_can_not_be_loaded_is_left_out_of_the_page(solver: Install) -> None:
    solver("sorry", "raise ValueError")
    page = run_config_page("acme-")
    assert 'plugin = "echo"' in page
    assert "sorry" not in page


def test_a_plugin_without_keys_says_so(solver: Install) -> None:
    bare = "from attrs import frozen\n@frozen(kw_only=True)\nclass EchoSolver:\n"
    solver("bare", f"{bare}    'Is still.'\n    def solve(self, session, /): ...\n")
    assert run_config_page("acme-").endswith("\n\nIs still.\n\nIt has no keys.\n")


@pytest.mark.usefixtures("echo")
def test_one_plugin_has_a_page_of_its_own() -> None:
    assert """\
## `[solvers.*]` with `plugin = "echo"`

Says what it was told.

| key | takes | default | meaning |
|---|---|---|---|
| `loud` | true or false | `false` | Whether it shouts. |
""" == plugin_page("solver", "echo", asked_in="here")
