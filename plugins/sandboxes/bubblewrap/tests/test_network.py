"""What programs reach."""

import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from fairtrial.api import Fence, Network, Workspace

Open = Callable[..., Workspace]

REACH = """
import socket, sys
kind, *rest = sys.argv[1:]
try:
    if kind == "abstract":
        with socket.socket(socket.AF_UNIX) as one:
            one.connect("\\0" + rest[0])
    else:
        socket.create_connection((kind, int(rest[0])), timeout=5).close()
    print("reached")
except OSError as error:
    print(error.strerror)
"""


def reach(workspace: Workspace, *where: str) -> str:
    done = workspace.run(["python3", "-c", REACH, *where], timeout_s=20)
    return done.stdout.decode().strip() or done.stderr.decode()


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


class Model(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.path.encode() + b" " + body[::-1])

    def log_message(self, *_: object) -> None:
        pass

    def address_string(self) -> str:
        return ""


class UnixServer(HTTPServer):
    address_family = socket.AF_UNIX

    def server_bind(self) -> None:
        self.socket.bind(self.server_address)  # type: ignore[arg-type] - a path, for AF_UNIX


@pytest.fixture
def model(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "model.sock"
    with UnixServer(str(path), Model) as server:  # type: ignore[arg-type] - likewise
        path.chmod(0o600)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield path
        server.shutdown()
        thread.join()


def test_without_a_network_nothing_is_reached(opened: Open, port: int) -> None:
    workspace = opened(Fence(network=Network.NONE))
    assert "Network is unreachable" == reach(workspace, "192.0.2.1", "80")
    assert "Connection refused" == reach(workspace, "127.0.0.1", str(port))
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("\0fairtrial-abstract")
        listener.listen()
        assert "Connection refused" == reach(workspace, "abstract", "fairtrial-abstract")


def test_an_open_network_is_the_machines(opened: Open, port: int) -> None:
    workspace = opened(Fence(network=Network.OPEN))
    assert "reached" == reach(workspace, "127.0.0.1", str(port))
    names = workspace.run(["cat", "/etc/resolv.conf"], timeout_s=9)
    assert Path("/etc/resolv.conf").read_bytes() == names.stdout


POST = """
import os, sys, urllib.request
url = os.environ["FAIRTRIAL_MODEL_URL"]
request = urllib.request.Request(url + "/v1/messages", data=b"x" * int(sys.argv[1]) + b"abc")
print(urllib.request.urlopen(request, timeout=10).read().decode()[:20])
"""


def test_only_the_model_is_reached_through_its_socket(
    opened: Open, port: int, model: Path
) -> None:
    workspace = opened(Fence(network=Network.MODEL_ONLY, model_socket=model))
    for size in ("0", "3000000"):
        done = workspace.run(["python3", "-c", POST, size], timeout_s=20)
        assert "/v1/messages cba" == done.stdout.decode().strip()[:16], done.stderr
    assert "Network is unreachable" == reach(workspace, "192.0.2.1", "80")
    assert "Connection refused" == reach(workspace, "127.0.0.1", str(port))
    assert "model-only" == workspace.enforced["network"]


def test_the_relay_is_no_child_of_the_program_and_dies_with_it(opened: Open, model: Path) -> None:
    workspace = opened(Fence(network=Network.MODEL_ONLY, model_socket=model))
    code = "import os\ntry: os.waitpid(-1, 0)\nexcept ChildProcessError: print('none')"
    done = workspace.run(["python3", "-c", code], timeout_s=20)
    assert (b"none\n", 0) == (done.stdout, done.code)
    workspace.settle()
    alive = [p for p in Path("/proc").glob("[0-9]*/cmdline") if b"relay.py" in _read(p)]
    assert [] == alive


def test_a_model_that_is_gone_is_a_connection_that_ends(opened: Open, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "model.sock"))
    workspace = opened(Fence(network=Network.MODEL_ONLY, model_socket=tmp_path / "model.sock"))
    done = workspace.run(["python3", "-c", POST, "0"], timeout_s=20)
    assert 1 == done.code
    assert any(word in done.stderr for word in (b"RemoteDisconnected", b"reset", b"Broken pipe"))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
