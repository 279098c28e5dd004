"""Two arms of one run, as a config says them."""

from pathlib import Path

import pytest
from fairtrial.api import ConfigError
from fairtrial.config import RunConfig, apart, describe, load

BASE = """
[run]
suite = "s"
solvers = ["reference", "mine", "other"]
timeout_s = 300

[solvers.mine]
plugin = "command"
argv = ["a", "b"]
env = { X = "1" }

"""


def read(tmp_path: Path, arms: str, *settings: str) -> RunConfig:
    path = tmp_path / "run.toml"
    path.write_text(BASE + arms)
    return load([path], settings)


def refused(tmp_path: Path, arms: str, *settings: str) -> ConfigError:
    with pytest.raises(ConfigError) as found:
        apart(read(tmp_path, arms, *settings))
    return found.value


def test_a_solver_that_differs_becomes_two_and_the_others_stay_one(tmp_path: Path) -> None:
    config = apart(read(tmp_path, '[arms.before]\n[arms.after]\nsolvers.mine.argv = ["c"]\n'))
    assert ("reference", "mine@before", "mine@after", "other") == config.run.solvers
    before, after = (config.table("solvers", f"mine@{arm}") for arm in ("before", "after"))
    assert ("command", {"argv": ["a", "b"], "env": {"X": "1"}}) == (before.plugin, before.fields)
    assert ("command", {"argv": ["c"], "env": {"X": "1"}}) == (after.plugin, after.fields)
    assert ["before", "after"] == [side.name for side in config.sides]
    assert {"solvers.mine.argv": '["c"]'} == config.sides[1].settings
    assert {"solvers.mine.argv": '["a", "b"]'} == config.sides[0].settings
    assert ("mine@after",) == config.sides[1].solvers
    assert config is apart(config)


def test_a_key_inside_a_table_is_one_difference(tmp_path: Path) -> None:
    config = apart(read(tmp_path, '[arms.a]\n[arms.b.solvers.mine.env]\nY = "2"\n'))
    assert {"X": "1", "Y": "2"} == config.table("solvers", "mine@b").fields["env"]
    assert {"solvers.mine.env.Y": "not set"} == config.sides[0].settings


def test_time_differs_for_every_solver(tmp_path: Path) -> None:
    config = apart(read(tmp_path, "[arms.a]\n[arms.b]\nrun.timeout_s = 600\n"))
    assert config.run.solvers == ("reference", "mine@a", "mine@b", "other@a", "other@b")
    assert {"mine@b": 600.0, "other@b": 600.0} == config.timeouts
    assert "other" == config.table("solvers", "other@a").plugin


def test_a_plugin_can_differ(tmp_path: Path) -> None:
    config = apart(read(tmp_path, '[arms.a]\n[arms.b]\nsolvers.other.plugin = "codex"\n'))
    assert ["other", "codex"] == [
        config.table("solvers", f"other@{arm}").plugin for arm in ("a", "b")
    ]


def test_several_differences_are_refused_unless_allowed(tmp_path: Path) -> None:
    arms = '[arms.a]\nsolvers.mine.argv = ["c"]\n[arms.b]\nrun.timeout_s = 600\n'
    error = refused(tmp_path, arms)
    assert "[arms.a] and [arms.b] differ in 2 things" in error.problem
    assert ["solvers.mine.argv", "run.timeout_s"] == [
        value for name, value in error.facts if name == "differs"
    ]
    config = apart(read(tmp_path, arms, 'run.arms_differ="any"'))
    assert {"solvers.mine.argv", "run.timeout_s"} == set(config.sides[0].settings)


def test_no_difference_is_refused_unless_noise_is_to_be_measured(tmp_path: Path) -> None:
    arms = "[arms.a]\n[arms.b]\nrun.timeout_s = 300\n"
    assert "[arms.a] and [arms.b] differ in nothing" == refused(tmp_path, arms).problem
    config = apart(read(tmp_path, arms, 'run.arms_differ="any"'))
    assert config.run.solvers == ("reference", "mine@a", "mine@b", "other@a", "other@b")
    assert {} == config.sides[0].settings


@pytest.mark.parametrize(
    ("arms", "problem"),
    [
        ("[arms.a]\n", "a run has two arms, not 1"),
        ("[arms.a]\n[arms.b]\n[arms.c]\n", "a run has two arms, not 3"),
        ("[arms]\na = 1\nb = 2\n", "[arms] a: expected a table, got 1 (a number)"),
        ("[arms.a]\n[arms.b]\nrun = 3\n", "[arms.b] run: expected a table, got 3 (a number)"),
        ("[arms.a]\n[arms.b]\nrun.jobs = 3\n", "[arms.b] run.jobs can't differ"),
        ("[arms.a]\n[arms.b]\nsuites.s.path = 'x'\n", "[arms.b] suites can't differ"),
        ("[arms.a]\n[arms.'../b']\n", "[arms] ../b: an arm can't be called so"),
        ("[arms.a]\n[arms.b]\nsolvers.none.x = 1\n", "[arms.b] overrides the solver “none”"),
        ("[arms.a]\n[arms.b]\nsolvers.reference.x = 1\n", "[arms.b] overrides the solver “refer"),
        ("[arms.a]\n[arms.b]\nsolvers.mine = 1\n", "[arms.b.solvers] mine: expected a table"),
        ("[arms.a]\n[arms.b]\nrun.timeout_s = -1\n", "[arms.b.run] timeout_s"),
    ],
)
def test_what_no_arm_can_be_is_refused(tmp_path: Path, arms: str, problem: str) -> None:
    assert problem in refused(tmp_path, arms).problem


def test_arms_are_printed_as_they_could_be_run_again(tmp_path: Path) -> None:
    config = read(tmp_path, '[arms.a]\n[arms.b]\nsolvers.mine.argv = ["c"]\n')
    text = describe(config)
    assert "[arms.a]\n" in text
    again = tmp_path / "again.toml"
    again.write_text(text)
    assert apart(config).sides == apart(load([again])).sides
