import json
import time

import pytest
from fairtrial.redaction import plain_text, redact, redact_keys, redact_within, shows_key
from hypothesis import given
from hypothesis import strategies as st

SECRETS = {
    "an Anthropic key": "sk-ant-api03-abcdefgh",
    "an OpenAI key": "sk-proj-Abc123Def456Ghi789",
    "an old OpenAI key": "sk-" + "a1B2" * 12,
    "a Google key": "AIza" + "Sy0" * 12,
    "a GitHub token": "ghp_" + "a1B2" * 9,
    "a GitHub app's token": "ghs_" + "a1B2" * 9,
    "a fine-grained GitHub token": "github_pat_" + "a1_B2" * 9,
    "a Slack token": "xoxb-1234567890-abc",
    "an AWS key": "AKIA" + "A1B2" * 4,
    "a GitLab token": "glpat-" + "a1B2" * 5,
    "a Hugging Face token": "hf_" + "aB" * 17,
    "a JSON web token": "eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSM",
}
FRAMES = ("{}", "key {} end", "x={}", '{{"a": "{}"}}', "({})", "{}\n", "export K='{}'", "\\n{}")


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS.keys())
@pytest.mark.parametrize("frame", FRAMES)
def test_a_key_is_known_by_its_shape(secret: str, frame: str) -> None:
    text = frame.format(secret)
    for shown in (redact(text), redact_keys(text)):
        assert secret[-8:] not in shown
        assert "…" in shown
    assert shows_key(text)


def test_a_variable_in_a_header_is_no_key() -> None:
    assert not shows_key("curl -H 'Authorization: Bearer $SOME_LONG_VARIABLE'")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Bearer abcdefghijkl", "Bearer …"),
        ("Authorization: Basic dXNlcjpwYXNzd29yZA==", "Authorization: Basic …"),
        ("authorization: token abcdefghijklm", "authorization: token …"),
        ("GH_TOKEN=ghp_" + "a" * 36, "GH_TOKEN=ghp_…"),
        ("token = longer", "token = …"),
        ("API_KEY: 'abcdef'", "API_KEY: '…'"),
        ('"password": "hunter22"', '"password": "…"'),
        ('{\\"secret\\": \\"hunter22\\"}', '{\\"secret\\": \\"…\\"}'),
        ("x-api-key: abcdefgh", "x-api-key: …"),
        ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7", "AWS_SECRET_ACCESS_KEY=…"),
        ("passwd=abcdef&next=1", "passwd=…"),
        ("https://user:pa55@host/repo.git", "https://…@host/repo.git"),
        ("https://0123456789abcdef@host/x", "https://…@host/x"),
        ("postgres://app:secret@db:5432/x", "postgres://…@db:5432/x"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nnext",
            "-----BEGIN RSA PRIVATE KEY-----…-----END RSA PRIVATE KEY-----\nnext",
        ),
        ("-----BEGIN PRIVATE KEY-----\ncut off", "-----BEGIN PRIVATE KEY-----…"),
    ],
)
def test_a_secret_is_replaced_and_what_tells_its_kind_stays(text: str, shown: str) -> None:
    assert shown == redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "token = short",
        "Bearer short",
        "Basic understanding is needed",
        "the password: it",
        "tokens: 123456, max_tokens=400000",
        "risk-management-of-everything-2024-plan",
        "task-ant-something-long-enough",
        "ssh://git@host/repo",
        "git@host:user/repo.git",
        "mail me@example.org, http://host/a@b",
        "AKIASHORT",
        "ghp_short",
        "secretary = 12345678",
        "日本語 text with nothing – at all",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert text == redact(text)


def test_code_and_json_stay_what_they_are_where_only_keys_are_looked_for() -> None:
    code = "token = parse(line)\npassword: str = field()\n"
    assert code == redact_keys(code)
    line = json.dumps(
        {"token": 1234567, "say": 'Bearer abcdefghijklmn"', "k": "x\\" + "AKIA" + "A" * 16}
    )
    shown = json.loads(redact_keys(line))
    assert {"token": 1234567, "say": 'Bearer …"', "k": "x\\AKIA…"} == shown


def test_data_is_redacted_wherever_a_text_is_in_it() -> None:
    key = SECRETS["an Anthropic key"]
    data = {
        "env": {"API_KEY": "abcdef", "api_key": "short", "db_password": "hunter22", "n": 3},
        "lines": [f"x {key}", None, 1.5, True, ("token=abcdefg",)],
        f"name {key}": "value",
        "token": {"id": "abcdefgh"},
    }
    assert {
        "env": {"API_KEY": "…", "api_key": "short", "db_password": "…", "n": 3},
        "lines": ["x sk-ant-…", None, 1.5, True, ["token=…"]],
        "name sk-ant-…": "value",
        "token": {"id": "abcdefgh"},
    } == redact_within(data)


@given(
    st.text(
        alphabet=st.sampled_from("ab:=@/ '\"\\\ntoken sk-ant-ghp_eyJ.…AKIA0123Bearer"), max_size=80
    )
)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    assert redact(text) == redact(redact(text))
    assert redact_keys(text) == redact_keys(redact_keys(text))


@pytest.mark.parametrize(
    "text",
    [
        "a" * 400_000,
        "sk-" * 100_000,
        "http://" + "a" * 400_000,
        "token=" * 50_000,
        "eyJ" * 90_000,
        "-----BEGIN PRIVATE KEY-----" * 9_000,
    ],
)
def test_long_texts_take_no_more_than_their_length(text: str) -> None:
    start = time.perf_counter()
    redact(text)
    assert time.perf_counter() - start < 2.0


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("dos\r\nline", "dos\nline"),
        ("\x1b[2J\x1b]0;title\x07gone", "␛[2J␛]0;title␇gone"),
        ("over\rwritten\x08", "over␍written␈"),
        ("\x9b31m\x7f", "�31m␡"),
        ("a\u202eb\u200b\ufeff\ud800", "a�b���"),
        ("日本 é 😀", "日本 é 😀"),
        ("", ""),
    ],
)
def test_a_terminal_obeys_nothing_in_a_plain_text(text: str, shown: str) -> None:
    assert shown == plain_text(text)
