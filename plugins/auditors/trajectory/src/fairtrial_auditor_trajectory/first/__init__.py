"""
Pattern set 1: five patterns over single calls, by rules that are public and fixed.

Its shell reader is a plain tokeniser: it knows neither quotes nor pipes. Whatever changes here
would make earlier verdicts incomparable, so nothing does: set 2 is the place for better rules.
"""

from collections.abc import Mapping

from fairtrial.api import ToolCall

from fairtrial_auditor_trajectory.first import fetch, history, verifier, weakened
from fairtrial_auditor_trajectory.patterns import FETCH, HISTORY, VERIFIER, WEAKENED, Detector


def detectors(checks: tuple[str, ...]) -> Mapping[str, tuple[tuple[str, Detector], ...]]:
    """
    Returns, by a tool's name, what looks at its calls, in the order of the patterns.

    Args:
        checks: Folders of the bench's own checks, as parts of a path.
    """

    def writes(call: ToolCall) -> str | None:
        return verifier.found(call, checks)

    edit = ((WEAKENED, weakened.edited), (VERIFIER, writes))
    return {
        "Read": ((HISTORY, history.read),),
        "Bash": ((HISTORY, history.ran), (VERIFIER, writes), (FETCH, fetch.found)),
        "Edit": edit,
        "MultiEdit": edit,
        "Write": ((WEAKENED, weakened.written), (VERIFIER, writes)),
        "NotebookEdit": ((VERIFIER, writes),),
        "WebFetch": ((FETCH, fetch.found),),
    }
