import pytest
from fairtrial_solver_command import CommandSolver
from fairtrial_solver_command.result import Pointers, find, usage
from fairtrial_solver_command.secrecy import holds_key, redact

FAKE_KEY = "sk-" + "0123456789" * 4


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"argv": ()}, "argv"),
        (
            {"argv": ("x", "{promt}")},
            r"argv\[1\]: unknown placeholder “{promt}”; known are {budget_usd}, {deadline_s}, ",
        ),
        ({"argv": ("x", "{}")}, r"argv\[1\]: unknown placeholder “{}”"),
        ({"argv": ("x", "{prompt.__class__}")}, "unknown placeholder"),
        ({"argv": ("x", "{prompt!r}")}, "a placeholder takes no"),
        ({"argv": ("x", "a } b")}, "a literal brace is written twice"),
        ({"argv": ("x",), "env": {"A": "{b}"}}, r"env\.A: unknown placeholder “{b}”"),
        ({"argv": ("x",), "env": {"A=B": "x"}}, "env: “A=B” is no name of a variable"),
        ({"argv": ("x",), "env": {"": "x"}}, "env: “” is no name of a variable"),
        ({"argv": ("x",), "env": {"A\0B": "x"}}, "is no name of a variable"),
        ({"argv": ("x",), "pass_env": ("A=B",)}, "“A=B” is no name of a variable"),
        ({"argv": ("x",), "result": "{b}"}, "result: unknown placeholder"),
        ({"argv": ("x",), "terminal": "("}, "terminal is no regular expression"),
        ({"argv": ("x",), "idle_s": 0.0}, "idle_s"),
        ({"argv": ("x",), "grace_s": -1.0}, "grace_s"),
        ({"argv": ("x", FAKE_KEY)}, r"argv\[1\] holds what looks like a key"),
        ({"argv": ("x",), "env": {"MY_TOKEN": "0123456789abcdef"}}, r"env\.MY_TOKEN holds what"),
    ],
)
def test_a_field_that_can_not_be_used_is_refused_by_its_place(
    fields: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        CommandSolver(**fields)  # type: ignore[arg-type] # wrong on purpose


def test_a_refused_key_is_not_shown() -> None:
    with pytest.raises(ValueError, match="pass_env") as caught:
        CommandSolver(argv=("x",), env={"K": FAKE_KEY})
    assert "0123456789" not in str(caught.value)


@pytest.mark.parametrize("text", ["dummy", "http://127.0.0.1:8080/v1", "a long value with spaces"])
def test_what_is_no_key_may_stand_in_a_config(text: str) -> None:
    assert not holds_key(text, "SOME_API_KEY")


def test_redaction_takes_long_secrets_first_and_leaves_short_words_alone() -> None:
    assert "a [redacted] b yes" == redact(
        "a secret-and-more b yes", ["secret", "secret-and-more", "yes"]
    )


# The document and the pointers are the example of RFC 6901, section 5.
DOCUMENT = {
    "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, 'k"l': 6,
    " ": 7, "m~n": 8,
}  # fmt: skip


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2),
        ("/e^f", 3), ("/g|h", 4), ("/i\\j", 5), ('/k"l', 6), ("/ ", 7), ("/m~0n", 8),
        ("/foo/2", None), ("/foo/00", None), ("/foo/-", None), ("/foo/0/x", None), ("/x/y", None),
    ],
)  # fmt: skip
def test_pointers_lead_where_the_standard_says(pointer: str, expected: object) -> None:
    assert expected == find(DOCUMENT, pointer)


@pytest.mark.parametrize("pointer", ["cost", "/a~2", "/a~"])
def test_a_text_that_is_no_pointer_is_refused(pointer: str) -> None:
    with pytest.raises(ValueError, match="cost"):
        Pointers(cost=pointer)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"in": 100, "read": 60}, 40),
        ({"in": 100}, None),
        ({"in": 10, "read": 60}, None),
        ({"read": 60}, None),
        ({"in": True, "read": 1}, None),
        ({"in": 100.5, "read": 1}, None),
    ],
)
def test_cached_tokens_are_taken_out_where_the_prompt_counts_them(
    document: object, expected: int | None
) -> None:
    pointers = Pointers(input_tokens="/in", cache_read="/read", input_includes_cache=True)
    assert expected == usage(document, pointers).input_uncached
