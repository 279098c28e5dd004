"""What the doctor says of fences, on machines that lack one thing or another."""

import os
import socketserver
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fairtrial.builtin import auto
from fairtrial.builtin.auto import chosen
from fairtrial.cli.fences import fences
from fairtrial.cli.health import Health
from fairtrial.cli.machine import places

Answers = Callable[[bytes], Path]


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    chosen.cache_clear()
    yield
    chosen.cache_clear()


@pytest.fixture
def answers(tmp_path: Path) -> Iterator[Answers]:
    """Starts something that listens on a socket and always answers the same."""
    started = []

    def start(answer: bytes) -> Path:
        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                self.request.recv(4096)
                self.request.sendall(answer)

        path = tmp_path / "engine.sock"
        server = socketserver.ThreadingUnixStreamServer(str(path), Handler)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        started.append((server, thread))
        return path

    yield start
    for server, thread in started:
        server.shutdown()
        thread.join()
        server.server_close()


def named(name: str, proc: Path = Path("/proc")) -> Health:
    return next(each for each in fences(proc) if each.name == name)


def test_a_machine_with_bwrap_has_a_fence() -> None:
    assert named("bwrap").here
    assert "a program ran behind one" == named("a fence").found
    assert named("user").here


def test_without_bwrap_it_says_what_to_install_and_what_is_weaker(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("fairtrial_sandbox_bubblewrap.sandbox._SYSTEM_PATH", str(tmp_path))
    bwrap, fence, user = named("bwrap"), named("a fence"), named("user")
    assert (False, False) == (bwrap.here, fence.here)
    assert "apt-get install bubblewrap" in bwrap.way_on
    assert "they can read what you can" in bwrap.weaker
    assert "needs the program “bwrap”, which isn't here" in fence.found
    assert (os.geteuid() != 0) == user.here
    assert "superuser's rights" in user.weaker
    docker = named("docker")
    assert ("neither docker nor podman is on PATH", "apt-get install docker.io") == (
        docker.found,
        docker.way_on,
    )


@pytest.mark.parametrize(
    ("name", "value", "way_on"),
    [
        ("sys/user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=15000"),
        (
            "sys/kernel/unprivileged_userns_clone",
            "0",
            "sysctl -w kernel.unprivileged_userns_clone=1",
        ),
    ],
)
def test_without_namespaces_it_names_the_setting(
    tmp_path: Path, name: str, value: str, way_on: str
) -> None:
    for setting, text in {"sys/user/max_user_namespaces": "63000", name: value}.items():
        (tmp_path / setting).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / setting).write_text(f"{text}\n")
    found = named("user namespaces", tmp_path)
    assert (False, way_on) == (found.here, found.way_on)
    assert f"/proc/{name} is {value}" in found.found


def test_a_fence_that_does_not_work_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "STRONG", "no-such-sandbox")
    assert "no sandbox plugin called" in named("a fence").found


@pytest.fixture
def _client(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/docker").touch(mode=0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")


@pytest.mark.usefixtures("_client")
@pytest.mark.parametrize(
    ("answer", "here"),
    [
        (b"HTTP/1.0 200 OK\r\nApi-Version: 1.41\r\n\r\nOK", True),
        (b"HTTP/1.0 200 OK\r\nServer: nginx\r\n\r\nOK", False),
        (b"-ERR unknown command\r\n", False),
        (b"", False),
    ],
)
def test_a_socket_that_is_no_engines_is_told(
    answers: Answers, monkeypatch: pytest.MonkeyPatch, answer: bytes, *, here: bool
) -> None:
    path = answers(answer)
    monkeypatch.setenv("DOCKER_HOST", f"unix://{path}")
    found = named("docker")
    assert here is found.here
    assert here or f"what listens at {path} is no container engine" == found.found


@pytest.mark.usefixtures("_client")
def test_a_socket_that_nobody_listens_at_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "dead.sock").touch()
    for name, why in (("dead.sock", "can't be used: Connection refused"), ("none", "no socket")):
        monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/{name}")
        found = named("docker")
        assert not found.here
        assert why in found.found


def test_a_home_that_can_not_be_written_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/proc")
    home = next(each for each in places() if each.name == "home")
    assert (False, "FAIRTRIAL_CACHE" in home.way_on) == (home.here, True)
    assert "can't be written" in home.found
