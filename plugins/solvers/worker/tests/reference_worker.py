"""
A worker that keeps the protocol, in the standard library alone: a model for those who write one.

It listens on the socket that it is given, writes the answer into the workspace, and asks first
where the prompt says so. Words in the prompt make it slow, so that it can be cancelled.

Usage: reference_worker.py SOCKET
"""

import json
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

VERSION = "1.0"
NO_COMMON_VERSION = -32001
NO_SUCH_METHOD = -32601


class Worker:
    """Serves one harness."""

    def __init__(self, connection: socket.socket) -> None:
        self.stream = connection.makefile("rwb")
        self.lock = threading.Lock()
        self.cancelled = threading.Event()
        self.answered = threading.Event()
        self.answers: list[dict[str, object]] = []
        self.over = threading.Event()

    def send(self, **message: object) -> None:
        line = json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"
        with self.lock:
            self.stream.write(line)
            self.stream.flush()

    def messages(self) -> Iterator[dict[str, object]]:
        for line in self.stream:
            yield json.loads(line)

    def serve(self) -> None:
        for message in self.messages():
            method = message.get("method")
            if method is None:
                self.answers = message["result"]["answers"]  # type: ignore[index]  # only asks are replied to
                self.answered.set()
            elif method == "hello":
                self.hello(message)
            elif method == "start":
                self.send(id=message["id"], result={})
                threading.Thread(target=self.work, args=(message["params"],), daemon=True).start()
            elif method == "cancel":
                self.send(id=message["id"], result={})
                self.cancelled.set()
            elif "id" in message:
                error = {"code": NO_SUCH_METHOD, "message": f"no method {method}"}
                self.send(id=message["id"], error=error)
        self.over.set()

    def hello(self, message: dict[str, object]) -> None:
        params: dict[str, object] = message["params"]  # type: ignore[assignment]  # by the protocol
        if VERSION not in params["versions"]:  # type: ignore[operator]  # by the protocol
            error = {"code": NO_COMMON_VERSION, "message": VERSION}
            self.send(id=message["id"], error=error)
            return
        beat_s = float(str(params["heartbeat_s"]))
        threading.Thread(target=self.beat, args=(beat_s / 2,), daemon=True).start()
        me = {"name": "reference", "version": "2.1"}
        result = {"version": VERSION, "worker": me, "capabilities": ["ask", "cancel"]}
        self.send(id=message["id"], result=result)

    def beat(self, every_s: float) -> None:
        while not self.over.wait(every_s):
            self.send(method="heartbeat")

    def event(self, **event: object) -> None:
        self.send(method="event", params={"event": event})

    def work(self, task: dict[str, object]) -> None:
        prompt = str(task["prompt"])
        answer = self.ask() if "Ask me" in prompt else "5"
        place = Path(str(task["workspace"])) / "answer.txt"
        call = {"file_path": str(place), "content": answer}
        self.event(type="tool_call", tool_call_id="1", name="Write", input=call)
        place.write_text(answer + "\n")
        self.event(type="tool_result", tool_call_id="1", output="written")
        if "slowly" in prompt:
            self.cancelled.wait(60)
        self.event(type="assistant_text", text=f"The answer is {answer}.")
        self.event(type="checkpoint", number=1)
        used = {"model": "reference-1", "input_uncached": 12, "output": 3, "cost_usd": 0.01}
        ending = "timed-out" if self.cancelled.is_set() else "finished"
        self.send(method="finish", params={"ending": ending, "usage": [used]})

    def ask(self) -> str:
        options = [{"label": "five"}, {"label": "5", "description": "as a figure"}]
        question = {"text": "In words?", "options": options}
        self.send(id="q1", method="ask", params={"questions": [question]})
        self.answered.wait(60)
        return str(self.answers[0]["picked"][0])  # type: ignore[index]  # one answer a question


def main() -> None:
    place = sys.argv[1]
    with socket.socket(socket.AF_UNIX) as listener:
        # Bound under another name first, so that nobody finds a socket that doesn't listen yet.
        listener.bind(place + ".new")
        listener.listen(1)
        Path(place + ".new").rename(place)
        connection, _ = listener.accept()
        with connection:
            Worker(connection).serve()


if __name__ == "__main__":
    main()
