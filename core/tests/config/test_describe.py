"""A config as it takes effect: readable, runnable, and with where each value came from."""

import datetime as dt
import math
import tomllib
from pathlib import Path

import attrs
import pytest
from attrs import frozen
from fairtrial.config import RunTable, describe, load
from fairtrial.config.document import field_docs, summary
from fairtrial.config.toml import value_text


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run.toml").write_text(
        '[run]\nsuite = "smoke"\nsolvers = ["fix"]\n'
        '[solvers.fix]\nplugin = "command"\nargv = ["a\\"b"]\nenv = { A = "1", "b c" = "2" }\n'
        "nothing = {}\n"
    )


def test_it_says_for_each_value_where_it_came_from() -> None:
    settings = ["run.jobs=2", "run.budget_usd_total=1.5", 'solvers.fix.env.A="3"']
    text = describe(load([Path("run.toml")], settings))
    run, solver = text.split("\n\n")
    told = {
        'suite = "smoke"  # run.toml',
        "rollouts = 1  # default",
        "jobs = 2  # --set",
        "# gateway is not set",
        "auditors = []  # default",
        "budget_usd_total = 1.5  # --set",
    }
    assert told == told & set(run.splitlines())
    assert [
        "[solvers.fix]",
        'plugin = "command"  # run.toml',
        'argv = ["a\\"b"]  # run.toml',
        'env.A = "3"  # --set',
        'env."b c" = "2"  # run.toml',
        "nothing = {}  # run.toml",
    ] == solver.splitlines()


def test_every_key_of_run_stands_in_it_once_and_in_order() -> None:
    text = describe(load([Path("run.toml")]))
    first, *lines = text.split("\n\n")[0].splitlines()
    assert "relative paths start from that file's folder" in first
    words = [line.removeprefix("# ").split()[0] for line in lines]
    assert ["[run]", *(field.name for field in attrs.fields(RunTable))] == words


def test_what_it_prints_is_the_same_config_again() -> None:
    config = load([Path("run.toml")], ["run.jobs=2", "solvers.fix.x=[1, { y = 'é' }]"])
    Path("again.toml").write_text(describe(config))
    again = load([Path("again.toml")])
    assert config.run == again.run
    assert config.table("solvers", "fix").fields == again.table("solvers", "fix").fields


def test_a_file_with_an_odd_name_can_not_end_the_comment() -> None:
    odd = Path("a\nb.toml")
    odd.write_text(Path("run.toml").read_text())
    text = describe(load([odd], ["run.label=odd"]))
    assert "# a?b.toml" in text
    assert "odd" == tomllib.loads(text)["run"]["label"]


@pytest.mark.parametrize(
    "value",
    [
        True,
        3,
        -1.5,
        1e30,
        math.inf,
        'a "b" \\ \n\t\x00\x7f é \U0001f600',
        [],
        [1, [2, "x"]],
        {},
        {"a b": {"c": [1]}, "d": False},
        dt.date(1979, 5, 27),
        dt.datetime(1979, 5, 27, 7, 32, tzinfo=dt.UTC),
    ],
)
def test_every_value_of_toml_can_be_written(value: object) -> None:
    assert value == tomllib.loads(f"value = {value_text(value)}")["value"]


def test_nothing_can_not_be_written() -> None:
    with pytest.raises(TypeError, match="no word for nothing"):
        value_text([None])


@frozen(kw_only=True)
class Documented:
    """
    Has fields
    of several kinds.

    More about it.

    Attributes:
        first: What it is
            for.

            And more.
        second (seconds): How long: this long.

    Raises:
        third: Not this.
    """

    first: int = 1
    second: float = 1.0
    third: str = ""
    "Said below\n    it."
    fourth: str = ""


def test_what_fields_mean_is_read_from_the_docstrings() -> None:
    assert {
        "first": "What it is for. And more.",
        "second": "How long: this long.",
        "third": "Said below it.",
    } == field_docs(Documented)
    assert "Has fields of several kinds." == summary(Documented)


def test_a_class_without_source_or_docstring_has_no_words() -> None:
    scope: dict[str, type] = {"frozen": frozen}  # type: ignore[dict-item]  # a decorator
    exec("@frozen\nclass Made:\n    a: int = 1\n", scope)
    assert {} == field_docs(scope["Made"])
