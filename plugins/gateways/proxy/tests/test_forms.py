import gzip
import json
from typing import TYPE_CHECKING

import pytest
from attrs import evolve
from fairtrial.api import CostSource, GatewaySession, Usage
from fairtrial.conformance.models import ScriptedUsage, Step

if TYPE_CHECKING:
    from conftest import Lay

APIS = ("anthropic", "chat", "responses", "gemini")
TOLD = ScriptedUsage(input_uncached=1_000, cache_read=20_000, output=300, reasoning=40)
# Dollars a million of the bundled table: input, cache read, output.
RATES = {
    "anthropic": (5.0, 0.5, 25.0),
    "chat": (0.75, 0.075, 4.5),
    "responses": (0.75, 0.075, 4.5),
    "gemini": (0.3, 0.03, 2.5),
}
MODELS = {
    "anthropic": "claude-opus-4-8",
    "chat": "gpt-5.4-mini",
    "responses": "gpt-5.4-mini",
    "gemini": "gemini-2.5-flash",
}


def metered(api: str, times: int = 1) -> Usage:
    rates = RATES[api]
    cost = (1_000 * rates[0] + 20_000 * rates[1] + 300 * rates[2]) / 1e6
    return Usage(
        model=MODELS[api],
        input_uncached=1_000 * times,
        cache_read=20_000 * times,
        cache_write_5m=0,
        cache_write_1h=0,
        output=300 * times,
        reasoning=None if api == "anthropic" else 40 * times,
        cost_usd=round(cost * times, 9),
        cost_source=CostSource.METERED,
    )


def rounded(session: GatewaySession) -> list[Usage]:
    return [evolve(one, cost_usd=round(one.cost_usd or -1, 9)) for one in session.usage()]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("api", APIS)
def test_what_passes_is_unchanged_and_metered_to_the_token_and_the_cent(
    api: str, stream: bool, lay: "Lay"
) -> None:
    bench = lay(Step(text="fine, thanks", thinking="hm", usage=TOLD))
    session = bench.open()
    agent = bench.agent(session)

    through = agent.ask(api, stream=stream)
    address, body = agent.target(api, stream=stream)
    direct_address = bench.server.url + "/v1" * (api in {"chat", "responses"})
    direct_address += address.partition("/openai/v1" if "openai" in address else "/anthropic")[2]
    if api == "gemini":
        direct_address = bench.server.url + address.partition("/google")[2]
    direct = agent.fetch(direct_address, body)

    assert direct.body.replace(b"000002", b"000001") == through.body
    assert direct.headers["content-type"] == through.headers["content-type"]
    assert [metered(api)] == rounded(session)
    assert [json.loads(body)] * 2 == [seen.body for seen in bench.server.seen]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("api", APIS)
def test_a_compressed_reply_stays_compressed_and_is_metered(
    api: str, stream: bool, lay: "Lay"
) -> None:
    bench = lay(Step(text="fine, thanks", usage=TOLD, compress=True))
    session = bench.open()

    reply = bench.agent(session, accept_encoding="br, gzip, zstd").ask(api, stream=stream)

    assert "gzip" == reply.headers["content-encoding"]
    assert b"fine" in gzip.decompress(reply.body)
    assert [metered(api)] == rounded(session)
    assert "gzip" == bench.server.seen[0].headers["accept-encoding"]


@pytest.mark.parametrize("api", APIS)
def test_a_thousand_small_events_split_at_odd_bytes_are_metered_once(api: str, lay: "Lay") -> None:
    text = "ten bytes\n" * 1_000
    bench = lay(Step(text=text, pieces=1_000, split_bytes=777, usage=TOLD))
    session = bench.open()

    reply = bench.agent(session).ask(api, stream=True)

    assert reply.body.count(b"data: ") >= 1_000
    assert [metered(api)] == rounded(session)


def test_several_requests_of_one_model_are_one_entry(lay: "Lay") -> None:
    bench = lay(Step(text="fine", usage=TOLD))
    session = bench.open()

    for stream in (True, False, True):
        bench.agent(session).ask("anthropic", stream=stream)

    assert [metered("anthropic", 3)] == rounded(session)


def test_cache_writes_of_both_lives_are_priced_apart(lay: "Lay") -> None:
    told = ScriptedUsage(input_uncached=0, cache_write_5m=1_000, cache_write_1h=2_000, output=0)
    bench = lay(Step(text="fine", usage=told))
    session = bench.open()

    bench.agent(session).ask("anthropic", stream=True)

    (usage,) = session.usage()
    assert (1_000, 2_000) == (usage.cache_write_5m, usage.cache_write_1h)
    assert pytest.approx((1_000 * 6.25 + 2_000 * 10) / 1e6) == usage.cost_usd


def test_a_json_stream_of_gemini_is_metered_too(lay: "Lay") -> None:
    bench = lay(Step(text="fine, thanks", usage=TOLD))
    session = bench.open()
    agent = bench.agent(session)
    address, body = agent.target("gemini", stream=True)

    agent.fetch(address.removesuffix("?alt=sse"), body)

    assert [metered("gemini")] == rounded(session)


def test_a_stream_comes_while_it_is_made(lay: "Lay") -> None:
    bench = lay(Step(text="one two", pause_after=4, pause_s=5.0, usage=TOLD))
    session = bench.open()
    agent = bench.agent(session)

    with agent.connected(*agent.target("anthropic", stream=True)) as (_, response):
        first = response.read1(1 << 16)

    assert b"message_start" in first


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/anthropic/", "HEAD", 200),
        ("/anthropic/v1/messages/count_tokens", "POST", 200),
        ("/openai/v1/models", "GET", 200),
        ("/anthropic/v1/messages/batches", "POST", 404),
        ("/openai/v1/embeddings", "POST", 404),
        ("/openai/v1/responses", "GET", 404),
        ("/google/v1beta/models/x:embedContent", "POST", 404),
        ("/elsewhere/v1/messages", "POST", 404),
    ],
)
def test_only_what_is_metered_or_free_goes_through(
    path: str, method: str, status: int, lay: "Lay"
) -> None:
    bench = lay()
    session = bench.open()
    base = session.environment["ANTHROPIC_BASE_URL"].removesuffix("/anthropic")

    reply = bench.agent(session).fetch(base + path, b"{}" if method == "POST" else None, method)

    assert status == reply.status
    assert int(status == 200) == len(bench.server.seen)
    assert () == session.usage()


@pytest.mark.parametrize("status", [401, 429, 500, 529])
@pytest.mark.parametrize("api", APIS)
def test_a_providers_failure_comes_through_as_it_is(api: str, status: int, lay: "Lay") -> None:
    bench = lay(Step(error=status, message="no", retry_after_s=7, repeat=0))
    session = bench.open()

    reply = bench.agent(session).ask(api, stream=True)

    assert (status, "7") == (reply.status, reply.headers["retry-after"])
    assert b'"message":"no"' in reply.body
    assert () == session.usage()
