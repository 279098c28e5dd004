import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest
from fairtrial.api import EndedBy, Fence, MachineError, Network, SandboxDied, Workspace
from fairtrial.builtin.local import LocalSandbox
from fairtrial.processes import close


@pytest.fixture(autouse=True, scope="module")
def _nursery() -> Iterator[None]:
    yield
    close()


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with LocalSandbox().open("task solver 1", Fence()) as workspace:
        yield workspace


def variables(workspace: Workspace, **env: str) -> dict[str, str]:
    text = workspace.run(["env"], timeout_s=9, env=env).stdout.decode()
    return dict(line.split("=", 1) for line in text.splitlines())


def test_a_workspace_is_private_and_empty_and_gone_afterwards() -> None:
    with LocalSandbox().open("label", Fence()) as workspace:
        root = workspace.root
        assert [] == list(root.iterdir())
        assert 0o700 == stat.S_IMODE(root.stat().st_mode)
        assert 0o700 == stat.S_IMODE(root.parent.stat().st_mode)
        assert str(root) == str(workspace.inside)
        seen = workspace.run(["pwd"], timeout_s=9).stdout.decode().strip()
        assert str(root) == seen
        workspace.run(["mkdir", "-p", "deep/er"], timeout_s=9)
        (root / "deep").chmod(0o000)
    assert not root.parent.exists()


def test_two_workspaces_share_nothing() -> None:
    sandbox = LocalSandbox()
    with sandbox.open("a", Fence()) as one, sandbox.open("a", Fence()) as two:
        assert one.root.parent != two.root.parent
        assert variables(one)["HOME"] != variables(two)["HOME"]
        assert variables(one)["TMPDIR"] != variables(two)["TMPDIR"]


def test_a_workspace_can_be_kept_for_a_look() -> None:
    with LocalSandbox(keep=True).open("label", Fence()) as workspace:
        (workspace.root / "left").write_text("x")
    assert "x" == (workspace.root / "left").read_text()
    with LocalSandbox().open("label", Fence()) as other:
        other.run(["rm", "-r", str(workspace.root.parent)], timeout_s=9)


def test_the_environment_is_an_allow_list(
    monkeypatch: pytest.MonkeyPatch, workspace: Workspace
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a secret")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    seen = variables(workspace, EXTRA="yes")
    allowed = {"LANG", "LC_ALL", "TZ", "PYTHONHASHSEED", "HOME", "TMPDIR", "PATH", "RUSTUP_HOME"}
    assert {"EXTRA"} == seen.keys() - allowed
    assert ("UTC", "C.UTF-8", "0") == (seen["TZ"], seen["LANG"], seen["PYTHONHASHSEED"])
    home = Path(seen["HOME"])
    assert home.is_dir()
    assert home.parent == workspace.root.parent
    assert not home.is_relative_to(workspace.root)


def test_the_path_leads_to_the_interpreter_but_not_into_its_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = Path(sys.executable).parent
    (tmp_path / "shims").mkdir()
    monkeypatch.setenv("PATH", f"{own}:relative:.:{tmp_path}/shims:/nowhere:/usr/bin:/bin")
    with LocalSandbox().open("label", Fence()) as workspace:
        folders = variables(workspace)["PATH"].split(":")
        assert [os.path.realpath(sys.executable).rpartition("/")[0], "/usr/bin", "/bin"] == folders
        code = "import sys; print(sys.prefix == sys.base_prefix)"
        assert b"True\n" == workspace.run(["python3", "-c", code], timeout_s=9).stdout


def test_a_fence_puts_its_directories_and_variables_before_all_programs(tmp_path: Path) -> None:
    (tmp_path / "tool").write_text("#!/bin/sh\necho mine $NEED\n")
    (tmp_path / "tool").chmod(0o755)
    fence = Fence(path=(tmp_path,), variables={"NEED": "met"})
    with LocalSandbox().open("label", fence) as workspace:
        assert b"mine met\n" == workspace.run(["tool"], timeout_s=9).stdout
        assert variables(workspace)["PATH"].startswith(f"{tmp_path}:/")


def test_programs_run_below_the_root_and_nowhere_else(
    workspace: Workspace, tmp_path: Path
) -> None:
    (workspace.root / "sub").mkdir()
    (workspace.root / "out").symlink_to(tmp_path)
    seen = workspace.run(["pwd"], timeout_s=9, cwd=PurePosixPath("sub")).stdout.decode().strip()
    assert str(workspace.root / "sub") == seen
    for cwd in ("..", "out", "/", "sub/../.."):
        with pytest.raises(ValueError, match="leads out of the workspace"):
            workspace.run(["pwd"], timeout_s=9, cwd=PurePosixPath(cwd))
    with pytest.raises(FileNotFoundError, match="no such directory"):
        workspace.run(["pwd"], timeout_s=9, cwd=PurePosixPath("missing"))


def test_a_program_that_is_not_there_is_told_by_name(workspace: Workspace) -> None:
    for start in (workspace.run, workspace.spawn):
        with pytest.raises(FileNotFoundError, match="nonesuch"):
            start(["nonesuch"], timeout_s=9)
    with pytest.raises(FileNotFoundError):
        workspace.run(["sh"], timeout_s=9, env={"PATH": "/nowhere"})


def test_what_is_kept_of_a_fence_is_told_honestly() -> None:
    fence = Fence(network=Network.NONE, memory_mb=100)
    with LocalSandbox(memory_mb=200).open("label", fence) as workspace:
        expected = {
            "sandbox": "local",
            "network": "open",
            "filesystem": "none",
            "processes": "tree" if sys.platform == "linux" else "group",
            "privileges": "none",
            "programs": "none",
            "memory": "each:100",
        }
        assert expected == workspace.enforced
        code = "bytes(300 << 20)"
        assert b"MemoryError" in workspace.run(["python3", "-c", code], timeout_s=9).stderr


def test_a_fence_that_is_required_and_can_not_be_had_is_refused(tmp_path: Path) -> None:
    fence = Fence(network=Network.MODEL_ONLY, hidden=(tmp_path,), required=True)
    with pytest.raises(MachineError) as caught, LocalSandbox().open("label", fence):
        pass
    assert "the sandbox “local” can't keep the fence that is required" == caught.value.problem
    assert (("asked for", f"network model-only, hidden {tmp_path}"),) == caught.value.facts
    with LocalSandbox().open("label", Fence(required=True)) as workspace:
        assert 0 == workspace.run(["true"], timeout_s=9).code


def test_leaving_a_workspace_ends_what_was_spawned_there() -> None:
    with LocalSandbox().open("label", Fence()) as workspace:
        program = workspace.spawn(["sh", "-c", "echo up; sleep 60"], timeout_s=60)
        assert "up" == next(program.lines())
    assert EndedBy.CALLER == program.end().ended_by


def test_after_settling_nothing_writes_and_programs_run_afresh(workspace: Workspace) -> None:
    line = "setsid sh -c 'while :; do date +%N > clock; done' & until [ -s clock ]; do :; done; echo up; sleep 60"
    program = workspace.spawn(["sh", "-c", line], timeout_s=60)
    assert "up" == next(program.lines())
    workspace.settle()
    before = (workspace.root / "clock").read_bytes()
    assert before == workspace.run(["cat", "clock"], timeout_s=9).stdout
    assert before == (workspace.root / "clock").read_bytes()


def test_a_sandbox_that_was_broken_is_told_when_settling(workspace: Workspace) -> None:
    program = workspace.spawn(["sh", "-c", "echo up; sleep 0.05; kill -9 $PPID"], timeout_s=60)
    assert "up" == next(program.lines())
    for _ in range(2):
        with pytest.raises(SandboxDied):
            program.end(grace_s=9)
        with pytest.raises(SandboxDied):
            workspace.settle()


def test_a_workspace_whose_root_was_removed_is_a_dead_sandbox(workspace: Workspace) -> None:
    workspace.run(["sh", "-c", "rm -rf ../work"], timeout_s=9)
    with pytest.raises(SandboxDied, match="can't start in its directory"):
        workspace.run(["true"], timeout_s=9)
