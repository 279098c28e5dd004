import pytest
from fairtrial.agents import failure
from fairtrial.api import Ending

PASSING = (
    "API Error: Request rejected (429) · slow down", "529 overloaded", "Overloaded",
    "API Error: 500 Internal server error", "unexpected status 503 Service Unavailable: x",
    "Unable to connect to API (ConnectionRefused)", "fetch failed", "socket hang up",
    "stream disconnected before completion: error", "read ECONNRESET", "rate_limit_error",
    "Error: 429 Too Many Requests", "RESOURCE_EXHAUSTED",
    "We’re currently experiencing high demand, which may cause temporary errors.",
)  # fmt: skip
LASTING = (
    "Failed to authenticate. API Error: 401 invalid", "Not logged in · Please run /login",
    "invalid x-api-key", "API key not valid. Please pass a valid API key.",
    "Your credit balance is too low", "insufficient_quota", "The model `gpt-x` does not exist",
    "unexpected status 403 Forbidden: no", '{"error":{"code":404,"message":"x"}}',
)  # fmt: skip
OWN = (
    "I could not find the bug", "Prompt is too long", "the test prints 429 lines",
    "error in line 503 of main.py: unexpected indent", "",
    "API Error: 400 maximum context length is 200000 tokens",
)  # fmt: skip


@pytest.mark.parametrize("message", PASSING)
def test_a_fault_that_passes_is_the_providers(message: str) -> None:
    judged = failure(message)
    assert (Ending.INFRA, True) == (judged.ending, judged.passing)


@pytest.mark.parametrize("message", LASTING)
def test_a_fault_of_the_account_does_not_pass(message: str) -> None:
    judged = failure(message)
    assert (Ending.INFRA, False) == (judged.ending, judged.passing)
    assert "; check " in judged.message


@pytest.mark.parametrize("message", OWN)
def test_all_else_is_the_agents_own(message: str) -> None:
    judged = failure(message)
    assert (Ending.CRASHED, False) == (judged.ending, judged.passing)
    assert judged.message


@pytest.mark.parametrize(
    ("status", "ending", "passing"),
    [(401, Ending.INFRA, False), (404, Ending.INFRA, False), (408, Ending.INFRA, True),
     (429, Ending.INFRA, True), (529, Ending.INFRA, True), (400, Ending.CRASHED, False)],
)  # fmt: skip
def test_a_status_decides_where_one_is_told(status: int, ending: Ending, passing: bool) -> None:
    judged = failure("x", status)
    assert (ending, passing) == (judged.ending, judged.passing)


def test_a_long_message_is_one_short_line() -> None:
    assert 300 == len(failure("word\n" * 1000).message)
