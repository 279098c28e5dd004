from pathlib import Path

import pytest
from fairtrial.processes import Job, Limits, find_program


def test_a_name_with_a_slash_is_a_file_already() -> None:
    assert "./x" == find_program("./x", "/usr/bin")


def test_a_name_is_looked_up_in_the_order_of_the_path(tmp_path: Path) -> None:
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "tool").write_text("#!/bin/sh\n")
        (tmp_path / folder / "tool").chmod(0o755)
    path = f"{tmp_path}/first:{tmp_path}/second"
    assert f"{tmp_path}/first/tool" == find_program("tool", path)
    (tmp_path / "first/tool").chmod(0o644)
    assert f"{tmp_path}/second/tool" == find_program("tool", path)


def test_relative_directories_and_directories_of_that_name_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tool").write_text("#!/bin/sh\n")
    (tmp_path / "tool").chmod(0o755)
    (tmp_path / "bin/tool").mkdir(parents=True)
    with pytest.raises(FileNotFoundError, match="no such program on the PATH"):
        find_program("tool", f":.:{tmp_path}/bin")


def test_an_empty_command_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="argv"):
        Job(argv=(), env={}, cwd=tmp_path)
    with pytest.raises(FileNotFoundError):
        Job(argv=("",), env={"PATH": "/usr/bin"}, cwd=tmp_path).encode()


def test_a_limit_below_what_a_warden_needs_is_refused() -> None:
    with pytest.raises(ValueError, match="memory_mb"):
        Limits(memory_mb=1)
