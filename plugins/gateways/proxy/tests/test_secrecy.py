import http.client
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from fairtrial.api import Keyless, MachineError
from fairtrial.conformance.models import ScriptedUsage, Step
from fairtrial_gateway_proxy import ProxyGateway

if TYPE_CHECKING:
    from conftest import Lay

KEYS = {
    "ANTHROPIC_API_KEY": "real-anthropic-key",
    "OPENAI_API_KEY": "real-openai-key",
    "GEMINI_API_KEY": "real-google-key",
}
BEARS = {
    "anthropic": "real-anthropic-key",
    "chat": "real-openai-key",
    "responses": "real-openai-key",
    "gemini": "real-google-key",
}


@pytest.fixture
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, key in KEYS.items():
        monkeypatch.setenv(name, key)


@pytest.mark.usefixtures("_keys")
@pytest.mark.parametrize("api", BEARS)
def test_the_provider_gets_the_real_key_and_the_agent_holds_a_secret_that_ends_with_the_trial(
    api: str, lay: "Lay"
) -> None:
    bench = lay()
    session = bench.open()
    secret = session.environment["ANTHROPIC_API_KEY"]
    agent = bench.agent(session, x_api_key=secret, authorization=f"Bearer {secret}")
    address, body = agent.target(api, stream=True)

    agent.fetch(f"{address}{'&' if '?' in address else '?'}key={secret}", body)

    (seen,) = bench.server.seen
    assert seen.bears(BEARS[api])
    assert not seen.bears(secret)
    assert "key=" not in seen.path
    assert not any(key in str(session.environment) for key in KEYS.values())


@pytest.mark.usefixtures("_keys")
def test_no_key_and_no_prompt_is_in_the_log(tmp_path: Path, lay: "Lay") -> None:
    log = tmp_path / "deep" / "gateway.jsonl"
    bench = lay(Step(text="fine", usage=ScriptedUsage(output=400)), log=log)
    session = bench.open(0.005)
    agent = bench.agent(session, x_api_key="real-anthropic-key")

    for _ in range(2):
        agent.ask("anthropic", stream=True)

    text = log.read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert [200, 402] == [line["status"] for line in lines]
    assert ("add × cheap × 1", "claude-opus-4-8", 400) == (
        lines[0]["label"],
        lines[0]["tells"],
        lines[0]["output"],
    )
    assert not any(
        word in text for word in (*KEYS.values(), session.environment["OPENAI_API_KEY"])
    )
    assert '"hi"' not in text


def test_prompts_are_logged_where_that_is_asked_for(tmp_path: Path, lay: "Lay") -> None:
    bench = lay(log=tmp_path / "log", log_prompts=True)

    bench.agent(bench.open()).ask("chat")

    line = json.loads((tmp_path / "log").read_text())
    assert [{"role": "user", "content": "hi"}] == line["body"]["messages"]


def test_a_log_that_cant_be_written_is_told_before_the_first_request(
    tmp_path: Path, lay: "Lay"
) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(MachineError) as caught:
        lay(log=tmp_path / "file" / "gateway.jsonl").open()

    assert f"the gateway's log “{tmp_path}/file/gateway.jsonl” can't be written" == (
        caught.value.problem
    )


def test_a_log_whose_disk_is_full_costs_no_agent_its_reply(lay: "Lay") -> None:
    bench = lay(Step(text="fine", usage=ScriptedUsage(output=400)), log=Path("/dev/full"))
    session = bench.open()

    assert 200 == bench.agent(session).ask("anthropic").status
    assert [400] == [usage.output for usage in session.usage()]


def test_a_prompt_with_half_a_character_is_logged_and_goes_through(
    tmp_path: Path, lay: "Lay"
) -> None:
    log = tmp_path / "gateway.jsonl"
    bench = lay(Step(text="fine"), log=log, log_prompts=True)
    agent = bench.agent(bench.open())
    address, _ = agent.target("anthropic", stream=False)
    body = {"model": "claude-opus-4-8", "messages": [{"role": "user", "content": "\ud800"}]}

    assert 200 == agent.fetch(address, json.dumps(body).encode()).status
    assert body == json.loads(log.read_text())["body"]


def test_another_path_than_a_trials_own_leads_nowhere(lay: "Lay") -> None:
    bench = lay()
    session = bench.open()
    agent = bench.agent(session)
    address, body = agent.target("anthropic", stream=False)
    secret = urlsplit(address).path.split("/")[1]

    statuses = [
        agent.fetch(address.replace(secret, other), body).status
        for other in ("0" * 32, "", secret[:-1], f"{secret}x")
    ]

    assert [404] * 4 == statuses
    assert [] == bench.server.seen


def test_a_closed_session_is_refused_while_another_one_goes_on(lay: "Lay") -> None:
    bench = lay()
    closed, other = bench.open(), bench.open()
    closed.close()

    assert 404 == bench.agent(closed).ask("anthropic").status
    assert 200 == bench.agent(other).ask("anthropic").status


def test_after_the_last_session_nobody_listens_and_the_next_one_starts_afresh(lay: "Lay") -> None:
    bench = lay()
    session = bench.open()
    assert session.socket is not None
    place = session.socket.parent
    session.close()

    with pytest.raises(ConnectionError):
        bench.agent(session).ask("anthropic")
    assert not place.exists()
    assert 200 == bench.agent(bench.open()).ask("anthropic").status


def test_a_connection_that_an_agent_keeps_alive_holds_no_session_open(lay: "Lay") -> None:
    bench = lay()
    session = bench.open()
    agent = bench.agent(session)
    parts = urlsplit(agent.target("anthropic", stream=False)[0])
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=10)
    connection.request("POST", parts.path, agent.target("anthropic", stream=False)[1])
    connection.getresponse().read()

    begin = time.monotonic()
    session.close()

    assert time.monotonic() - begin < 2
    connection.close()


def test_a_missing_key_is_told_by_the_name_of_its_variable(
    monkeypatch: pytest.MonkeyPatch, lay: "Lay"
) -> None:
    monkeypatch.delenv("MY_KEY", raising=False)
    bench = lay(
        upstreams={"anthropic": "https://provider.invalid"},
        key_variables={"anthropic": "MY_KEY"},
    )

    reply = bench.agent(bench.open()).ask("anthropic")

    error = {
        "type": "authentication_error",
        "message": "the variable “MY_KEY” is not set where fairtrial runs",
    }
    assert (401, error) == (reply.status, reply.json["error"])


def test_proxies_of_the_environment_are_followed_only_where_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, lay: "Lay"
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)

    statuses = [
        bench.agent(bench.open()).ask("anthropic").status for bench in (lay(), lay(trust_env=True))
    ]

    assert [200, 502] == statuses


def test_every_address_is_below_the_trials_own_path(lay: "Lay") -> None:
    session = lay().open()
    told = session.environment
    base = f"{told['ANTHROPIC_BASE_URL'].removesuffix('/anthropic')}"

    assert base.startswith("http://127.0.0.1:")
    assert base.endswith(told["ANTHROPIC_API_KEY"])
    assert (f"{base}/openai/v1", f"{base}/google") == (
        told["OPENAI_BASE_URL"],
        told["GOOGLE_GEMINI_BASE_URL"],
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"upstreams": {"antropic": "https://x.example"}}, "the provider “antropic”; known are"),
        ({"upstreams": {"openai": "x.example"}}, "upstreams.openai is no address"),
        ({"upstreams": {"openai": "https://a:b@x.example"}}, "may hold no name, password"),
        ({"key_variables": {"azure": "X"}}, "the provider “azure”; known are"),
    ],
)
def test_what_is_no_provider_or_no_address_is_refused(
    fields: dict[str, dict[str, str]], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        ProxyGateway(**fields)  # type: ignore[arg-type]  # wrong on purpose


def test_a_session_says_for_which_providers_there_is_no_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GEMINI_API_KEY", "real-google-key")
    monkeypatch.setenv("MY_KEY", "")
    gateway = ProxyGateway(
        upstreams={"anthropic": "http://127.0.0.1:9"}, key_variables={"openai": "MY_KEY"}
    )

    session = gateway.open("add × cheap × 1", None)
    session.close()

    assert isinstance(session, Keyless)
    # The server on this machine needs none.
    assert {"OPENAI_BASE_URL": "MY_KEY", "OPENAI_API_BASE": "MY_KEY"} == session.keyless
    assert session.keyless.keys() <= session.environment.keys()
