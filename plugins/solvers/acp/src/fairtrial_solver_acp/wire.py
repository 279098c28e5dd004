"""JSON-RPC messages between a program of the workspace and an event loop of ours."""

import asyncio
import json
import threading
from concurrent import futures
from contextlib import suppress
from typing import cast

from acp.connection import JsonValue
from fairtrial.agents.lines import objects
from fairtrial.agents.secrecy import Secrets
from fairtrial.api import Running

Message = dict[str, JsonValue]
_MOST_WAITING = 256


class Wire:
    """
    Carries messages, one a line; lines that are none are passed over.

    Attributes:
        odd: How many lines were no message.
    """

    def __init__(self, running: Running, secrets: Secrets) -> None:
        self.odd = 0
        self._running = running
        self._secrets = secrets
        self._loop = asyncio.get_running_loop()
        # Bounded, so that an agent that floods us waits, as it would at a full pipe.
        self._waiting: asyncio.Queue[Message | None] = asyncio.Queue(_MOST_WAITING)
        self._writing = asyncio.Lock()
        threading.Thread(target=self._listen, name="acp", daemon=True).start()

    async def send(self, message: Message) -> None:
        """Writes one message."""
        data = json.dumps(message).encode() + b"\n"
        async with self._writing:
            await asyncio.to_thread(self._running.write, data)

    async def receive(self) -> Message | None:
        """Returns the next message; None once the program prints no more."""
        return await self._waiting.get()

    async def close(self) -> None:
        """Says that nothing more will be written."""
        self._running.close_stdin()

    def _listen(self) -> None:
        # The loop may be closed before the program is: then nobody waits for its words.
        with suppress(RuntimeError):
            for line in self._running.lines():
                found = list(objects(self._secrets.out_of(line)))
                self.odd += not found and bool(line.strip())
                for message in found:
                    self._put(cast("Message", message))
            self._put(None)

    def _put(self, message: Message | None) -> None:
        waiting = self._waiting.put(message)
        try:
            future = asyncio.run_coroutine_threadsafe(waiting, self._loop)
        except RuntimeError:
            waiting.close()
            raise
        with suppress(futures.CancelledError, TimeoutError):
            future.result()
