"""Replies that end early, on either side."""

import http.client
import time
from typing import TYPE_CHECKING

import pytest
from fairtrial.api import CostSource
from fairtrial.conformance.models import ScriptedUsage, Step

if TYPE_CHECKING:
    from conftest import Lay

APIS = ("anthropic", "chat", "responses", "gemini")
TOLD = ScriptedUsage(input_uncached=1_000, output=300)


@pytest.mark.parametrize("api", APIS)
def test_a_cut_stream_is_cut_for_the_agent_and_has_no_known_cost(api: str, lay: "Lay") -> None:
    bench = lay(Step(text="one two three", cut_after=1, usage=TOLD))
    session = bench.open()

    with pytest.raises(http.client.IncompleteRead):
        bench.agent(session).ask(api, stream=True)

    session.close()
    (usage,) = session.usage()
    assert (None, CostSource.UNKNOWN) == (usage.cost_usd, usage.cost_source)


def test_the_start_of_a_cut_message_is_kept(lay: "Lay") -> None:
    bench = lay(Step(text="one two three", cut_after=3, usage=TOLD))
    session = bench.open()

    with pytest.raises(http.client.IncompleteRead):
        bench.agent(session).ask("anthropic", stream=True)

    session.close()
    assert [(1_000, 1)] == [(one.input_uncached, one.output) for one in session.usage()]


@pytest.mark.parametrize("api", APIS)
def test_a_cut_plain_reply_is_cut_for_the_agent(api: str, lay: "Lay") -> None:
    bench = lay(Step(text="one two three", cut_after=0, usage=TOLD))
    session = bench.open()

    with pytest.raises((http.client.IncompleteRead, ConnectionError)):
        bench.agent(session).ask(api)

    session.close()
    assert [None] == [one.cost_usd for one in session.usage()]


@pytest.mark.parametrize("api", APIS)
def test_a_known_cost_stands_beside_an_unknown_one(api: str, lay: "Lay") -> None:
    bench = lay(Step(text="one two", cut_after=1), Step(text="one two", usage=TOLD))
    session = bench.open()

    with pytest.raises(http.client.IncompleteRead):
        bench.agent(session).ask(api, stream=True)
    bench.agent(session).ask(api, stream=True)

    session.close()
    costs = [one.cost_usd for one in session.usage()]
    assert [True, False] == [cost is None for cost in costs]


@pytest.mark.parametrize("api", APIS)
def test_a_reply_whose_agent_hung_up_is_read_to_its_end(api: str, lay: "Lay") -> None:
    step = Step(text="x" * 3_000_000, pieces=300, pause_after=100, pause_s=0.1, usage=TOLD)
    bench = lay(step)
    session = bench.open()
    agent = bench.agent(session)

    with agent.connected(*agent.target(api, stream=True)) as (_, response):
        response.read1(100)

    session.close()
    (usage,) = session.usage()
    assert (1_000, 300) == (usage.input_uncached, usage.output)
    assert usage.cost_usd is not None


def test_a_reply_that_never_ends_holds_no_session_open(lay: "Lay") -> None:
    bench = lay(Step(text="one two", pause_after=4, pause_s=30.0, usage=TOLD), drain_s=0.1)
    session = bench.open()
    agent = bench.agent(session)

    with agent.connected(*agent.target("anthropic", stream=True)) as (_, response):
        response.read1(100)
    begin = time.monotonic()
    session.close()

    assert time.monotonic() - begin < 2
    assert [(1_000, None)] == [(one.input_uncached, one.cost_usd) for one in session.usage()]


@pytest.mark.parametrize(
    ("api", "kind"),
    [("anthropic", "api_error"), ("chat", "server_error"), ("gemini", "UNAVAILABLE")],
)
def test_a_provider_that_hangs_up_is_told_in_its_own_style(
    api: str, kind: str, lay: "Lay"
) -> None:
    bench = lay(Step(hang_up=True, repeat=0))
    session = bench.open()

    reply = bench.agent(session).ask(api)

    assert 502 == reply.status
    assert kind in str(reply.json["error"])
    assert () == session.usage()


def test_a_provider_that_is_not_there_is_told(lay: "Lay") -> None:
    bench = lay(upstreams={"anthropic": "http://127.0.0.1:9"})
    session = bench.open()

    reply = bench.agent(session).ask("anthropic")

    assert 502 == reply.status


def test_a_silent_provider_is_given_up(lay: "Lay") -> None:
    bench = lay(Step(text="late", stall_s=30.0), timeout_s=0.1)
    session = bench.open()

    reply = bench.agent(session).ask("anthropic")

    assert 504 == reply.status
    assert () == session.usage()
