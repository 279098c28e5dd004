"""What ends an agent that goes on asking for the model once its budget is spent."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from fairtrial.api import GatewaySession, SandboxDied, Workspace

GRACE_S = 15.0
"""Seconds that an agent has to leave by itself after its first request that was refused."""

_LOOK_S = 0.5


@contextmanager
def ended_past_budget(
    gateway: GatewaySession | None, workspace: Workspace, *, grace_s: float = GRACE_S
) -> Iterator[None]:
    """
    Ends the agent's programs once its budget is spent and it doesn't leave, while the block runs.

    Some agents try a refused request again for minutes, at no cost but time and joules.

    Args:
        gateway: Says when the budget is spent; None where nothing is metered.
        workspace: Where the programs run.
        grace_s: Seconds for the agent to leave by itself.
    """
    if gateway is None:
        yield
        return
    done = threading.Event()

    def watch() -> None:
        while not gateway.exhausted:
            if done.wait(_LOOK_S):
                return
        pause_s = grace_s
        while not done.wait(pause_s):
            with suppress(SandboxDied):  # whoever settles the workspace next is told
                workspace.settle()
            pause_s = _LOOK_S

    thread = threading.Thread(target=watch, name="past budget", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
