"""What a resumed run must find unchanged, and how a difference is told."""

import json

import pytest
from fairtrial.api import RunError
from fairtrial.engine.lock import plain, refuse_difference

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
        ("task b", "– → 11cc"),
    ) == _facts(ours, SAME)


def test_two_tables_are_set_beside_each_other_key_by_key() -> None:
    ours = SAME | {"[solvers.fix]": '{"argv": ["fix"], "idle_s": 3}'}
    assert (("[solvers.fix] idle_s", "– → 3"),) == _facts(ours, SAME)


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
