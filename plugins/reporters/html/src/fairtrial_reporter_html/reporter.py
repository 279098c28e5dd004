"""The plugin: runs as one page to look at, which needs nothing but itself."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files

from attrs import field, frozen
from attrs.validators import ge
from fairtrial.api.errors import ConfigError
from fairtrial.api.record import RunRecord
from fairtrial.api.reporter import Document, Reporter
from fairtrial.figures.frontier import frontier
from fairtrial.figures.intervals import RESAMPLES
from fairtrial.figures.tally import tallies

from fairtrial_reporter_html.apart import apart
from fairtrial_reporter_html.curves import best_of_k
from fairtrial_reporter_html.footer import footer
from fairtrial_reporter_html.frontiers import frontier_plots
from fairtrial_reporter_html.head import NAME_LIMIT, head
from fairtrial_reporter_html.honest import honesty_section
from fairtrial_reporter_html.markup import Html, element, items, join, text
from fairtrial_reporter_html.matrix import matrix
from fairtrial_reporter_html.selected import picked
from fairtrial_reporter_html.shapes import looks
from fairtrial_reporter_html.solvers import joule_notes, refusals, solvers_table

# Nothing is fetched and no script runs, even if a text should ever slip through.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


@frozen(kw_only=True)
class HtmlReporter:
    """
    Shows a run as one page of plots, for who looks rather than reads: `report.html`.

    Attributes:
        max_tasks: Most rows of the matrix of task × solver; the rest is counted.
        resamples: Bootstrap resamples behind each interval of joules and dollars.
    """

    max_tasks: int = field(default=100, validator=ge(0))
    resamples: int = field(default=RESAMPLES, validator=ge(100))

    def report(self, runs: Sequence[RunRecord], /) -> Iterable[Document]:
        """
        Yields one page with all runs, one after the other.

        Raises:
            ConfigError: There is no run.
        """
        if not runs:
            raise ConfigError(
                problem="the reporter “html” was given no run",
                way_on="name at least one run directory",
            )
        parts = [self._run(f"r{place}", record) for place, record in enumerate(runs, 1)]
        title = ", ".join(record.label for record in runs)
        page = _page(title, join((_contents(runs), *parts)))
        yield Document(name="report.html", media_type="text/html", body=page.encode())

    def _run(self, key: str, record: RunRecord) -> Html:
        arms = tallies(record)
        found = frontier(record, resamples=self.resamples, arms=arms)
        look = looks(tally.solver for tally in arms)
        sections = {
            "": join((solvers_table(found, look), refusals(found), joule_notes(found))),
            "Frontier": frontier_plots(f"{key}-front", found, look),
            "Best of k": join(
                (best_of_k(f"{key}-best", record, arms, look), picked(record, arms, found))
            ),
            "Task by task": matrix(record, arms, self.max_tasks),
            "Honesty": honesty_section(f"{key}-honest", record, arms),
            "Not counted": apart(found, arms),
        }
        return element(
            "article",
            head(record, arms),
            *_titled(sections.items()),
            footer(record, found, self.resamples),
            id=key,
        )


def _titled(sections: Iterable[tuple[str, Html]]) -> Iterator[Html]:
    for title, body in sections:
        if body and title:
            yield element("section", element("h2", text(title)), body)
        elif body:
            yield element("section", body)


def _contents(runs: Sequence[RunRecord]) -> Html:
    """Returns links to the runs; empty for one."""
    links = (
        element("a", text(record.label, limit=NAME_LIMIT), href=f"#r{place}")
        for place, record in enumerate(runs, 1)
    )
    return element("nav", items(links)) if len(runs) > 1 else Html("")


def _page(title: str, body: Html) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"{element('title', text(title, limit=NAME_LIMIT))}"
        f"<style>{_style()}</style></head><body><main>{body}</main></body></html>\n"
    )


@cache
def _style() -> str:
    text_ = files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    return "".join(line.strip() for line in text_.splitlines())


_: type[Reporter] = HtmlReporter
