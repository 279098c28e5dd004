"""What a resumed run must find unchanged, and how a difference is told."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from fairtrial.api import RunError
from fairtrial.config import load
from fairtrial.engine.lock import plain, refuse_difference
from fairtrial.engine.prepare import prepare

Lock = Callable[..., dict[str, str]]

SAME = {"[run] rollouts": "1", "task a": "0f3a", "[solvers.fix]": '{"argv": ["fix"]}'}


def _facts(ours: dict[str, str], theirs: dict[str, str]) -> tuple[tuple[str, str], ...]:
    with pytest.raises(RunError) as caught:
        refuse_difference(ours, theirs)
    assert 2 == caught.value.exit_code
    assert "the run to resume was made with other settings" == caught.value.problem
    return tuple(caught.value.facts)


def test_the_same_lock_may_be_resumed() -> None:
    refuse_difference(dict(SAME), dict(SAME))


def test_each_difference_is_named_with_what_was_and_what_is() -> None:
    ours = SAME | {"[run] rollouts": "2", "task a": "77aa", "task b": "11cc"}
    assert (
        ("[run] rollouts", "1 → 2"),
        ("task a", "0f3a → 77aa"),
        ("task b", "not part of it → part of this one"),
    ) == _facts(ours, SAME)


def test_two_tables_are_set_beside_each_other_key_by_key() -> None:
    ours = SAME | {"[solvers.fix]": '{"argv": ["fix"], "idle_s": 3}'}
    assert (("[solvers.fix] idle_s", "– → 3"),) == _facts(ours, SAME)


def test_a_key_that_is_not_set_is_shown_like_one_that_is_not_there() -> None:
    theirs = SAME | {"[run] timeout_s": "null"}

    assert (("[run] timeout_s", "– → 30"),) == _facts(SAME | {"[run] timeout_s": "30"}, theirs)


def test_long_texts_are_shown_where_they_part() -> None:
    long = [f"--option-{number}" for number in range(20)]
    theirs = SAME | {"[solvers.fix]": json.dumps({"argv": [*long, "slow"]})}
    ours = SAME | {"[solvers.fix]": json.dumps({"argv": [*long, "quick"]})}
    ((key, change),) = _facts(ours, theirs)
    assert "[solvers.fix] argv" == key
    assert '…ption-19", "slow"] → …ption-19", "quick"]' == change


def test_many_differences_are_counted() -> None:
    ours = {f"task {number}": "new" for number in range(20)}
    theirs = {f"task {number}": "old" for number in range(20)}
    facts = _facts(ours, theirs)
    assert (13, ("and", "8 more")) == (len(facts), facts[-1])


def test_hosts_ports_paths_and_secrets_are_no_part_of_a_run() -> None:
    given = {
        "port": 80,
        "path": "/somewhere",
        "api_key": "not to be kept",
        "argv": ["see", "https://a.example/v1"],
    }
    assert {"api_key": "…", "argv": ["see", "https:///v1"]} == plain(given)


CASCADE = """
[run]
suite = "small"
solvers = ["noop", "both"]
gateway = "wire"

[suites.small]
plugin = "folder"
path = "small"

[solvers.both]
plugin = "cascade"
stages = ["{first}", "second"]
escalate = ["no-change"]

[solvers.first]
plugin = "cascade"
stages = ["inner", "second"]
escalate = ["no-change"]

[solvers.inner]
plugin = "command"
argv = ["{inner}"]

[solvers.second]
plugin = "command"
argv = ["true"]

[solvers.unused]
plugin = "command"
argv = ["false"]

[gateways.wire]
plugin = "proxy"
timeout_s = {timeout_s}
log = "{log}"
"""


@pytest.fixture
def lock(tmp_path: Path) -> Lock:
    task = tmp_path / "small/first"
    (task / "before").mkdir(parents=True)
    (task / "task.toml").write_text(
        'name = "first"\nprompt = "Work."\ntest_cmd = ["true"]\ntimeout_s = 60\n'
    )

    def make(**settings: object) -> dict[str, str]:
        given = {"first": "first", "inner": "true", "timeout_s": 60, "log": "a", **settings}
        (tmp_path / "run.toml").write_text(CASCADE.format(**given))
        return prepare(load([tmp_path / "run.toml"])).lock

    return make


def test_the_parts_of_a_solver_are_parts_of_the_run_too(lock: Lock) -> None:
    theirs = lock()
    solvers = [key for key in theirs if key.startswith("[solvers.")]
    assert [
        f"[solvers.{name}]" for name in ("noop", "both", "first", "second", "inner")
    ] == solvers
    assert {"distribution fairtrial-solver-cascade", "distribution fairtrial-solver-command"} <= {
        *theirs
    }
    assert (("[solvers.inner] argv", '["true"] → ["other"]'),) == _facts(
        lock(inner="other"), theirs
    )


def test_a_run_that_another_grader_would_judge_is_not_resumed(lock: Lock) -> None:
    """OpenHands/benchmarks#140."""
    theirs = lock()
    version = theirs["suite version"]
    assert (("suite version", f"{version} → folder-0"),) == _facts(
        theirs | {"suite version": "folder-0"}, theirs
    )
    assert "distribution fairtrial-suite-folder" in theirs


def test_a_gateways_settings_are_part_of_the_run_and_the_place_of_its_log_is_not(
    lock: Lock,
) -> None:
    theirs = lock()
    refuse_difference(lock(log="b"), theirs)
    assert (("[gateways.wire] timeout_s", "60 → 5"),) == _facts(lock(timeout_s=5), theirs)


FENCED = """
[run]
suite = "small"
solvers = ["noop"]
sandbox = "{sandbox}"
{run}

[suites.small]
plugin = "folder"
path = "small"

[sandboxes.box]
plugin = "docker"
image = "{image}"
{docker}

[sandboxes.bubblewrap]
{bubblewrap}
"""


@pytest.fixture
def fenced(lock: Lock, tmp_path: Path) -> Lock:
    lock()

    def make(**settings: str) -> dict[str, str]:
        given = {"sandbox": "box", "run": "", "image": "a:1", "docker": "", "bubblewrap": ""}
        (tmp_path / "run.toml").write_text(FENCED.format(**{**given, **settings}))
        return prepare(load([tmp_path / "run.toml"])).lock

    return make


@pytest.mark.parametrize(
    ("settings", "difference"),
    [
        ({"image": "a:2"}, ("[sandboxes.box] image", '"a:1" → "a:2"')),
        ({"docker": 'network = "lab"'}, ("[sandboxes.box] network", '– → "lab"')),
        ({"docker": "memory_mb = 512"}, ("[sandboxes.box] memory_mb", "– → 512")),
        ({"run": "require_fence = true"}, ("[run] require_fence", "false → true")),
    ],
)
def test_a_sandboxs_settings_are_part_of_the_run(
    fenced: Lock, settings: dict[str, str], difference: tuple[str, str]
) -> None:
    assert (difference,) == _facts(fenced(**settings), fenced())


def test_what_a_sandbox_shares_is_part_of_the_run_and_where_that_lies_is_not(
    fenced: Lock,
) -> None:
    theirs = fenced(sandbox="bubblewrap", bubblewrap='readable = ["/opt/tools"]')
    moved = fenced(sandbox="bubblewrap", bubblewrap='readable = ["/usr/share/tools"]')
    refuse_difference(moved, theirs)
    more = fenced(sandbox="bubblewrap", bubblewrap='readable = ["/opt/tools", "/opt/answers"]')
    assert (("[sandboxes.bubblewrap] readable", '["tools"] → ["tools", "answers"]'),) == _facts(
        more, theirs
    )


def test_where_a_sandboxs_engine_listens_is_no_part_of_the_run(fenced: Lock) -> None:
    theirs = fenced(docker='program = "docker"\nsocket = "/run/a.sock"')
    refuse_difference(fenced(docker='program = "/usr/bin/docker"\nsocket = "/run/b.sock"'), theirs)


def test_a_sandbox_with_its_defaults_is_the_same_with_a_table_and_without(fenced: Lock) -> None:
    for sandbox in ("local", "bubblewrap"):
        assert not [key for key in fenced(sandbox=sandbox) if key.startswith("[sandboxes.")]


def test_the_settings_of_a_sandbox_that_is_not_used_are_no_part_of_the_run(fenced: Lock) -> None:
    refuse_difference(fenced(sandbox="local", image="a:2"), fenced(sandbox="local"))
