from html.parser import HTMLParser

from fairtrial_reporter_html.markup import element, items, name, number, table, text
from hypothesis import given
from hypothesis import strategies as st


class Read(HTMLParser):
    """What a browser would make of markup."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data


@given(st.text())
def test_no_text_becomes_markup_as_words_or_as_a_value(words: str) -> None:
    shown = element("p", text(words), title=words)
    seen = Read(shown)
    assert [("p", {"title"})] == [(tag, set(attrs)) for tag, attrs in seen.tags]
    assert seen.words == seen.tags[0][1]["title"]
    assert shown.isprintable()


def test_a_name_turns_no_writing_direction_but_its_own() -> None:
    assert "<bdi>\ufffdשלום</bdi>" == name("\u202eשלום")


def test_an_attribute_s_name_is_written_as_html_does() -> None:
    shown = element("text", class_="l", text_anchor="end", x=1.25, y=3.0, hidden=None)
    assert '<text class="l" text-anchor="end" x="1.2" y="3"></text>' == shown


def test_a_coordinate_is_short() -> None:
    assert ["3", "0.1", "0", "-2.5"] == [number(each) for each in (3.0, 0.1, -0.01, -2.5)]


def test_a_table_names_its_rows_and_columns() -> None:
    shown = table("What", ["A", "B"], [[text("a"), text("1")]], right="lr")
    assert "<caption>What</caption>" in shown
    assert '<th scope="col">A</th><th scope="col" class="n">B</th>' in shown
    assert '<tr><th scope="row">a</th><td class="n">1</td></tr>' in shown


def test_no_lines_make_no_list() -> None:
    assert not items([])
