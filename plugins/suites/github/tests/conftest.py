"""A stand-in for the few endpoints of GitHub, reached by the real `gh` through a socket."""

import json
import socketserver
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from attrs import define, field
from fairtrial.conformance.fakes import ThreeTaskSuite
from fairtrial_suite_github import GithubSuite

REPO = "me/scratch"


@define
class Hub:
    """
    What the forge holds, and what it was asked.

    Attributes:
        git: Where the repository's bare copy lies.
    """

    git: Path
    exists: bool = False
    broken: bool = False
    issues: list[dict[str, object]] = field(factory=list)
    pulls: list[dict[str, object]] = field(factory=list)
    asked: list[str] = field(factory=list)

    def writes(self) -> list[str]:
        return [line for line in self.asked if not line.startswith("GET")]

    def refs(self) -> list[str]:
        done = subprocess.run(
            ["git", "for-each-ref", "--format=%(refname)"],
            cwd=self.git,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split()

    def answer(self, method: str, path: str, body: dict[str, object]) -> tuple[int, object]:
        where, _, query = path.partition("?")
        self.asked.append(f"{method} {where}")
        if self.broken:
            return 500, {"message": "out of order"}
        if (method, where) == ("GET", "/user"):
            return 200, {"login": "me"}
        if method == "POST" and where in ("/user/repos", "/orgs/other/repos"):
            subprocess.run(["git", "init", "-q", "--bare", "-b", "main", self.git], check=True)
            self.exists = True
            return 201, self._repo()
        if not self.exists or not where.startswith(f"/repos/{REPO}"):
            return 404, {"message": "Not Found"}
        return self._inside(method, where.removeprefix(f"/repos/{REPO}"), query, body)

    def _repo(self) -> dict[str, object]:
        return {"full_name": REPO, "clone_url": str(self.git)}

    def _inside(
        self, method: str, where: str, query: str, body: dict[str, object]
    ) -> tuple[int, object]:
        _, _, kind = where.partition("/")
        kind, _, rest = kind.partition("/")
        if kind == "":
            return 200, self._repo()
        if kind == "branches":
            there = f"refs/heads/{rest}" in self.refs()
            return (200, {"name": rest}) if there else (404, {"message": "Branch not found"})
        if kind == "git":
            return self._git(method, rest)
        rows = self.issues if kind == "issues" else self.pulls
        return self._one(rows, int(rest), body) if rest else self._all(rows, method, query, body)

    def _git(self, method: str, rest: str) -> tuple[int, object]:
        if method == "DELETE":
            line = ["git", "update-ref", "-d", rest]
            subprocess.run(line, cwd=self.git, check=True)
            return 204, None
        start = rest.replace("matching-refs", "refs", 1)
        return 200, [{"ref": ref} for ref in self.refs() if ref.startswith(start)]

    def _one(
        self, rows: list[dict[str, object]], number: int, body: dict[str, object]
    ) -> tuple[int, object]:
        for row in rows:
            if row["number"] == number:
                row.update(body)
                return 200, row
        return 404, {"message": "Not Found"}

    def _all(
        self, rows: list[dict[str, object]], method: str, query: str, body: dict[str, object]
    ) -> tuple[int, object]:
        if method == "POST":
            rows.append({"number": len(rows) + 1, "state": "open", **body})
            return 201, rows[-1]
        asked = parse_qs(query)
        wanted = [row for row in rows if asked["state"][0] in ("all", row["state"])]
        page, size = int(asked["page"][0]), int(asked["per_page"][0])
        return 200, wanted[(page - 1) * size : page * size]


def body_of(request: BaseHTTPRequestHandler) -> bytes:
    """Reads a body of known length, or one that comes in pieces, as `gh` sends its stdin."""
    if "chunked" not in request.headers.get("Transfer-Encoding", ""):
        return request.rfile.read(int(request.headers.get("Content-Length") or 0))
    body = b""
    while size := int(request.rfile.readline(), 16):
        body += request.rfile.read(size)
        request.rfile.readline()
    request.rfile.readline()
    return body


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    hub = Hub(tmp_path / "forge.git")

    class Handler(BaseHTTPRequestHandler):
        def address_string(self) -> str:
            return "gh"

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - its name there
            pass

        def _any(self) -> None:
            sent = body_of(self)
            status, found = hub.answer(self.command, self.path, json.loads(sent or b"{}"))
            data = b"" if found is None else json.dumps(found).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = do_DELETE = _any  # noqa: N815 - its names there

    config = tmp_path / "gh"
    config.mkdir()
    (config / "config.yml").write_text(f"http_unix_socket: {tmp_path}/hub.sock\n")
    monkeypatch.setenv("GH_CONFIG_DIR", str(config))
    monkeypatch.setenv("GH_TOKEN", "a-token-of-nobody")
    monkeypatch.delenv("GH_HOST", raising=False)
    with _Server(f"{tmp_path}/hub.sock", Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield hub
        server.shutdown()
        thread.join()


@pytest.fixture
def suite() -> GithubSuite:
    return GithubSuite(inner=ThreeTaskSuite(), repo=REPO)
