import http.client
import json
import threading
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from fairtrial.conformance.models import ScriptedUsage, Step
from fairtrial_gateway_proxy import Price

if TYPE_CHECKING:
    from conftest import Lay

# A cent at the table's price of claude-opus-4-8, and of the others at the test's own.
TOLD = ScriptedUsage(input_uncached=0, output=400)
OWN = {
    name: Price(input=5.0, output=25.0)
    for name in ("claude-opus-4-8", "gpt-5.4-mini", "gemini-2.5-flash")
}


@pytest.mark.parametrize(
    ("api", "status", "kind"),
    [
        ("anthropic", 402, "billing_error"),
        ("chat", 429, "insufficient_quota"),
        ("responses", 429, "insufficient_quota"),
        ("gemini", 429, "RESOURCE_EXHAUSTED"),
    ],
)
def test_past_the_budget_the_next_request_gets_the_providers_own_error(
    api: str, status: int, kind: str, lay: "Lay"
) -> None:
    bench = lay(Step(text="fine", usage=TOLD), prices=OWN)
    session = bench.open(0.015)
    agent = bench.agent(session)

    served = [agent.ask(api, stream=True).status for _ in range(2)]
    before = session.exhausted
    refused = agent.ask(api, stream=True)

    assert [200, 200] == served
    assert not before
    assert session.exhausted
    assert (status, "false") == (refused.status, refused.headers["x-should-retry"])
    assert kind in json.dumps(refused.json)
    assert "the budget of $0.015 for this task is spent" in json.dumps(refused.json)
    assert 2 == len(bench.server.seen)
    assert [pytest.approx(0.02)] == [one.cost_usd for one in session.usage()]


def test_past_a_stages_part_a_request_is_refused_until_the_stage_ends(lay: "Lay") -> None:
    bench = lay(Step(text="fine", usage=TOLD), prices=OWN)
    session = bench.open(None)
    agent = bench.agent(session)

    session.begin_part(0.025)
    session.begin_part(0.005)
    statuses = [agent.ask("anthropic").status]
    refused = agent.ask("anthropic")
    inner = session.end_part()
    statuses += [agent.ask("anthropic").status for _ in range(3)]
    outer = session.end_part()
    statuses += [agent.ask("anthropic").status]

    assert (402, [200, 200, 200, 402, 200]) == (refused.status, statuses)
    assert "the budget of $0.005 for this stage is spent" in json.dumps(refused.json)
    assert (True, True, False) == (inner, outer, session.exhausted)


def test_requests_at_once_cross_the_budget_by_one_request_at_most(lay: "Lay") -> None:
    bench = lay(Step(text="fine", stall_s=0.02, usage=TOLD), prices=OWN)
    session = bench.open(0.035)
    statuses: list[int] = []

    def ask() -> None:
        statuses.append(bench.agent(session).ask("anthropic", stream=True).status)

    threads = [threading.Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [200] * 4 + [402] * 8 == sorted(statuses)
    assert [pytest.approx(0.04)] == [one.cost_usd for one in session.usage()]


def test_a_request_whose_agent_hung_up_while_it_waited_is_not_sent(lay: "Lay") -> None:
    bench = lay(Step(text="fine", stall_s=0.3, usage=TOLD), prices=OWN)
    session = bench.open(0.02)
    agent = bench.agent(session)
    first = threading.Thread(target=agent.ask, args=("anthropic",))
    first.start()
    while not bench.server.seen and first.is_alive():
        first.join(0.005)
    address, body = agent.target("anthropic", stream=False)
    parts = urlsplit(address)
    impatient = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=10)
    impatient.request("POST", f"{parts.path}?{parts.query}", body)
    impatient.close()
    first.join()
    # Whoever asks now comes after it.
    assert 200 == agent.ask("anthropic").status

    assert 2 == len(bench.server.seen)
    assert [800] == [one.output for one in session.usage()]


def test_without_danger_to_the_budget_requests_run_at_once(lay: "Lay") -> None:
    bench = lay(Step(text="fine", stall_s=0.1, usage=TOLD), prices=OWN)
    session = bench.open(100.0)
    there = threading.Barrier(4)

    def ask() -> None:
        there.wait()
        bench.agent(session).ask("anthropic", stream=True)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    while len(bench.server.seen) < 4 and any(thread.is_alive() for thread in threads):
        threads[0].join(0.005)
    open_at_once = sum(thread.is_alive() for thread in threads)
    for thread in threads:
        thread.join()

    assert 4 == open_at_once


@pytest.mark.parametrize("model", ["fake-model-1", "claude-opus-4-8-lookalike"])
def test_a_model_without_a_price_is_refused_under_a_budget(model: str, lay: "Lay") -> None:
    bench = lay(Step(text="fine", usage=TOLD))
    session = bench.open(1.0)

    reply = bench.agent(session).ask("anthropic", model=model)

    assert 400 == reply.status
    assert f'give it one: prices.\\"{model}\\"' in reply.body.decode()
    assert [] == bench.server.seen
    assert not session.exhausted


@pytest.mark.parametrize("model", ["fake-model-1", "claude-opus-4-8-lookalike"])
def test_a_model_without_a_price_is_metered_without_dollars(model: str, lay: "Lay") -> None:
    bench = lay(Step(text="fine", usage=TOLD))
    session = bench.open()

    bench.agent(session).ask("anthropic", stream=True, model=model)

    assert [(model, 400, None)] == [(x.model, x.output, x.cost_usd) for x in session.usage()]


def test_a_price_of_the_users_own_goes_before_the_table(lay: "Lay") -> None:
    bench = lay(Step(text="x", usage=TOLD), prices={"fake": Price(input=1.0, output=10.0)})
    session = bench.open(1.0)

    bench.agent(session).ask("anthropic", model="fake")

    assert [pytest.approx(0.004)] == [one.cost_usd for one in session.usage()]


def test_a_stream_without_usage_counts_against_the_budget_and_has_no_cost(lay: "Lay") -> None:
    bench = lay(Step(text="fine " * 1_000, no_usage=True), prices=OWN)
    session = bench.open(0.03)
    agent = bench.agent(session)

    first = agent.ask("chat", stream=True)
    second = agent.ask("chat", stream=True)

    assert [200, 429] == [first.status, second.status]
    assert [None] == [one.cost_usd for one in session.usage()]


def test_one_trials_budget_is_not_another_ones(lay: "Lay") -> None:
    bench = lay(Step(text="fine", usage=TOLD), prices=OWN)
    poor, rich = bench.open(0.001), bench.open(1.0)

    for _ in range(2):
        bench.agent(poor).ask("anthropic")

    assert 200 == bench.agent(rich).ask("anthropic").status
    assert (True, False) == (poor.exhausted, rich.exhausted)
