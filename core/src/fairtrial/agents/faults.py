"""
Whose fault an end is: the agent's own, or that of the provider, its network, or its account.

Only what a tool says at its end is judged here, never what a model or a test printed on the way:
a test that prints “429” is no fault of the provider.
"""

import re

from attrs import frozen

from fairtrial.api import Ending

_LONGEST = 300


@frozen(kw_only=True)
class Failure:
    """
    Why an agent didn't come to a good end.

    Attributes:
        message: One line for the reader.
        ending: What that makes of the attempt.
        limit: Which limit fired, in a machine word.
        passing: Whether the same may work a little later.
    """

    message: str
    ending: Ending
    limit: str = ""
    passing: bool = False


_STATUS = re.compile(
    r"(?:api error|status(?: code)?|http|error|code)\W{0,3}(?P<status>[45]\d\d)\b"
    r"|\((?P<bracketed>[45]\d\d)\)|\b(?P<leading>[45]\d\d) "
    r"(?:unauthorized|forbidden|not found|too many|internal|bad gateway|service|gateway)",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"rate.?limit|too many requests|wait and try again|overloaded|resource.?exhausted|high demand|unavailable"
    r"|unable to connect|could not connect|connect(?:ion)? ?(?:refused|reset|error|lost|closed)"
    r"|ECONN|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EPIPE|fetch failed|socket hang up|network error"
    r"|error sending request|stream (?:disconnected|closed|ended)|incomplete stream"
    r"|terminated early|premature|request timed out|empty response|internal server error",
    re.IGNORECASE,
)
_ACCOUNT = re.compile(
    r"not logged in|please run /login|log ?in again|invalid (?:x-)?api.?key|api key not (?:valid|found)"
    r"|incorrect api key|authenticat|unauthori[sz]ed|permission.?denied for"
    r"|credit balance|insufficient.?quota|billing|exceeded your current quota",
    re.IGNORECASE,
)
_MODEL = re.compile(
    r"model .{0,80}(?:not (?:found|exist|supported)|may not exist|does not exist)", re.IGNORECASE
)
_OURS = re.compile(
    r"prompt is too long|context.?(?:length|window)|max(?:imum)? context", re.IGNORECASE
)
_WAYS_ON = {
    401: "check the key that the agent is given",
    403: "check what the key may use",
    404: "check the model's name and the address",
}


def failure(message: str, status: int | None = None) -> Failure:
    """
    Judges a failure by what the tool said at its end.

    Args:
        message: The tool's own words.
        status: The HTTP status, where the tool tells one.
    """
    line = " ".join(message.split())[:_LONGEST] or "no reason given"
    status = status or _status(line)
    if _OURS.search(line):
        return Failure(message=line, ending=Ending.CRASHED)
    if _account(line, status):
        way_on = (
            _WAYS_ON[404] if _MODEL.search(line) else _WAYS_ON.get(status or 401, _WAYS_ON[401])
        )
        return Failure(message=f"{line}; {way_on}", ending=Ending.INFRA)
    if _provider(line, status):
        return Failure(message=line, ending=Ending.INFRA, passing=True)
    return Failure(message=line, ending=Ending.CRASHED)


def crash(message: str) -> Failure:
    """Returns a failure of the agent's own."""
    return Failure(message=" ".join(message.split())[:_LONGEST], ending=Ending.CRASHED)


def never_began(message: str) -> Failure:
    """Returns the failure of a program that ended before it had begun: it isn't the agent's."""
    line = " ".join(message.split())[:_LONGEST]
    return Failure(message=f"it ended before it began: {line}", ending=Ending.INFRA)


def _status(line: str) -> int | None:
    found = _STATUS.search(line)
    return None if found is None else int(found[found.lastgroup or 0])


def _account(line: str, status: int | None) -> bool:
    known = status in _WAYS_ON or status == 402  # noqa: PLR2004 - payment required
    return known or any(form.search(line) for form in (_ACCOUNT, _MODEL))


def _provider(line: str, status: int | None) -> bool:
    slow = status in {408, 409, 429} or (status is not None and status >= 500)  # noqa: PLR2004 - HTTP
    return slow or _PASSING.search(line) is not None
