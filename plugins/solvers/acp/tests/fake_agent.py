#!/usr/bin/env python3
"""An agent of the Agent Client Protocol, as small as can be; the prompt's words choose the scene."""

import itertools
import json
import sys
import time

NUMBERS = itertools.count(100)


def send(**message: object) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def read() -> dict:
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)


def ask(method: str, **params: object) -> dict:
    number = next(NUMBERS)
    send(id=number, method=method, params={"sessionId": "s1", **params})
    while (reply := read()).get("id") != number:
        pass
    return reply


def update(what: str, /, **fields: object) -> None:
    send(
        method="session/update",
        params={"sessionId": "s1", "update": {"sessionUpdate": what, **fields}},
    )


def tell(text: str, kind: str = "agent_message_chunk") -> None:
    update(kind, content={"type": "text", "text": text})


def permission() -> str:
    options = [{"optionId": f"o-{kind}", "name": kind, "kind": kind}
               for kind in ("allow_once", "allow_always", "reject_once")]  # fmt: skip
    call = {"toolCallId": "p1", "title": "Write answer.txt", "kind": "edit"}
    return json.dumps(ask("session/request_permission", toolCall=call, options=options)["result"])


def form() -> str:
    schema = {"type": "object", "properties": {
        "way": {"type": "string", "title": "Way", "enum": ["down", "up"]},
        "sure": {"type": "boolean", "description": "Are you sure?"}}}  # fmt: skip
    reply = ask("elicitation/create", mode="form", message="Which way?", requestedSchema=schema)
    return json.dumps(reply.get("result") or reply)


def terminal() -> str:
    made = ask("terminal/create", command="sh", args=["-c", "pwd; echo err >&2; exit 3"])
    name = made["result"]["terminalId"]
    ended = ask("terminal/wait_for_exit", terminalId=name)["result"]
    shown = ask("terminal/output", terminalId=name)["result"]
    ask("terminal/release", terminalId=name)
    return json.dumps({"exit": ended, "output": shown})


def outside() -> str:
    paths = ("/etc/passwd", "../outside.txt", "link")
    replies = [ask("fs/read_text_file", path=path) for path in paths]
    replies.append(ask("fs/write_text_file", path="/tmp/evil.txt", content="x"))
    return json.dumps(["error" in reply for reply in replies])


SCENES = {"permission": permission, "form": form, "terminal": terminal, "outside": outside}


def turn(prompt: str) -> dict:
    tell("hmm", "agent_thought_chunk")
    said = "fine"
    for word, scene in SCENES.items():
        if f"scene:{word}" in prompt:
            said = scene()
    if "Ask me first" in prompt:
        said = form()
    if "scene:refuse" in prompt:
        return {"stopReason": "refusal"}
    update("tool_call", toolCallId="c1", title="write", kind="edit", status="pending")
    update(
        "tool_call_update", toolCallId="c1", status="in_progress", rawInput={"path": "answer.txt"}
    )
    ask("fs/write_text_file", path="answer.txt", content=prompt)
    back = ask("fs/read_text_file", path="answer.txt")["result"]["content"]
    done = [{"type": "content", "content": {"type": "text", "text": "written"}}]
    update("tool_call_update", toolCallId="c1", status="completed", content=done)
    for piece in (said[:3], said[3:]):
        tell(piece)
    update("usage_update", used=10, size=100, cost={"amount": 0.5, "currency": "USD"})
    usage = {"totalTokens": 38, "inputTokens": 30, "outputTokens": 5, "thoughtTokens": 3,
             "cachedReadTokens": 14, "cachedWriteTokens": 0}  # fmt: skip
    assert back == prompt
    return {"stopReason": "end_turn", "usage": usage}


def reply(method: str, params: dict) -> dict:
    """Returns what a request is answered with."""
    if method == "initialize":
        info = {"name": "fake", "version": "9.8.7"}
        return {"result": {"protocolVersion": 1, "agentInfo": info}}
    if method == "session/new":
        missing = {"code": -32000, "message": "Authentication required"}
        logged_out = "--logged-out" in sys.argv
        return {"error": missing} if logged_out else {"result": {"sessionId": "s1"}}
    if method == "session/prompt":
        if "--overloaded" in sys.argv:
            return {"error": {"code": -32603, "message": "529 overloaded"}}
        if "--dies" in sys.argv:
            sys.exit("segmentation fault")
        return {"result": turn(params["prompt"][0]["text"])}
    if method == "session/set_config_option":
        return {"result": {} if "--odd" in sys.argv else {"configOptions": []}}
    return {"result": {}}


def main() -> None:
    if "--stuck" in sys.argv:
        time.sleep(60)
    if "--noise" in sys.argv:
        sys.stdout.write("Welcome to an agent!\n")
    while True:
        message = read()
        if "method" in message and "id" in message:
            send(id=message["id"], **reply(message["method"], message["params"]))


if __name__ == "__main__":
    main()
