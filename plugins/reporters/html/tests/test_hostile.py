import re
from html.parser import HTMLParser

import pytest
from attrs import evolve
from fairtrial.api import Distribution, RunRecord
from fairtrial.conformance.fakes.records import big_run
from fairtrial_reporter_html import HtmlReporter


def page(*runs: RunRecord) -> str:
    (document,) = HtmlReporter(resamples=200, max_tasks=5).report(runs)
    return document.body.decode()


class Outline(HTMLParser):
    """The tags of a page, and whether they are closed in their order."""

    VOID = frozenset({"meta"})

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.ids: list[str] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {key for key, _ in attrs}
        self.ids += [value or "" for key, value in attrs if key == "id"]

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop()


def test_the_page_needs_nothing_from_elsewhere() -> None:
    shown = page(big_run(400))
    for reach in ("<script", "<link", "<img", "<iframe", "src=", "url(", "@import", "://"):
        assert reach not in shown
    assert "default-src 'none'; style-src 'unsafe-inline'" in shown


HOSTILE = (
    "</svg></style></title><script>alert(1)</script>",
    "\x1b[2J\x07\x00 a\nb",
    "\u202eexe.txt שלום",
    "x" * 300,
    "🦊🚀 漢字",
    '" onload="alert(1)',
    "'><a href=javascript:alert(1)>",
    "\ud800&lt;&",
)


@pytest.mark.parametrize("words", HOSTILE)
def test_no_text_of_an_agent_a_task_or_a_config_breaks_out(words: str) -> None:
    run = big_run(400)
    first = run.tasks[0].id
    names = {"cheap": words, first: words}
    hostile = evolve(
        run,
        label=words,
        suite=words,
        suite_version=words,
        started_at=words,
        solvers=tuple(names.get(each, each) for each in run.solvers),
        tasks=tuple(
            evolve(
                each,
                id=names.get(each.id, each.id),
                family=words,
                invalid=words if place == 1 else "",
            )
            for place, each in enumerate(run.tasks)
        ),
        trials=tuple(
            evolve(
                each,
                solver=names.get(each.solver, each.solver),
                task=names.get(each.task, each.task),
                family=words,
                note=words,
            )
            for each in run.trials
        ),
        plugins=(Distribution(name=words, version=words),),
        host={words: words},
        lock={words: words},
    )
    plain = Outline(page(evolve(run, tasks=(evolve(run.tasks[0], invalid="x"), *run.tasks[1:]))))
    seen = Outline(page(hostile))
    assert seen.tags <= plain.tags
    assert seen.attributes <= plain.attributes | {"colspan"}
    assert not seen.open
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", page(hostile))


def test_ids_are_told_apart_also_between_runs() -> None:
    seen = Outline(page(big_run(400), big_run(400)))
    assert len(seen.ids) == len(set(seen.ids))
    assert {"r1", "r2"} <= set(seen.ids)


def test_what_is_told_stands_as_a_word_and_is_cut() -> None:
    run = evolve(big_run(400), label="<b>&" + "x" * 300)
    assert f"<h1><bdi>&lt;b&gt;&amp;{'x' * 115}…</bdi></h1>" in page(run)
