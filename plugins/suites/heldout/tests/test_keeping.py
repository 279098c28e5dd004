"""A set on disk: added to, retired from, counted in, by one writer at a time."""

import json
import threading
from pathlib import Path

import pytest
from fairtrial.api import ConfigError, SuiteError
from fairtrial_suite_heldout import lock, manifest
from fairtrial_suite_heldout.keeping import Keeper, extension


@pytest.fixture
def check(tmp_path: Path) -> Path:
    path = tmp_path / "more.test.mjs"
    path.write_text("// a test\n")
    return path


@pytest.fixture
def keeper(tmp_path: Path) -> Keeper:
    return Keeper(directory=tmp_path / "set", root=tmp_path / "work")


def test_numbers_go_through_the_whole_set(keeper: Keeper, check: Path) -> None:
    assert "cart.1" == keeper.add("cart", check).id
    assert "typo.2" == keeper.add("typo", check).id
    keeper.retire("cart.1")
    added = keeper.add("cart", check)
    found = keeper.read()
    assert ("cart.3", "cart.3.test.mjs", 5) == (added.id, added.file, found.version)
    assert b"// a test\n" == (keeper.directory / added.file).read_bytes()
    rows = [(row.version, row.added, row.retired) for row in found.history]
    assert [
        (2, ("cart.1",), ()),
        (3, ("typo.2",), ()),
        (4, (), ("cart.1",)),
        (5, ("cart.3",), ()),
    ] == rows


def test_a_family_that_has_one_is_refused_naming_it(keeper: Keeper, check: Path) -> None:
    keeper.add("cart", check)
    with pytest.raises(ConfigError, match=r"cart\.1"):
        keeper.add("cart", check)
    assert 2 == keeper.read().version
    assert not (keeper.directory / lock.NAME).exists()


def test_nothing_is_made_in_a_refused_place(tmp_path: Path, check: Path) -> None:
    with pytest.raises(ConfigError):
        Keeper(directory=tmp_path / "work/set", root=tmp_path / "work").add("cart", check)
    assert not (tmp_path / "work").exists()


@pytest.mark.parametrize("family", ["", "../up", "a b"])
def test_a_family_must_be_a_plain_name(keeper: Keeper, check: Path, family: str) -> None:
    with pytest.raises(ConfigError, match="can't be a family's name"):
        keeper.add(family, check)


def test_a_check_that_is_not_there_is_refused(keeper: Keeper, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no check"):
        keeper.add("cart", tmp_path / "none.py")
    assert not keeper.directory.exists()


@pytest.mark.parametrize("name", ["cart.9", "cart.1"])
def test_retiring_what_is_not_active_is_an_error(keeper: Keeper, check: Path, name: str) -> None:
    keeper.add("cart", check)
    keeper.retire("cart.1")
    with pytest.raises(ConfigError, match=name):
        keeper.retire(name)


def test_a_lock_that_is_there_stops_a_writer_and_is_left(keeper: Keeper, check: Path) -> None:
    keeper.directory.mkdir()
    (keeper.directory / lock.NAME).write_text("process 1\n")
    with pytest.raises(SuiteError) as caught:
        keeper.add("cart", check)
    assert ("held by", "process 1") in caught.value.facts
    assert "wait for the other one; remove the lock only after a crash" == caught.value.way_on
    assert (keeper.directory / lock.NAME).exists()
    assert not (keeper.directory / manifest.NAME).exists()


def test_the_lock_is_given_back_after_a_failure(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="inside"), lock.held(tmp_path):
        raise ValueError("inside")
    assert not (tmp_path / lock.NAME).exists()


def test_a_run_waits_for_another_writer(tmp_path: Path) -> None:
    first, second = lock.held(tmp_path), lock.held(tmp_path, patience_s=5.0)
    first.__enter__()
    timer = threading.Timer(0.1, lambda: first.__exit__(None, None, None))
    timer.start()
    with second:
        assert (tmp_path / lock.NAME).exists()
    timer.join()


def test_two_runs_at_once_lose_no_decision(keeper: Keeper, check: Path) -> None:
    keeper.add("cart", check)
    runs = [threading.Thread(target=keeper.decide, args=({"cart.1": 1},)) for _ in range(6)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert 6 == keeper.read().checks[0].decisions


def test_what_was_added_during_a_run_is_kept(keeper: Keeper, check: Path) -> None:
    keeper.add("cart", check)
    keeper.add("typo", check)  # while the run that scored version 2 is under way
    after = keeper.decide({"cart.1": 3})
    assert (4, ["cart.1", "typo.2"]) == (after.version, [each.id for each in after.checks])


def test_what_was_scored_and_is_gone_is_an_error(keeper: Keeper, check: Path) -> None:
    keeper.add("cart", check)
    with pytest.raises(SuiteError, match=r"typo\.7"):
        keeper.decide({"typo.7": 1})


def test_the_manifest_is_for_people_too(keeper: Keeper, check: Path) -> None:
    keeper.add("cart", check)
    text = (keeper.directory / manifest.NAME).read_text()
    assert text == json.dumps(json.loads(text), indent=2) + "\n"
    assert {"version", "checks", "history"} == set(json.loads(text))
    assert [manifest.NAME, "cart.1.test.mjs"] == sorted(
        (path.name for path in keeper.directory.iterdir()), key=lambda name: name != manifest.NAME
    )


ENTRY = {
    "id": "a.1",
    "family": "a",
    "file": "a.py",
    "decisions": 0,
    "retired": False,
    "added": "",
}


@pytest.mark.parametrize(
    ("whole", "place"),
    [
        ("{", "the whole file"),
        ("[]", "the whole file must be a table"),
        ({"version": 1}, "checks is missing"),
        ({"version": 1, "checks": {}}, "checks must be a list"),
        ({"checks": []}, "version is missing"),
        ({"version": True, "checks": []}, "version must be 1 or more"),
        ({"version": 0, "checks": []}, "version must be 1 or more"),
        ({"version": 1, "checks": [3]}, r"checks\[0\] must be a table"),
        ({"version": 1, "checks": [{**ENTRY, "decisions": -1}]}, r"checks\[0\]\.decisions"),
        ({"version": 1, "checks": [{**ENTRY, "retired": "no"}]}, r"checks\[0\]\.retired"),
        ({"version": 1, "checks": [{**ENTRY, "family": " "}]}, r"checks\[0\]\.family is empty"),
        ({"version": 1, "checks": [ENTRY, ENTRY]}, r"checks\[1\]\.id is “a\.1” for the second"),
        ({"version": 1, "checks": [], "history": [{}]}, r"history\[0\]\.version is missing"),
    ],
)
def test_a_manifest_edited_by_hand_is_read_with_suspicion(
    keeper: Keeper, whole: object, place: str
) -> None:
    keeper.directory.mkdir()
    (keeper.directory / "a.py").touch()
    text = whole if isinstance(whole, str) else json.dumps(whole)
    (keeper.directory / manifest.NAME).write_text(text)
    with pytest.raises(SuiteError, match=place):
        keeper.read()


@pytest.mark.parametrize("file", ["../a.py", "/etc/hostname", "link.py", "folder/../../a.py"])
def test_a_check_outside_its_set_is_refused(keeper: Keeper, tmp_path: Path, file: str) -> None:
    keeper.directory.mkdir()
    (tmp_path / "a.py").touch()
    (keeper.directory / "link.py").symlink_to(tmp_path / "a.py")
    entry = {**ENTRY, "file": file}
    whole = {"version": 1, "checks": [entry], "history": []}
    (keeper.directory / manifest.NAME).write_text(json.dumps(whole))
    with pytest.raises(SuiteError, match="escapes"):
        keeper.read()


def test_no_set_is_no_empty_set(keeper: Keeper) -> None:
    with pytest.raises(SuiteError, match="there is no held-out set"):
        keeper.read()


@pytest.mark.parametrize(
    ("name", "kept"),
    [("a.py", ".py"), ("a.test.mjs", ".test.mjs"), ("a_test.go", ".go"), ("b.c.rs", ".rs")],
)
def test_a_tests_ending_is_kept(name: str, kept: str) -> None:
    assert kept == extension(Path(name))
