"""What stands below a run's plots: what the words mean, and what the figures were made with."""

import hashlib
import json
from collections.abc import Iterator, Sequence

from fairtrial.api.reading import Label
from fairtrial.api.record import RunRecord
from fairtrial.api.usage import CostSource
from fairtrial.figures.basis import Basis
from fairtrial.figures.frontier import Frontier, seed_of
from fairtrial.figures.rates import DASH

from fairtrial_reporter_html.markup import Html, behind, element, join, text

_ESTIMATOR = "joules worked out, not counted: watts times seconds, a share by CPU time, or a sum over tokens"
_LABELS = {
    Label.HARDWARE_SHUNT: "joules that hardware measured",
    Label.MODEL_BASED: "joules from a counter that models what it counts",
    Label.ESTIMATOR: _ESTIMATOR,
    Label.UNAVAILABLE: "joules that nobody knows",
}
_BASES = {
    Basis.NET: "less what the machine would have used idle",
    Basis.GROSS: "all joules, those that the machine uses idle among them",
}
_SOURCES = {
    CostSource.METERED: "dollars that a gateway read on the wire",
    CostSource.PRICED: "tokens times a dated table of prices",
    CostSource.REPORTED: "dollars that the agent told of itself",
    CostSource.UNKNOWN: "dollars of no known origin",
}
_METHODS = {
    "wilson": "Wilson's score interval",
    "wilson-clustered": "Wilson's score interval, by tasks where rollouts are alike",
    "bootstrap": "bootstrap over tasks",
}
_RANGE = (
    "from the lowest to the highest method of an estimate, no confidence interval; the interval of"
    " joules a resolved task tells how much tasks differ, and nothing of that"
)
_MARKS = (
    (DASH, "not measured, not known or not defined; never zero"),
    (
        "~",
        "joules below the meter's floor, in the noise of idle, summed of unlike ones, or flagged; not ranked",
    ),
    ("≥", "a sum of which some parts are unknown; not ranked"),
    (">", "nothing was resolved; the 95 % lower bound of the true figure"),
    ("range", _RANGE),
    ("partial", "over the trials whose joules are known only"),
    ("unbounded", "in over 2.5 % of the resamples nothing was resolved"),
)


def lock_digest(record: RunRecord) -> str:
    """
    Returns SHA-256 (hex) of what a resumed run must find unchanged; `–` where nothing is kept.

    Two runs of one digest were made with the same tasks, settings and versions.
    """
    if not record.lock:
        return DASH
    text_ = json.dumps(dict(record.lock), sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text_.encode()).hexdigest()


def footer(record: RunRecord, found: Frontier, resamples: int) -> Html:
    """
    Returns what is to be known of the figures.

    Args:
        record: The run.
        found: Its frontier.
        resamples: Bootstrap resamples behind each interval.
    """
    pairs = [*_words(found), *_MARKS]
    made = [
        ("intervals", "; ".join(_methods(found, resamples)) or DASH),
        ("seed", str(seed_of(record))),
        ("begun", record.started_at or DASH),
        ("lock", lock_digest(record)),
        ("versions", ", ".join(f"{each.name} {each.version}" for each in record.plugins) or DASH),
        *((f"host {key}", value) for key, value in list(record.host.items())[:12]),
    ]
    words = join((element("h3", text("What the words mean")), _pairs(pairs)))
    facts = join((element("h3", text("What it was made with")), _pairs(made)))
    return element("footer", words, behind("Versions, seed and lock", facts))


def _words(found: Frontier) -> Iterator[tuple[str, str]]:
    sources = {point.cost.spending.source for point in found.points}
    labels = {group.label for group in found.groups}
    bases = {group.basis for group in found.groups}
    yield "control", "an arm of the engine's: reference lays the known fix, noop does nothing"
    yield "front", "no other solver is at least as good on both axes, and better on one"
    yield from ((str(source), _SOURCES[source]) for source in CostSource if source in sources)
    yield from ((str(label), _LABELS[label]) for label in Label if label in labels)
    yield from ((str(basis), _BASES[basis]) for basis in Basis if basis in bases)


def _methods(found: Frontier, resamples: int) -> Iterator[str]:
    intervals = [point.interval for point in found.points]
    intervals += [point.cost.interval for point in found.points]
    intervals += [energy.interval for point in found.points for energy in point.energies]
    seen = dict.fromkeys(each.method for each in intervals if each is not None)
    for method in seen:
        drawn = f", {resamples:,} resamples" if method == "bootstrap" else ""
        yield f"95 %, {_METHODS.get(method, method)}{drawn}"


def _pairs(pairs: Sequence[tuple[str, str]]) -> Html:
    return element(
        "dl",
        *(
            join((element("dt", text(word)), element("dd", text(meaning, limit=600))))
            for word, meaning in pairs
        ),
    )
