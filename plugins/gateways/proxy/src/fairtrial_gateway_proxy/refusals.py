"""Refusals in each provider's own style, so that an agent takes them for what they say."""

import json
from collections.abc import Mapping

from attrs import frozen

_ANTHROPIC = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    404: "not_found_error",
    504: "timeout_error",
}
_GOOGLE = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    502: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
_OPENAI = {401: "invalid_api_key", 429: "insufficient_quota"}
_SERVER = 500
# Per day, so that no agent waits for a better minute.
_QUOTA = {
    "@type": "type.googleapis.com/google.rpc.QuotaFailure",
    "violations": [{"quotaMetric": "fairtrial/budget", "quotaId": "BudgetPerDay"}],
}


@frozen(kw_only=True)
class Refusal:
    """
    A reply of the gateway's own.

    Attributes:
        status: The HTTP status.
        message: What is wrong.
        final: Whether asking again is useless.
    """

    status: int
    message: str
    final: bool = True

    @property
    def headers(self) -> Mapping[str, str]:
        """Its headers; the clients of Anthropic and OpenAI heed the one that says not to retry."""
        return {
            "content-type": "application/json",
            "x-should-retry": "false" if self.final else "true",
        }

    def body(self, provider: str) -> bytes:
        """Returns its body in a provider's form."""
        form = {"anthropic": self._anthropic, "google": self._google}.get(provider, self._openai)
        return json.dumps(form()).encode()

    def _anthropic(self) -> dict[str, object]:
        kind = _ANTHROPIC.get(self.status, "api_error")
        return {"type": "error", "error": {"type": kind, "message": self.message}}

    def _openai(self) -> dict[str, object]:
        code = _OPENAI.get(self.status)
        kind = "server_error" if self.status >= _SERVER else "invalid_request_error"
        if code == "insufficient_quota":
            kind = code
        return {"error": {"message": self.message, "type": kind, "param": None, "code": code}}

    def _google(self) -> dict[str, object]:
        word = _GOOGLE.get(self.status, "UNKNOWN")
        error: dict[str, object] = {"code": self.status, "message": self.message, "status": word}
        if word == "RESOURCE_EXHAUSTED":
            error["details"] = [_QUOTA]
        return {"error": error}


def spent(provider: str, budget: str) -> Refusal:
    """Returns the refusal of a request past a budget, which is given in words."""
    return Refusal(status={"anthropic": 402}.get(provider, 429), message=f"{budget} is spent")


def unpriced(model: str) -> Refusal:
    """Returns the refusal of a model without a price, where a budget is to be kept."""
    words = (
        f"no price is known for the model “{model}”, so that a budget can't be kept; "
        f'give it one: prices."{model}" in the gateway\'s table'
    )
    return Refusal(status=400, message=words)


def keyless(variable: str) -> Refusal:
    """Returns the refusal where the harness has no key."""
    words = f"the variable “{variable}” is not set where fairtrial runs"
    return Refusal(status=401, message=words)


NOT_SERVED = Refusal(status=404, message="this gateway doesn't let that request through")
NO_JSON = Refusal(status=400, message="the request is no JSON object")
UNREACHABLE = Refusal(status=502, message="the provider can't be reached", final=False)
SILENT = Refusal(status=504, message="the provider said nothing for too long", final=False)
