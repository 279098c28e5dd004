"""What holds in containers beyond the kit."""

import json
import os
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest
from fairtrial.api import EndedBy, Fence, MachineError, Network, SandboxDied, Workspace
from fairtrial_sandbox_docker import DockerSandbox, engine
from fairtrial_sandbox_docker.engine import Engine

Open = Callable[..., Workspace]


def printed(workspace: Workspace, line: str, *args: str) -> str:
    done = workspace.run(["sh", "-c", line, *args], timeout_s=60)
    return (done.stdout + done.stderr).decode()


def names(socket: Path) -> list[str]:
    done = Engine(program="docker", socket=socket).call("ps", "--all", "--format", "{{.Names}}")
    return done.stdout.decode().split()


def test_programs_have_no_rights_and_are_nobody_else(opened: Open) -> None:
    workspace = opened()
    told = printed(workspace, "cat /proc/self/status; id -u; whoami; cat /etc/hostname")
    status = dict(line.split(":\t", 1) for line in told.splitlines() if ":\t" in line)
    assert {"0" * 16} == {status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd")}
    assert "1" == status["NoNewPrivs"]
    uid, name = told.split()[-3:-1]
    assert ("agent", False) == (name, uid == "0")


def test_nothing_is_written_but_the_workspace_and_what_is_lent(
    opened: Open, tmp_path: Path
) -> None:
    (tmp_path / "lent").mkdir()
    (tmp_path / "shown").mkdir(mode=0o755)
    tmp_path.chmod(0o755)
    fence = Fence(readable=(tmp_path / "shown",), writable=(tmp_path / "lent",))
    workspace = opened(fence)
    for place in ("/new", "/usr/new", "/etc/passwd", "/run/new", f"{tmp_path}/shown/new"):
        said = printed(workspace, f"echo x >> {place}")
        assert "Read-only" in said or "ermission denied" in said, place
    printed(workspace, f"echo new > {tmp_path}/lent/new; echo a > ~/kept; echo b > /tmp/kept")
    assert "new\n" == (tmp_path / "lent/new").read_text()
    assert "a\nb\n" == printed(workspace, "cat ~/kept $TMPDIR/kept")


def test_a_hidden_directory_below_one_that_is_shown_is_empty(opened: Open, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "hidden").mkdir(mode=0o755)
    (tmp_path / "hidden/answer").write_text("42")
    (tmp_path / "shown").write_text("seen")
    workspace = opened(Fence(readable=(tmp_path,), hidden=(tmp_path / "hidden",)))
    assert "hidden\nshown\n" == printed(workspace, f"ls {tmp_path}; ls {tmp_path}/hidden")


def test_variables_reach_the_program_whatever_is_in_them(opened: Open) -> None:
    env = {"TWO": "lines\nof = text", "HOME": "/elsewhere", "LD_X": "1", "PATH": "/work:/usr/bin"}
    done = opened().run(["sh", "-c", 'echo "$TWO|$HOME|$LD_X|$PATH"'], timeout_s=60, env=env)
    assert "lines\nof = text|/elsewhere|1|/work:/usr/bin\n" == done.stdout.decode()


def test_no_variable_of_the_harness_is_inherited(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "SSH_AUTH_SOCK", "HTTPS_PROXY", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, "a secret")
    assert "a secret" not in printed(opened(), "env")


def test_programs_of_the_workspace_and_of_the_fence_are_found(
    opened: Open, tmp_path: Path
) -> None:
    tmp_path.chmod(0o755)
    for place in (tmp_path / "mine", workspace_tool := tmp_path / "later"):
        place.write_text("#!/bin/sh\necho ran")
        place.chmod(0o755)
    workspace = opened(Fence(path=(tmp_path,)))
    assert b"ran\n" == workspace.run(["mine"], timeout_s=60).stdout
    (workspace.root / "sub").mkdir()
    workspace_tool.rename(workspace.root / "sub/tool")
    cwd = PurePosixPath("sub")
    assert b"ran\n" == workspace.run(["./tool"], timeout_s=60, cwd=cwd).stdout
    with pytest.raises(FileNotFoundError):
        workspace.run(["./nonesuch"], timeout_s=60)


def test_without_a_network_nothing_is_reached(opened: Open) -> None:
    code = "import socket; socket.create_connection(('192.0.2.1', 80), timeout=5)"
    workspace = opened(Fence(network=Network.NONE))
    done = workspace.run(["python3", "-c", code], timeout_s=60)
    assert b"Network is unreachable" in done.stderr
    assert "none" == workspace.enforced["network"]


class Echo(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self.wfile.write(self.rfile.readline()[::-1])


def test_only_the_model_is_reached_through_its_socket(opened: Open, tmp_path: Path) -> None:
    path = tmp_path / "model.sock"
    code = (
        "import os, socket\n"
        "assert os.environ['FAIRTRIAL_MODEL_URL'] == 'http://127.0.0.1:4180'\n"
        "one = socket.create_connection(('127.0.0.1', 4180), timeout=10)\n"
        "one.sendall(b'abc\\n')\n"
        "print(one.makefile().read())\n"
        "try: socket.create_connection(('192.0.2.1', 80), timeout=5)\n"
        "except OSError as error: print(error.strerror)\n"
    )
    with socketserver.ThreadingUnixStreamServer(str(path), Echo) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        workspace = opened(Fence(network=Network.MODEL_ONLY, model_socket=path))
        done = workspace.run(["python3", "-c", code], timeout_s=60)
        server.shutdown()
        thread.join()
    assert b"\ncba\nNetwork is unreachable\n" == done.stdout, done.stderr


def test_memory_and_processes_are_limited(opened: Open) -> None:
    workspace = opened(Fence(memory_mb=64, processes=30))
    hog = workspace.run(["python3", "-c", "held = b'x' * (300 << 20)"], timeout_s=60)
    assert (None, EndedBy.SIGNAL, 9) == (hog.code, hog.ended_by, hog.signal)
    code = (
        "import os, time\n"
        "n = 0\n"
        "try:\n"
        "  while n < 100:\n"
        "    if os.fork() == 0: time.sleep(20); os._exit(0)\n"
        "    n += 1\n"
        "except OSError: pass\n"
        "print(n)\n"
    )
    assert 10 < int(workspace.run(["python3", "-c", code], timeout_s=60).stdout) < 30
    assert ("program:64", "30") == (workspace.enforced["memory"], workspace.enforced["pids"])


def test_the_length_of_files_is_limited(opened: Open) -> None:
    workspace = opened(Fence(disk_mb=1))
    workspace.run(["python3", "-c", "open('big', 'wb').write(bytes(3 << 20))"], timeout_s=60)
    assert 1 << 20 == (workspace.root / "big").stat().st_size


@pytest.mark.parametrize("code", [0, 3, 124, 125, 126, 127, 255])
def test_every_exit_code_is_the_programs_own(opened: Open, code: int) -> None:
    done = opened().run(["sh", "-c", f"exit {code}"], timeout_s=60)
    assert (code, EndedBy.EXIT) == (done.code, done.ended_by)


def test_no_container_is_left_behind(socket: Path, sandbox: DockerSandbox) -> None:
    before = set(names(socket))
    with sandbox.open("label", Fence()) as workspace:
        workspace.run(["true"], timeout_s=60)
        late = workspace.run(["sleep", "60"], timeout_s=0.5)
        running = workspace.spawn(["sh", "-c", "echo up; sleep 60"], timeout_s=60)
        assert "up" == next(running.lines())
        assert EndedBy.TIMEOUT == late.ended_by
        assert 1 == len(set(names(socket)) - before)
    assert set() == set(names(socket)) - before
    assert EndedBy.CALLER == running.end().ended_by


def test_a_container_that_was_taken_away_is_a_dead_sandbox(opened: Open, socket: Path) -> None:
    before = set(names(socket))
    workspace = opened()
    running = workspace.spawn(["sh", "-c", "echo up; sleep 60"], timeout_s=60)
    assert "up" == next(running.lines())
    (name,) = set(names(socket)) - before
    Engine(program="docker", socket=socket).remove(name)
    for _ in range(2):
        with pytest.raises(SandboxDied):
            running.end(grace_s=20)
        with pytest.raises(SandboxDied):
            workspace.settle()


def test_containers_of_a_harness_that_was_killed_are_removed_by_the_next(socket: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from fairtrial.api import Fence\n"
        "from fairtrial_sandbox_docker import DockerSandbox\n"
        f"sandbox = DockerSandbox(image='fairtrial-test', socket=Path({str(socket)!r}))\n"
        "with sandbox.open('x', Fence()) as room:\n"
        "  running = room.spawn(['sh', '-c', 'echo up; sleep 100'], timeout_s=100)\n"
        "  print(next(running.lines()), flush=True)\n"
        "  sys.stdin.read()\n"
    )
    before = set(names(socket))
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with child:
        assert child.stdout is not None
        assert b"up\n" == child.stdout.readline()
        child.kill()
    assert 1 == len(set(names(socket)) - before)
    engine._SWEPT.clear()
    with DockerSandbox(image="fairtrial-test", socket=socket).open("y", Fence()):
        assert set() == set(names(socket)) - before


def test_a_socket_that_is_no_engines_is_told_in_time(tmp_path: Path) -> None:
    path = tmp_path / "other.sock"
    with socketserver.ThreadingUnixStreamServer(str(path), Echo) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        start = time.monotonic()
        with (
            pytest.raises(MachineError) as caught,
            DockerSandbox(image="x", socket=path).open("", Fence()),
        ):
            pass
        server.shutdown()
        thread.join()
    assert time.monotonic() - start < 60
    assert "the container engine doesn't answer" == caught.value.problem
    assert str(path) == dict(caught.value.facts)["socket"]
    assert dict(caught.value.facts)["it said"]


def test_no_engine_and_no_image_are_told(
    monkeypatch: pytest.MonkeyPatch, socket: Path, tmp_path: Path
) -> None:
    missing = DockerSandbox(image="no-such-image", socket=socket)
    with (
        pytest.raises(MachineError, match="has no image “no-such-image”"),
        missing.open("", Fence()),
    ):
        pass
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MachineError) as caught, DockerSandbox(image="x").open("", Fence()):
        pass
    assert "the sandbox “docker” needs docker or podman, which isn't here" == caught.value.problem


def test_the_command_line_of_podman_is_its_own() -> None:
    where = Path("/run/x.sock")
    assert ["podman", "--url", "unix:///run/x.sock", "ps"] == Engine(
        program="podman", socket=where
    ).command("ps")
    assert ["docker", "-H", "unix:///run/x.sock", "ps"] == Engine(
        program="docker", socket=where
    ).command("ps")
    assert ["podman", "ps"] == Engine(program="podman", socket=None).command("ps")


def test_what_is_kept_of_the_fence_is_told(opened: Open) -> None:
    expected = {
        "sandbox": "docker",
        "network": "none",
        "filesystem": "image",
        "processes": "container",
        "privileges": "dropped" if os.geteuid() == 0 else "caller",
        "programs": "read-only",
        "memory": "none",
        "pids": "4096",
        "file": "none",
        "image": "fairtrial-test",
    }
    assert expected == json.loads(json.dumps(dict(opened(Fence(network=Network.NONE)).enforced)))
