"""What programs see and may write."""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest
from fairtrial.api import Fence, MachineError, Workspace
from fairtrial_sandbox_bubblewrap.installed import installations
from fairtrial_sandbox_bubblewrap.views import View, work_name

Open = Callable[..., Workspace]


def printed(workspace: Workspace, line: str, *args: str) -> str:
    done = workspace.run(["sh", "-c", line, *args], timeout_s=20)
    return (done.stdout + done.stderr).decode()


def test_only_the_system_and_the_workspace_are_seen(opened: Open) -> None:
    seen = set(printed(opened(), "ls /").split())
    assert {"work", "tmp", "home", "usr", "etc", "proc", "dev"} <= seen
    assert set() == seen & {"srv", "mnt", "media", "boot", "sys", "data"}
    assert "agent\n" == printed(opened(), "ls /home")


def test_nothing_of_the_users_home_is_seen_but_installations(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    for name in (".ssh/id", ".cargo/bin/tool", ".cargo/credentials.toml", "work/secret"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("#!/bin/sh\necho ran")
    (home / ".cargo/bin/tool").chmod(0o755)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", f"{home}/.cargo/bin:{home}:{os.environ['PATH']}")
    workspace = opened()
    assert f"{home}/.cargo/bin/tool\n" == printed(workspace, f"find {home} -type f")
    assert b"ran\n" == workspace.run(["tool"], timeout_s=9).stdout


def test_an_interpreter_brings_what_is_installed_beside_it(tmp_path: Path) -> None:
    python, plain = tmp_path / "opt/python", tmp_path / "plain"
    for prefix in (python, plain):
        (prefix / "bin").mkdir(parents=True)
        (prefix / "bin/python3").touch(mode=0o755)
    (python / "lib/python3.11").mkdir(parents=True)
    links = tmp_path / "links"
    links.mkdir()
    (links / "python3").symlink_to(python / "bin/python3")
    found = installations(f"{links}:{plain}/bin")
    assert {links, python, plain / "bin"} <= set(found)
    assert plain not in found


def test_a_home_on_the_path_is_never_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    found = installations(f"{tmp_path}/user:{tmp_path}:/:{tmp_path}/user/bin")
    assert (tmp_path / "user/bin",) == found[:1]
    assert set() == {tmp_path / "user", tmp_path, Path("/")} & set(found)


def test_the_interpreter_is_the_harnesss_own_and_works(opened: Open) -> None:
    code = "import sys, ssl, json; print(sys.version, sys.prefix == sys.base_prefix)"
    done = opened().run(["python3", "-c", code], timeout_s=9)
    assert f"{sys.version} True\n" == done.stdout.decode()


def test_what_lies_below_the_other_temporary_directory_can_be_shown(opened: Open) -> None:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        shown = Path(name) / "cache"
        shown.mkdir()
        (shown / "file").write_text("shown")
        Path(name).chmod(0o755)
        workspace = opened(Fence(readable=(shown,)))
        assert "shown" == printed(workspace, f"cat {shown}/file")
        assert "own" == printed(workspace, "echo own >/var/tmp/x; cat /tmp/x").strip()
    assert "own" == printed(opened(), "echo own >/var/tmp/x; cat /tmp/x").strip()


def test_what_the_fence_names_is_seen_and_what_it_hides_is_not(
    opened: Open, tmp_path: Path
) -> None:
    for name in ("shown/deep/hidden/again", "lent", "other"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "file").write_text(name)
    (tmp_path / "shown/deep/hidden/secret").write_text("secret")
    fence = Fence(
        readable=(tmp_path / "shown", tmp_path / "shown/deep/hidden/again"),
        writable=(tmp_path / "lent",),
        hidden=(tmp_path / "shown/deep/hidden", tmp_path / "nowhere"),
    )
    workspace = opened(fence)
    seen = printed(workspace, f"cd {tmp_path} && find . -type f | sort").split()
    assert ["./lent/file", "./shown/deep/hidden/again/file"] == seen
    assert "Read-only" in printed(workspace, f"echo x > {tmp_path}/shown/deep/hidden/again/file")
    printed(workspace, f"echo new > {tmp_path}/lent/new")
    assert "new\n" == (tmp_path / "lent/new").read_text()


def test_a_field_shows_further_directories(opened: Open, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "agent").write_text("here")
    assert "here" == printed(opened(readable=(tmp_path,)), f"cat {tmp_path}/agent")


@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user's programs are that user")
def test_what_the_superuser_alone_may_read_is_refused(opened: Open, tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with pytest.raises(MachineError) as caught:
        opened(Fence(readable=(tmp_path,)))
    assert f"chmod -R o+rX {tmp_path}" in caught.value.way_on


def test_the_system_can_not_be_written(opened: Open) -> None:
    workspace = opened()
    for place in ("/new", "/usr/new", "/etc/new", "/etc/passwd", "/home/new", "/proc/sys/new"):
        said = printed(workspace, f"echo x >> {place}")
        assert "Read-only" in said or "ermission denied" in said or "nonexistent" in said, place


def test_home_and_tmp_are_shared_by_programs_of_one_workspace_alone(opened: Open) -> None:
    one, two = opened(), opened()
    printed(one, "echo a > ~/kept; echo b > /tmp/kept; echo c > /var/tmp/more")
    assert "a\nb\nc\n" == printed(one, 'cat ~/kept "$TMPDIR"/kept /tmp/more')
    assert "No such file" in printed(two, "cat ~/kept /tmp/kept")
    assert not Path("/tmp/kept").exists()


def test_the_workspace_is_not_laid_over_what_must_be_seen(opened: Open) -> None:
    assert PurePosixPath("/work") == opened().inside
    shown = [View(inside=PurePosixPath("/work/site/.venv"), source=Path("/work/site/.venv"))]
    assert PurePosixPath("/workspace") == work_name(shown)


def test_programs_are_looked_for_where_they_would_be_found_inside(
    opened: Open, tmp_path: Path
) -> None:
    workspace = opened()
    (tmp_path / "tool").write_text("#!/bin/sh\necho outside")
    (tmp_path / "tool").chmod(0o755)
    (workspace.root / "sub").mkdir()
    (workspace.root / "sub/tool").write_text("#!/bin/sh\necho inside")
    (workspace.root / "sub/tool").chmod(0o755)
    for name in (f"{tmp_path}/tool", "./tool", "nonesuch", str(workspace.root / "sub/tool")):
        with pytest.raises(FileNotFoundError):
            workspace.run([name], timeout_s=9)
    with pytest.raises(FileNotFoundError):
        workspace.run(["tool"], timeout_s=9, env={"PATH": str(tmp_path)})
    for argv, cwd in ((["sub/tool"], ""), (["./tool"], "sub"), (["/work/sub/tool"], "")):
        assert b"inside\n" == workspace.run(argv, timeout_s=9, cwd=PurePosixPath(cwd)).stdout
    env = {"PATH": "/work/sub:/usr/bin:/bin"}
    assert b"inside\n" == workspace.run(["tool"], timeout_s=9, env=env).stdout


def test_what_the_harness_writes_between_two_programs_belongs_to_the_next(opened: Open) -> None:
    workspace = opened()
    printed(workspace, "mkdir mine && echo 1 > mine/file")
    (workspace.root / "mine/file").write_text("2\n")
    (workspace.root / "theirs").mkdir(mode=0o700)
    (workspace.root / "theirs/file").write_text("3\n")
    (workspace.root / "theirs/file").chmod(0o600)
    assert "2\n3\n4\n" == printed(workspace, "cat */file; echo 4 > theirs/file; cat theirs/file")


def test_handing_a_tree_over_follows_no_link(opened: Open, tmp_path: Path) -> None:
    workspace = opened()
    (tmp_path / "file").write_text("x")
    before = tmp_path.stat(), (tmp_path / "file").stat()
    (workspace.root / "folder").symlink_to(tmp_path)
    (workspace.root / "file").symlink_to(tmp_path / "file")
    printed(workspace, "true")
    after = tmp_path.stat(), (tmp_path / "file").stat()
    assert [(s.st_uid, s.st_mode) for s in before] == [(s.st_uid, s.st_mode) for s in after]


def test_no_variable_of_the_harness_is_inherited(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("ANTHROPIC_API_KEY", "SSH_AUTH_SOCK", "DOCKER_HOST", "XDG_RUNTIME_DIR", "HTTPS_PROXY")
    for name in (*names, "LD_PRELOAD_DECOY", "GH_TOKEN", "AWS_PROFILE"):
        monkeypatch.setenv(name, "a secret")
    seen = dict(line.split("=", 1) for line in printed(opened(), "env").splitlines())
    allowed = {"LANG", "LC_ALL", "TZ", "PYTHONHASHSEED", "HOME", "TMPDIR", "PATH", "PWD"}
    assert set() == seen.keys() - allowed - {"RUSTUP_HOME", "OLDPWD", "SHLVL", "_"}
    assert ("/home/agent", "/tmp") == (seen["HOME"], seen["TMPDIR"])


def test_variables_are_not_told_on_the_command_line(opened: Open) -> None:
    workspace = opened()
    code = "echo up; sleep 30"
    program = workspace.spawn(["sh", "-c", code], timeout_s=30, env={"API_KEY": "a-secret-value"})
    assert "up" == next(program.lines())
    lines = [entry.read_bytes() for entry in Path("/proc").glob("[0-9]*/cmdline")]
    program.end()
    assert any(b"bwrap" in line for line in lines)
    assert not any(b"a-secret-value" in line for line in lines)


def test_what_a_loader_obeys_reaches_the_program_and_not_the_sandbox(opened: Open) -> None:
    done = opened().run(
        ["sh", "-c", "echo $LD_LIBRARY_PATH"], timeout_s=9, env={"LD_LIBRARY_PATH": "/work/lib"}
    )
    assert b"/work/lib\n" == done.stdout
