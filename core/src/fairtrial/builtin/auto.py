"""The sandbox `auto`: the strongest that works on this machine, and a word where it is weak."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import cast

import structlog
from attrs import frozen

from fairtrial.api import FairtrialError, Fence, MachineError, Network, Sandbox, Workspace
from fairtrial.builtin.local import LocalSandbox, opened
from fairtrial.registry import load

STRONG = "bubblewrap"
"""The sandbox that is taken where it works."""
_TRY_S = 30.0

log = structlog.get_logger()


@frozen(kw_only=True)
class AutoSandbox:
    """
    Runs programs in `bubblewrap` where that works, else in `local`, with a warning.

    Which of them it was, and why not the stronger one, is in each trial's record.
    """

    @contextmanager
    def open(self, label: str, fence: Fence, /) -> Iterator[Workspace]:
        """
        Opens an empty workspace; leaving it kills what runs there and removes the directory.

        Raises:
            MachineError: The fence is required, and only `local` works here, which has none.
        """
        strong, why_not = chosen()
        if strong is not None:
            with strong.open(label, fence) as workspace:
                yield workspace
            return
        if fence.required:
            raise MachineError(
                problem="a fence is required, and this machine can't have one",
                facts=((STRONG, why_not), ("local", "has no fence")),
                way_on="`fairtrial doctor` says what is missing and how to install it",
            )
        with opened(LocalSandbox(), label, fence, {"fallback": why_not}) as workspace:
            yield workspace


@cache
def chosen() -> tuple[Sandbox | None, str]:
    """
    Returns the strong sandbox; None, and why, where it doesn't work. Tried once a process.

    The first time that it doesn't, a warning is logged.
    """
    sandbox: Sandbox | None = None
    try:
        sandbox = cast("Sandbox", load("sandbox", STRONG, asked_in="the sandbox “auto”")())
        with sandbox.open("a try", Fence(network=Network.NONE)) as workspace:
            code = workspace.run(["true"], timeout_s=_TRY_S).code
        why_not = "" if code == 0 else f"`true` exits with {code} in it"
    except (FairtrialError, OSError) as error:
        why_not = _reason(error)
    if not why_not:
        return sandbox, ""
    log.warning("sandbox is weaker than asked", sandbox="local", because=why_not)
    return None, why_not


def _reason(error: Exception) -> str:
    facts = error.facts if isinstance(error, FairtrialError) else ()
    told = [value for heading, value in facts if heading in {"it said", "because"}]
    return ": ".join([str(error), *told])


_: type[Sandbox] = AutoSandbox
