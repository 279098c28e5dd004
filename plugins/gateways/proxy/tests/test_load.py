import http.client
import socket
import threading
from typing import TYPE_CHECKING

from fairtrial.conformance.models import ScriptedUsage, Step

if TYPE_CHECKING:
    from conftest import Lay

TOLD = ScriptedUsage(input_uncached=10, output=20)


def test_sixty_four_streams_at_once_are_all_metered(lay: "Lay") -> None:
    bench = lay(Step(text="word " * 400, pieces=200, stall_s=0.05, usage=TOLD))
    session = bench.open()
    there = threading.Barrier(64)
    statuses: list[int] = []

    def ask() -> None:
        there.wait()
        statuses.append(bench.agent(session).ask("anthropic", stream=True).status)

    threads = [threading.Thread(target=ask) for _ in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [200] * 64 == statuses
    assert [(640, 1280)] == [(one.input_uncached, one.output) for one in session.usage()]


def test_a_prompt_of_many_megabytes_goes_through(lay: "Lay") -> None:
    bench = lay(Step(text="fine", usage=TOLD))
    session = bench.open()
    agent = bench.agent(session, expect="100-continue")
    address, _ = agent.target("chat", stream=False)
    body = b'{"model":"gpt-5.4-mini","messages":[{"role":"user","content":"%s"}]}'

    reply = agent.fetch(address, body % (b"x" * 8_000_000))

    assert 200 == reply.status


def test_the_unix_socket_serves_the_same(lay: "Lay") -> None:
    bench = lay(Step(text="fine", usage=TOLD))
    session = bench.open()
    address, body = bench.agent(session).target("anthropic", stream=False)
    connection = http.client.HTTPConnection("localhost")
    connection.sock = socket.socket(socket.AF_UNIX)
    connection.sock.connect(str(session.socket))

    connection.request("POST", "/" + address.split("/", 3)[3], body)
    reply = connection.getresponse()
    reply.read()
    connection.close()

    assert 200 == reply.status
    assert [20] == [one.output for one in session.usage()]
