"""Errors as text, on any terminal, whatever stands in them."""

import io

import pytest
from fairtrial.api import ConfigError, MachineError, PluginMissing
from fairtrial.cli.show_error import encodable, error_text, exit_code, show_error

INSTALLED = """\
cascade   fairtrial-solver-cascade 0.3.0
claude    fairtrial-solver-claude 0.3.1
gemini    fairtrial-solver-gemini 0.3.0"""
ERROR = PluginMissing(
    kind="solver",
    name="claud",
    problem="no solver plugin called “claud” is installed",
    facts=(
        ("asked for in", "nightly.toml, table [solvers.claud]"),
        ("installed", INSTALLED),
        ("nearest", "claude"),
    ),
    way_on='write plugin = "claude" in that table, '
    "or install the distribution that provides “claud”",
)


def test_an_error_is_one_line_facts_in_two_columns_and_a_way_on() -> None:
    assert """\
error: no solver plugin called “claud” is installed

  asked for in   nightly.toml, table [solvers.claud]
  installed      cascade   fairtrial-solver-cascade 0.3.0
                 claude    fairtrial-solver-claude 0.3.1
                 gemini    fairtrial-solver-gemini 0.3.0
  nearest        claude

  write plugin = "claude" in that table, or install the distribution that provides “claud”
""" == error_text(ERROR)


def test_a_long_heading_widens_the_column() -> None:
    error = ConfigError(problem="p", facts=(("a heading that is long", "x"), ("b", "")))
    assert "error: p\n\n  a heading that is long   x\n  b\n" == error_text(error)


def test_an_error_may_be_one_line() -> None:
    assert "error: p\n" == error_text(ConfigError(problem="p"))


def test_a_terminal_of_ascii_gets_plain_quotes_and_dashes() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="strict")
    error = ConfigError(problem="“é” – a → b × c…", facts=(("provided by", "‘x’ — y"),))
    assert 2 == show_error(error, stream=stream)
    stream.seek(0)
    assert "error: \"\\xe9\" - a -> b x c...\n\n  provided by    'x' - y\n" == stream.read()


def test_a_terminal_of_latin_1_keeps_what_it_has() -> None:
    assert '"é" -' == encodable("“é” –", "latin-1")
    assert "“é” –" == encodable("“é” –", "utf-8")
    assert '"' == encodable("“", "no such encoding")


def test_a_stream_without_an_encoding_is_taken_for_ascii() -> None:
    stream = io.StringIO()
    show_error(ConfigError(problem="“x”"), stream=stream)
    assert 'error: "x"\n' == stream.getvalue()


def test_what_a_terminal_would_obey_is_written_out() -> None:
    error = ConfigError(
        problem="no \x1b[2J\u202e\udc80\u200b\nsecond",
        facts=(("at\t", "a\x07\nb\r"),),
        way_on="on\x9b",
    )
    assert (
        "error: no \\x1b[2J\\u202e\\udc80\\u200b\\nsecond\n\n"
        "  at\\t           a\\x07\n                 b\\r\n\n  on\\x9b\n"
    ) == error_text(error)


def _raised(error: BaseException, cause: BaseException | None = None) -> BaseException:
    try:
        raise error from cause  # noqa: TRY301 - so that it has a traceback
    except BaseException as caught:  # noqa: BLE001 - handed back as it is
        return caught


def test_a_traceback_is_shown_only_on_request_with_its_cause() -> None:
    error = _raised(ConfigError(problem="p"), cause=KeyError("the cause"))
    assert "error: p\n" == error_text(error)
    text = error_text(error, verbose=True)
    assert text.startswith("KeyError: 'the cause'\n")
    assert "Traceback (most recent call last):\n" in text
    assert text.endswith("\n\nerror: p\n")


def test_a_bug_is_one_line_and_says_how_to_see_more() -> None:
    error = _raised(RuntimeError("boom\nbang"))
    assert (
        "error: unexpected RuntimeError: boom\\nbang\n\n  run again with -v for the traceback\n"
        == error_text(error)
    )
    assert error_text(error, verbose=True).endswith(
        "\nerror: unexpected RuntimeError: boom\\nbang\n"
    )
    assert "error: unexpected KeyError\n" in error_text(_raised(KeyError()))


def test_an_error_of_the_system_says_what_and_which_file() -> None:
    error = OSError(28, "No space left on device", "runs/a\x1b/trials.jsonl")
    assert (
        "error: No space left on device\n\n  file           runs/a\\x1b/trials.jsonl\n\n"
        "  run again with -v for the traceback\n"
    ) == error_text(error)
    both = OSError(18, "Invalid cross-device link", "a", None, "b")
    assert "  file           a\n                 b\n" in error_text(both)
    assert "error: Disk on fire\n\n  run" in error_text(OSError(5, "Disk on fire"))
    assert "error: unexpected OSError: odd\n" in error_text(OSError("odd"))


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ERROR, 2),
        (MachineError(problem="p"), 3),
        (OSError(28, "No space left on device"), 3),
        (RuntimeError(), 2),
        (KeyboardInterrupt(), 130),
    ],
)
def test_each_error_has_its_exit_code(error: BaseException, code: int) -> None:
    assert code == exit_code(error)


def test_an_interruption_is_said_in_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert 130 == show_error(KeyboardInterrupt())
    out, err = capsys.readouterr()
    assert ("", "error: interrupted\n") == (out, err)
