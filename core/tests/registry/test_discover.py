"""Discovery: what is installed, read without importing anything."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from fairtrial.registry import KINDS, Damaged, kind_of, scan

Install = Callable[..., Path]


def test_a_plugin_is_found_with_its_distribution_and_not_imported(solver: Install) -> None:
    solver("loud", "raise SystemExit('imported')")
    [found] = scan().of("solver")
    assert ("loud", "acme-loud", "1.0") == (found.name, found.distribution, found.version)
    assert "acme-loud 1.0 → acme_loud:EchoSolver" == found.place
    assert "acme_loud" not in sys.modules


def test_plugins_come_in_the_order_of_their_names(install: Install) -> None:
    install("acme-z", {"fairtrial.solvers": {"a": "acme_z:A", "c": "acme_z:C"}})
    install("acme-a", {"fairtrial.solvers": {"b": "acme_a:B"}, "console_scripts": {"x": "y:z"}})
    assert ["a", "b", "c"] == [found.name for found in scan().of("solver")]


def test_each_kind_has_its_own_group(install: Install) -> None:
    install("acme-all", {kind.group: {"one": "acme_all:One"} for kind in KINDS.values()})
    assert sorted(KINDS) == [found.kind for found in scan().plugins]
    assert "fairtrial.sandboxes" == KINDS["sandbox"].group


def test_a_plugin_just_renamed_is_found_under_its_new_name_only(
    install: Install,
) -> None:
    info = install("acme-echo", {"fairtrial.solvers": {"echo": "acme_echo:EchoSolver"}})
    assert ["echo"] == [found.name for found in scan().of("solver")]
    (info / "entry_points.txt").write_text("[fairtrial.solvers]\nechoes = acme_echo:EchoSolver\n")
    assert ["echoes"] == [found.name for found in scan().of("solver")]


def test_of_one_distribution_installed_twice_the_first_on_the_path_counts(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("acme-echo", {"fairtrial.solvers": {"echo": "acme_echo:New"}}, version="2.0")
    older = tmp_path / "older" / "Acme_Echo-1.0.dist-info"
    older.mkdir(parents=True)
    (older / "METADATA").write_text("Name: Acme.Echo\nVersion: 1.0\n")
    (older / "entry_points.txt").write_text("[fairtrial.solvers]\necho = acme_echo:Old\n")
    monkeypatch.setattr(sys, "path", [*sys.path, str(older.parent)])
    assert ["2.0"] == [found.version for found in scan().of("solver")]


def test_a_distribution_without_metadata_is_named_by_its_directory(install: Install) -> None:
    info = install("acme-echo", {"fairtrial.solvers": {"echo": "acme_echo:EchoSolver"}})
    (info / "METADATA").unlink()
    [found] = scan().of("solver")
    assert "acme_echo-1.0.dist-info (its metadata is missing)" == found.provider


@pytest.mark.parametrize(
    ("content", "because"),
    [
        (b"[fairtrial.solvers]\nno equals sign here\n", "its entry_points.txt can't be read"),
        (b"[fairtrial.solvers]\n\xff = x:y\n", "its entry_points.txt is not UTF-8 text"),
    ],
)
@pytest.mark.usefixtures("echo")
def test_a_damaged_distribution_is_told_and_hides_no_other(
    install: Install, content: bytes, because: str
) -> None:
    info = install("acme-worn", {})
    (info / "entry_points.txt").write_bytes(content)
    here = scan()
    assert ["echo"] == [found.name for found in here.plugins]
    assert (Damaged(distribution="acme_worn-1.0.dist-info", because=because),) == here.damaged


def test_only_interfaces_of_plugins_are_kinds() -> None:
    assert KINDS["meter"] is kind_of(KINDS["meter"].protocol)
    assert kind_of(str) is None
