"""
What the gateway adds to a request, and how fast a stream passes it.

A stub of a provider, the proxy and the client share two cores, each a process of its own. Measured
are the median of plain requests one after the other, a streamed reply of 5 MB, 64 streams at once,
and the most memory that the proxy held; directly, through our gateway and through LiteLLM's, which
gets an environment of its own in the cache. Prints one JSON line.
"""

import asyncio
import contextlib
import http.client
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import platformdirs

CORES = 2
REQUESTS = 400
WARM = 50
STREAMS = 64
EVENT_BYTES = 1024
REPLY_BYTES = 5_000_000
LITELLM = "litellm[proxy]"
START_S = 180.0
MODEL = "gpt-5.4-mini"

HEAD = {"id": "x", "created": 1, "model": MODEL}
USAGE = {"prompt_tokens": 10, "completion_tokens": 20, "total_tokens": 30}


def _event(data: object) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()


def _chunk(delta: dict[str, str], stop: str | None = None) -> dict[str, object]:
    choice = {"index": 0, "delta": delta, "finish_reason": stop}
    return {**HEAD, "object": "chat.completion.chunk", "choices": [choice]}


def _stream() -> list[bytes]:
    """Returns a stream's head and its events, each in a chunk of its own as providers send it."""
    one = _event(_chunk({"role": "assistant", "content": "x" * (EVENT_BYTES - 150)}))
    end: dict[str, object] = {**HEAD, "object": "chat.completion.chunk", "choices": []}
    last = [_chunk({}, "stop"), {**end, "usage": USAGE}]
    events = [one] * (REPLY_BYTES // len(one)) + [_event(each) for each in last]
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    framed = [b"%x\r\n%s\r\n" % (len(each), each) for each in (*events, b"data: [DONE]\n\n")]
    return [head + b"Transfer-Encoding: chunked\r\n\r\n", *framed, b"0\r\n\r\n"]


def _plain() -> bytes:
    message = {"role": "assistant", "content": "fine, thanks"}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    body = json.dumps({**HEAD, "object": "chat.completion", "choices": [choice], "usage": USAGE})
    head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answers the requests of a connection at once, a stream event by event."""
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            size = int(head.partition(b"content-length:")[2].split(b"\r\n")[0] or b"0")
            body = await reader.readexactly(size)
            if b'"stream":true' not in body.replace(b" ", b""):
                writer.write(PLAIN)
                continue
            for piece in STREAM:
                writer.write(piece)
                await writer.drain()
    writer.close()


PLAIN, STREAM = _plain(), _stream()


async def stub() -> None:
    """Serves, the port said on stdout."""
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def ours(upstream: str) -> None:
    """Opens a session of our gateway, its address said on stdout, until stdin ends."""
    from fairtrial_gateway_proxy import ProxyGateway  # noqa: PLC0415  # only in its own process

    gateway = ProxyGateway(upstreams={"openai": upstream})
    session = gateway.open("benchmark", 1_000_000.0)
    print(session.environment["OPENAI_BASE_URL"], flush=True)
    sys.stdin.read()
    session.close()


def ask(connection: http.client.HTTPConnection, path: str, *, stream: bool) -> int:
    """Makes one request and reads its reply; returns its bytes."""
    body: dict[str, object] = {"model": MODEL, "stream": stream, "max_tokens": 10}
    body["messages"] = [{"role": "user", "content": "hi"}]
    headers = {"Content-Type": "application/json", "Authorization": "Bearer none"}
    connection.request("POST", path, json.dumps(body), headers)
    reply = connection.getresponse()
    size = sum(len(piece) for piece in iter(lambda: reply.read1(1 << 16), b""))
    reply.read()  # lets go of the connection
    if reply.status != http.client.OK:
        raise SystemExit(f"the reply is {reply.status}")
    return size


def connect(base: str) -> tuple[http.client.HTTPConnection, str]:
    """Returns a connection that doesn't wait to fill its packets, and the path to ask for."""
    parts = urlsplit(base)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=120)
    connection.connect()
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection, f"{parts.path}/chat/completions"


def measure(base: str) -> dict[str, float]:
    """Measures one way to the stub."""
    connection, path = connect(base)
    took = []
    for _ in range(WARM + REQUESTS):
        begin = time.perf_counter()
        ask(connection, path, stream=False)
        took.append(time.perf_counter() - begin)
    rates = []
    for _ in range(5):
        begin = time.perf_counter()
        size = ask(connection, path, stream=True)
        rates.append(size / 1e6 / (time.perf_counter() - begin))
    connection.close()
    begin = time.perf_counter()
    done = at_once(base)
    return {
        "latency_ms": round(statistics.median(took[WARM:]) * 1000, 3),
        "latency_p10_ms": round(statistics.quantiles(took[WARM:], n=10)[0] * 1000, 3),
        "stream_mb_s": round(statistics.median(rates), 1),
        "streams": done,
        "streams_mb_s": round(done * REPLY_BYTES / 1e6 / (time.perf_counter() - begin), 1),
    }


def at_once(base: str) -> int:
    """Reads streams at once; returns how many came whole."""
    whole: list[int] = []

    def one() -> None:
        connection, path = connect(base)
        whole.append(ask(connection, path, stream=True))
        connection.close()

    threads = [threading.Thread(target=one) for _ in range(STREAMS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(size >= REPLY_BYTES * 0.9 for size in whole)


@contextlib.contextmanager
def started(*argv: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Starts a process; yields it and the first line that it says."""
    with subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            yield process, str(process.stdout and process.stdout.readline()).strip()
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def peak_mb(pid: int) -> float:
    """Returns the most memory that a process ever held."""
    text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return round(int(text.partition("VmHWM:")[2].split()[0]) / 1024, 1)


def cache() -> Path:
    """Returns where what is measured against is kept."""
    return platformdirs.user_cache_path("fairtrial") / "benchmarks"


def litellm() -> Path | None:
    """Returns LiteLLM's program, installed if need be; None where it can't be had."""
    place = cache() / "litellm"
    program = place / "bin" / "litellm"
    if not program.exists():
        python = str(place / "bin" / "python")
        for argv in (
            ["uv", "venv", "-q", "--python", "3.11", str(place)],
            ["uv", "pip", "install", "-q", "--python", python, LITELLM],
        ):
            if subprocess.run(argv, check=False, capture_output=True).returncode:
                return None
    return program


@contextlib.contextmanager
def litellm_up(program: Path, upstream: str) -> Iterator[tuple[int, str]]:
    """Starts LiteLLM before the stub; yields its process and its address."""
    with socket.socket() as free, tempfile.TemporaryDirectory() as place:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        config = Path(place) / "config.json"
        way = {"model": f"openai/{MODEL}", "api_base": f"{upstream}/v1", "api_key": "none"}
        models = [{"model_name": MODEL, "litellm_params": way}]
        # It asks for a key of its own, or for these words; the two others have none to check.
        open_to_all = {"dangerously_permit_weak_or_unset_master_key": True}
        settings = {"model_list": models, "general_settings": open_to_all}
        config.write_text(json.dumps(settings), encoding="utf-8")
        argv = [str(program), "--config", str(config), "--host", "127.0.0.1", "--port", str(port)]
        with subprocess.Popen(
            argv,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_LOG": "ERROR"},
            start_new_session=True,
        ) as process:
            try:
                address = f"http://127.0.0.1:{port}"
                wait_for(f"{address}/health/liveliness")
                yield process.pid, f"{address}/v1"
            finally:
                os.killpg(process.pid, signal.SIGKILL)


def wait_for(address: str) -> None:
    """Waits until a server answers."""
    until = time.monotonic() + START_S
    while True:
        try:
            urllib.request.urlopen(address, timeout=2).close()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)
        else:
            return


def main() -> None:
    """Measures all three on two cores."""
    # As installed: modules are compiled once, and not in the memory that is measured.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(cache() / "compiled")
    os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:CORES]))
    program = litellm()
    found: dict[str, object] = {}
    with started(sys.executable, __file__, "stub") as (_, port):
        upstream = f"http://127.0.0.1:{port}"
        direct = measure(f"{upstream}/v1")
        with started(sys.executable, __file__, "ours", upstream) as (_, base):
            measure(base)
        with started(sys.executable, __file__, "ours", upstream) as (process, base):
            through = {**measure(base), "peak_mb": peak_mb(process.pid)}
        if program is None:
            found["litellm"] = "can't be installed here"
        else:
            try:
                with litellm_up(program, upstream) as (pid, base):
                    found["litellm"] = {**measure(base), "peak_mb": peak_mb(pid)}
            except OSError as error:
                found["litellm"] = f"doesn't start here: {error}"
    added = through["latency_ms"] - direct["latency_ms"]
    # On a machine that others use too, the quickest tenth says more of the work itself.
    least = through["latency_p10_ms"] - direct["latency_p10_ms"]
    share = through["stream_mb_s"] / direct["stream_mb_s"]
    print(
        json.dumps(
            {
                "benchmark": "gateway",
                "added_ms": round(added, 3),
                "added_p10_ms": round(least, 3),
                "stream_share": round(share, 2),
                "direct": direct,
                "ours": through,
                **found,
            }
        )
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["stub"]:
        asyncio.run(stub())
    elif sys.argv[1:2] == ["ours"]:
        ours(sys.argv[2])
    else:
        main()
