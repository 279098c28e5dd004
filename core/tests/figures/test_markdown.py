import pytest
from fairtrial.figures.markdown import cell, code, safe, table, width
from hypothesis import given
from hypothesis import strategies as st


def test_a_table_is_aligned_for_the_eye() -> None:
    assert table(["Name", "J"], [["a", "10"], ["长名", "5"]], right="lr") == (
        "| Name |   J |\n| ---- | --: |\n| a    |  10 |\n| 长名 |   5 |\n"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("a\nb\r\n\tc", "a b c"),
        ("\u202egnp.exe", "\ufffdgnp.exe"),
        ("bell\x07\x7f\x9b", "bell␇␡\ufffd"),
        ("\ud800", "\ufffd"),
        ("naïve – 长", "naïve – 长"),
    ],
)
def test_nothing_that_a_terminal_would_obey_is_left(text: str, shown: str) -> None:
    assert safe(text) == shown


def test_markup_in_a_cell_is_literal() -> None:
    assert cell("a|b `c` <img> [x](y) \\|") == r"a\|b \`c\` \<img> \[x](y) \\\|"


def test_a_long_text_is_cut_and_the_cut_is_seen() -> None:
    assert cell("x" * 50, limit=10) == "xxxxxxxxx…"


@given(st.text())
def test_no_text_can_forge_a_cell_or_a_line(text: str) -> None:
    line = table(["Why"], [[cell(text)]]).splitlines()
    assert len(line) == 3
    unescaped = line[2].replace("\\\\", "").replace("\\|", "")
    assert unescaped.count("|") == 2
    assert safe(text).isprintable()


def test_wide_and_combining_characters_are_measured() -> None:
    assert (width("abc"), width("长"), width("e\u0301"), width("–")) == (3, 2, 1, 1)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ('["a", "b|c"]', '`["a", "b|c"]`'),
        ("a`b", "``a`b``"),
        ("``a`", "``` ``a` ```"),
        (" a", "`  a `"),
        ("a\nb\x1b", "`a b␛`"),
        ("", "“”"),
    ],
)
def test_code_shows_a_text_as_it_is_and_can_not_be_broken_out_of(text: str, span: str) -> None:
    assert span == code(text)


def test_code_is_cut_within_its_span() -> None:
    assert "`aaa…`" == code("a" * 9, limit=4)
