import json
import zlib

import pytest
from fairtrial_gateway_proxy.counts import Counts
from fairtrial_gateway_proxy.reading import Reader
from fairtrial_gateway_proxy.request import OUTPUT_TOKENS
from fairtrial_gateway_proxy.request import read as asked_of
from fairtrial_gateway_proxy.routes import Api


def sse(*documents: object, border: str = "\n\n") -> bytes:
    return "".join(f"data: {json.dumps(one)}{border}" for one in documents).encode()


START = {
    "type": "message_start",
    "message": {
        "id": "m",
        "model": "claude-x",
        "usage": {"input_tokens": 9, "cache_read_input_tokens": 4, "output_tokens": 1},
    },
}
TEXT = {"type": "content_block_delta", "delta": {"text": 'say "usage": {"output_tokens": 7}'}}
DELTA = {"type": "message_delta", "usage": {"output_tokens": 5, "input_tokens": None}}
LAST = {"type": "message_delta", "usage": {"output_tokens": 30}}
WHOLE = Counts(input_uncached=9, cache_read=4, output=30)


def read(data: bytes, size: int, **fields: object) -> Reader:
    settings: dict[str, object] = {"api": Api.MESSAGES, "streamed": True, **fields}
    reader = Reader(**settings)  # type: ignore[arg-type]  # fields of a test's
    for start in range(0, len(data), size):
        reader.feed(data[start : start + size])
    reader.finish()
    return reader


@pytest.mark.parametrize("border", ["\n\n", "\r\n\r\n", "\r\r"])
@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 10_000])
def test_events_are_merged_wherever_their_bytes_are_split(size: int, border: str) -> None:
    reader = read(sse(START, TEXT, DELTA, LAST, border=border), size)

    assert (WHOLE, "claude-x", True) == (reader.counts(), reader.model, reader.complete)


def test_without_its_last_border_the_last_event_counts() -> None:
    assert WHOLE == read(sse(START, LAST).rstrip(b"\n"), 5).counts()


def test_a_stream_that_only_began_is_not_complete() -> None:
    reader = read(sse(START, TEXT), 50)

    assert (Counts(input_uncached=9, cache_read=4, output=1), False) == (
        reader.counts(),
        reader.complete,
    )


def test_a_compressed_stream_is_read_as_it_comes() -> None:
    packer = zlib.compressobj(wbits=31)
    data = b"".join(
        packer.compress(sse(one)) + packer.flush(zlib.Z_SYNC_FLUSH) for one in (START, LAST)
    )

    assert WHOLE == read(data, 11, coding="gzip").counts()


@pytest.mark.parametrize(
    ("data", "fields"),
    [
        (b"\x00\xff" * 100, {"coding": "gzip"}),
        (sse(START, LAST), {"coding": "br"}),
        (b'data: {"usage": \xff\n\ndata: {"usage": [1]}\n\n', {}),
        (b"[" * 100_000 + b'"usage"\n\n', {"streamed": False}),
        (b"", {}),
    ],
)
def test_what_cant_be_read_is_not_known(data: bytes, fields: dict[str, object]) -> None:
    assert read(data, 1000, **fields).counts() is None


def test_the_last_usage_of_an_array_of_documents_counts() -> None:
    documents = [
        {"usageMetadata": {"promptTokenCount": 8}, "candidates": [{}]},
        {
            "usageMetadata": {"promptTokenCount": 8, "candidatesTokenCount": 2},
            "candidates": [{"finishReason": "STOP"}],
        },
    ]

    reader = read(json.dumps(documents).encode(), 9, api=Api.GEMINI, streamed=False)

    assert (Counts(input_uncached=8, output=2), True) == (reader.counts(), reader.complete)


@pytest.mark.parametrize(
    "nonsense", ["1e999", "1e30", "1" + "0" * 400, "NaN", "-5", "true", '"5"']
)
@pytest.mark.parametrize("api", [Api.MESSAGES, Api.CHAT, Api.RESPONSES, Api.GEMINI])
def test_a_count_that_can_be_none_is_not_known(api: Api, nonsense: str) -> None:
    keys = {
        Api.MESSAGES: ("usage", "input_tokens", "output_tokens"),
        Api.CHAT: ("usage", "prompt_tokens", "completion_tokens"),
        Api.RESPONSES: ("usage", "input_tokens", "output_tokens"),
        Api.GEMINI: ("usageMetadata", "promptTokenCount", "candidatesTokenCount"),
    }[api]
    told = f'{{"{keys[0]}": {{"{keys[1]}": 9, "{keys[2]}": {nonsense}}}}}'

    reader = read(told.encode(), 1000, api=api, streamed=False)

    assert Counts(input_uncached=9, output=None) == reader.counts()


@pytest.mark.parametrize("limit", [10**400, -(10**9), True, 1e300, "9"])
def test_a_limit_that_no_provider_takes_limits_no_reply(limit: object) -> None:
    asked = asked_of(Api.MESSAGES, json.dumps({"max_tokens": limit}).encode(), "m")

    assert asked is not None
    assert OUTPUT_TOKENS == asked.output_tokens


@pytest.mark.parametrize(
    ("api", "event", "final"),
    [
        (Api.MESSAGES, {"type": "message_delta"}, True),
        (Api.MESSAGES, {"type": "ping"}, False),
        (Api.CHAT, {"choices": []}, True),
        (Api.CHAT, {"choices": [{"delta": {}, "finish_reason": "stop"}]}, True),
        (Api.CHAT, {"choices": [{"delta": {"content": "a"}, "finish_reason": None}]}, False),
        (Api.RESPONSES, {"type": "response.completed"}, True),
        (Api.RESPONSES, {"type": "response.incomplete"}, True),
        (Api.RESPONSES, {"type": "response.in_progress"}, False),
    ],
)
def test_usage_so_far_is_not_taken_for_the_last_word(
    api: Api, event: dict[str, object], final: bool
) -> None:
    usage = {"usage": {"input_tokens": 9, "prompt_tokens": 9, "output_tokens": 1}}
    told = {**event, **({"response": usage} if api is Api.RESPONSES else usage)}

    assert final is read(sse(told), 1000, api=api).complete


@pytest.mark.parametrize(("reason", "output"), [({"finishReason": "STOP"}, 0), ({}, None)])
def test_a_gemini_reply_of_nothing_is_told_by_its_total(
    reason: dict[str, str], output: int | None
) -> None:
    usage = {"promptTokenCount": 8, "toolUsePromptTokenCount": 2, "totalTokenCount": 10}
    reader = read(sse({"usageMetadata": usage, "candidates": [reason]}), 1000, api=Api.GEMINI)

    assert Counts(input_uncached=10, output=output) == reader.counts()
