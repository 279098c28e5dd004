"""The scripted model server: what it says, to whom, and how it fails."""

import http.client
import json
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from fairtrial.api import ConfigError
from fairtrial.conformance.models import (
    Call,
    Scene,
    Script,
    ScriptedModelServer,
    ScriptedUsage,
    Step,
    load_script,
)

SHELLS = {
    "anthropic": "Bash",
    "chat": "bash",
    "responses": "exec_command",
    "gemini": "run_shell_command",
}
PATHS = {
    "anthropic": "/v1/messages",
    "chat": "/v1/chat/completions",
    "responses": "/v1/responses",
    "gemini": "/v1beta/models/m:generateContent",
}


def body(
    api: str, *, rounds: int = 0, opening: str = "fix it", tools: bool = True
) -> Mapping[str, object]:
    name = SHELLS[api]
    argument = "cmd" if api == "responses" else "command"
    schema = {"type": "object", "properties": {argument: {"type": "string"}}}
    if api == "gemini":
        contents: list[object] = [{"role": "user", "parts": [{"text": opening}]}]
        for _ in range(rounds):
            contents.append({"role": "model", "parts": [{"functionCall": {"name": name}}]})
            contents.append({"role": "user", "parts": [{"functionResponse": {"name": name}}]})
        declared = [{"functionDeclarations": [{"name": name, "parametersJsonSchema": schema}]}]
        return {"contents": contents, **({"tools": declared} if tools else {})}
    if api == "responses":
        items: list[object] = [
            {"role": "user", "content": [{"type": "input_text", "text": opening}]}
        ]
        for _ in range(rounds):
            items.append(
                {"type": "function_call", "call_id": "c", "name": name, "arguments": "{}"}
            )
            items.append({"type": "function_call_output", "call_id": "c", "output": "ok"})
        offered: list[object] = [{"type": "function", "name": name, "parameters": schema}]
        return {"model": "m", "input": items, **({"tools": offered} if tools else {})}
    messages: list[object] = [{"role": "user", "content": opening}]
    for _ in range(rounds):
        if api == "anthropic":
            messages.append({"role": "assistant", "content": [{"type": "tool_use", "name": name}]})
            messages.append({"role": "user", "content": [{"type": "tool_result"}]})
        else:
            messages.append({"role": "assistant", "tool_calls": [{"id": "c"}]})
            messages.append({"role": "tool", "content": "ok"})
    one: object = {"name": name, "input_schema": schema}
    if api == "chat":
        one = {"type": "function", "function": {"name": name, "parameters": schema}}
    return {"model": "m", "messages": messages, **({"tools": [one]} if tools else {})}


def ask(server: ScriptedModelServer, path: str, data: object, **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection(
        "127.0.0.1", int(server.url.rpartition(":")[2]), timeout=5
    )
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("POST", path, json.dumps(data), named)
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    return reply.status, text


@pytest.mark.parametrize("api", PATHS)
def test_first_it_calls_the_agents_own_shell_and_after_the_result_it_ends(api: str) -> None:
    steps = (Step(shell="touch done"), Step(text="All done."))
    with ScriptedModelServer(Script(steps=steps)) as server:
        _, first = ask(server, PATHS[api], body(api))
        _, second = ask(server, PATHS[api], body(api, rounds=1))
        _, third = ask(server, PATHS[api], body(api, rounds=2))

    assert "touch done" in first
    assert SHELLS[api] in first
    assert "All done." in second
    assert "Done." in third
    assert [0, 1, None] == [seen.step for seen in server.seen]


@pytest.mark.parametrize("api", PATHS)
def test_a_failure_is_used_up_and_the_conversation_goes_on(api: str) -> None:
    steps = (Step(error=429, repeat=2), Step(text="at last"))
    with ScriptedModelServer(Script(steps=steps)) as server:
        replies = [ask(server, PATHS[api], body(api)) for _ in range(3)]

    assert [429, 429, 200] == [status for status, _ in replies]
    assert "at last" in replies[2][1]


def test_two_conversations_use_up_their_failures_apart() -> None:
    with ScriptedModelServer(Script(steps=(Step(error=500), Step(text="x")))) as server:
        statuses = [
            ask(server, PATHS["chat"], body("chat", opening=opening))[0]
            for opening in ("one", "two", "one", "two")
        ]

    assert [500, 500, 200, 200] == statuses


def test_a_scene_is_for_the_conversations_that_it_names() -> None:
    script = Script(
        steps=(Step(text="main"),), scenes=(Scene(when="look around", steps=(Step(text="sub"),)),)
    )
    with ScriptedModelServer(script) as server:
        _, main = ask(server, PATHS["anthropic"], body("anthropic"))
        _, sub = ask(server, PATHS["anthropic"], body("anthropic", opening="look around, please"))

    assert "main" in main
    assert "sub" in sub


def test_a_request_without_tools_takes_no_step_that_calls_one() -> None:
    with ScriptedModelServer(Script(steps=(Step(shell="touch x"),))) as server:
        _, title = ask(server, PATHS["chat"], body("chat", tools=False))

    assert "A task" in title
    assert "touch" not in title


def test_several_turns_go_on_after_a_text() -> None:
    steps = (Step(text="first"), Step(text="second"))
    later = {
        "model": "m",
        "messages": [
            {"role": "user", "content": "fix it"},
            {"role": "assistant", "content": "first"},
            {"role": "user", "content": "and now?"},
        ],
    }
    with ScriptedModelServer(Script(steps=steps)) as server:
        _, text = ask(server, PATHS["chat"], later)

    assert "second" in text


def test_what_it_saw_holds_no_key_but_tells_whether_it_was_borne() -> None:
    with ScriptedModelServer() as server:
        ask(server, f"{PATHS['gemini']}?key=query-key", body("gemini"), x_api_key="head-key")
        ask(server, PATHS["chat"], body("chat"), authorization="Bearer bearer-key")

    assert "query-key" not in repr(server.seen)
    assert "head-key" not in repr(server.seen)
    assert [True, True, False] == [server.seen[0].bears(k) for k in ("query-key", "head-key", "x")]
    assert server.seen[1].bears("bearer-key")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("HEAD", "/", 200),
        ("GET", "/v1/models", 200),
        ("POST", "/v1/messages/count_tokens", 200),
        ("POST", "/v1beta/models/m:countTokens", 200),
        ("POST", "/telemetry", 404),
    ],
)
def test_side_requests_are_answered(method: str, path: str, status: int) -> None:
    with ScriptedModelServer() as server:
        port = int(server.url.rpartition(":")[2])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        connection.request(method, path, b"{}" if method == "POST" else None)
        found = connection.getresponse().status
        connection.close()

    assert status == found


def test_closing_lets_a_stalled_request_go() -> None:
    server = ScriptedModelServer(Script(steps=(Step(stall_s=60.0),))).start()
    port = int(server.url.rpartition(":")[2])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request("POST", PATHS["chat"], json.dumps(body("chat")))
    while not server.seen:
        pass

    server.close()

    assert 200 == connection.getresponse().status
    connection.close()


def test_it_listens_on_a_unix_socket_too(tmp_path: Path) -> None:
    path = tmp_path / "model.sock"
    with ScriptedModelServer(socket_path=path):
        connection = http.client.HTTPConnection("localhost")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(str(path))
        connection.request("POST", PATHS["chat"], json.dumps(body("chat")))
        status = connection.getresponse().status
        connection.close()

    assert 200 == status
    assert not path.exists()


def test_a_script_is_read_from_toml_and_from_json(tmp_path: Path) -> None:
    toml, as_json = tmp_path / "a.toml", tmp_path / "a.json"
    toml.write_text(
        '[[steps]]\ncalls = [{name = "Read", arguments = {path = "x"}}]\n'
        "usage = {cache_read = 7}\n[[steps]]\nerror = 529\n"
    )
    as_json.write_text(
        '{"steps": [{"calls": [{"name": "Read", "arguments": {"path": "x"}}],'
        ' "usage": {"cache_read": 7}}, {"error": 529}]}'
    )
    call = Call(name="Read", arguments={"path": "x"})
    expected = Script(
        steps=(Step(calls=(call,), usage=ScriptedUsage(cache_read=7)), Step(error=529))
    )

    assert [expected, expected] == [load_script(toml), load_script(as_json)]


@pytest.mark.parametrize("text", ["steps = [{txt = 'x'}]", "steps = [{error = 200}]", "[[["])
def test_a_script_with_a_mistake_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text)

    with pytest.raises(ConfigError, match=r"wrong\.toml"):
        load_script(path)


def test_the_program_says_where_it_serves(tmp_path: Path) -> None:
    path = tmp_path / "script.toml"
    path.write_text('[[steps]]\ntext = "from a file"\n')
    argv = [sys.executable, "-m", "fairtrial.conformance.models", str(path)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline().strip().rpartition(":")[2])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        connection.request("POST", PATHS["chat"], json.dumps(body("chat")))
        text = connection.getresponse().read()
        connection.close()
        process.terminate()

    assert b"from a file" in text
