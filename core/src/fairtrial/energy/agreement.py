"""
Whether a record tells the joules that its receipts give.

Receipts hold no trial, and a record holds no reading; what they have in common are the names of
windows. An attempt that came to its end is the last one of its name, since nothing makes it again.
What was estimated from tokens is in no receipt: it is worked out again from the record's own.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import define, field, frozen

from fairtrial.api.attempt import Ending
from fairtrial.api.energy import Energy
from fairtrial.api.reading import Boundary, Label
from fairtrial.api.record import Pick, RunRecord, Selection, Trial
from fairtrial.api.stage import Stage
from fairtrial.energy.batches import covered
from fairtrial.energy.labels import MEASURED
from fairtrial.energy.remote import of_usage
from fairtrial.energy.verify import Settled, Verification
from fairtrial.figures.rates import counted

_FACTS = (
    "boundary",
    "label",
    "granularity",
    "joules",
    "gross_j",
    "idle_j",
    "uncertainty_j",
    "low_j",
    "high_j",
    "reliable",
    "significant",
    "flags",
    "meter",
    "sensor",
    "coverage",
    "floor_s",
)
"""What must be alike; the words of `why` may be another version's."""

_CUT_SHORT = frozenset({Ending.INFRA, Ending.INTERRUPTED, Ending.SKIPPED})
"""Endings of attempts that may have no window, and that may be made again."""

_Batch = tuple[int, str, Boundary]
_Told = Trial | Stage | Pick


@frozen(kw_only=True)
class Agreement:
    """
    How far a record and its receipts agree.

    Attributes:
        compared: How many attempts have receipts.
        differences: One line a difference, beginning with whose it is; none where all agree.
        notes: What could not be compared.
    """

    compared: int = 0
    differences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def agreement(record: RunRecord, found: Verification) -> Agreement:
    """
    Compares all joules of a record with what verified receipts give.

    Args:
        record: The run, attempts that were made again included.
        found: Its receipts, without a problem.
    """
    windows: dict[str, list[Settled]] = {}
    inside: dict[tuple[int, int], list[Settled]] = {}
    for own in found.settled:
        if not own.inside:
            windows.setdefault(own.label, []).append(own)
        for outer in own.inside:
            inside.setdefault((own.sitting, outer), []).append(own)
    attempts: dict[str, list[Trial]] = {}
    for trial in (*record.again, *record.trials):
        attempts.setdefault(label_of(trial), []).append(trial)
    comparison = _Comparison(found=found, inside=inside)
    for label, trials in attempts.items():
        for trial, window in comparison.paired(trials, windows.get(label, ())):
            comparison.compare(trial, window)
    comparison.compare_picks(record.selections, windows)
    return comparison.result()


@define(kw_only=True)
class _Comparison:
    """
    A comparison under way.

    Attributes:
        found: The receipts.
        inside: The windows inside each, by its sitting and id.
        compared: How many attempts were.
        lacking: How many have neither joules nor receipts.
        used: Windows, by sitting and id, of which the record tells.
        carriers: How many attempts carry the figure of each batch.
        differences: One line each.
    """

    found: Verification
    inside: Mapping[tuple[int, int], Sequence[Settled]]
    compared: int = 0
    lacking: int = 0
    used: set[tuple[int, int]] = field(factory=set)
    carriers: dict[_Batch, int] = field(factory=dict)
    differences: list[str] = field(factory=list)

    def paired(
        self, trials: Sequence[Trial], windows: Sequence[Settled]
    ) -> Iterator[tuple[Trial, Settled | None]]:
        """
        Finds the window of each attempt at one trial, the last one first.

        One that was cut short before its window has none, and one that was cut off after it is in
        no record; so only that of an attempt which came to its end is sure: it is the last.
        """
        left = list(windows)
        for trial in reversed(trials):
            if trial.ending in _CUT_SHORT and not trial.energy:
                yield trial, None
                continue
            at = len(left) - 1
            if trial.ending in _CUT_SHORT:
                at = next((own for own in range(at, -1, -1) if self._tells(trial, left[own])), at)
            yield trial, left[at] if left else None
            left = left[: max(at, 0)]

    def compare(self, trial: Trial, window: Settled | None) -> None:
        """Compares an attempt with its window; None for one that has none."""
        name = _name(trial)
        if window is None:
            self.lacking += not trial.energy
            if trial.energy:
                self.differences.append(f"{name}: it has joules, and no receipts")
            return
        self.compared += 1
        self.used.add((window.sitting, window.id))
        for told, boundary in zip(trial.energy, self._totals(window), strict=False):
            if boundary is not None:
                batch = (window.sitting, window.group, boundary.boundary)
                carries = told.joules is not None
                self.carriers[batch] = self.carriers.get(batch, 0) + carries
        self._compare(name, trial, self._expected(trial, window))
        inside = self.inside.get((window.sitting, window.id), ())
        told_of = [f"{label_of(trial)}·{stage.solver}" for stage in trial.stages]
        if told_of != [own.label for own in inside]:
            self.differences.append(f"{name}: its stages are not those of its receipts")
            return
        for stage, own in zip(trial.stages, inside, strict=True):
            self._compare(f"{name}, stage {stage.solver}", stage, _figures(own))

    def compare_picks(
        self, selections: Iterable[Selection], windows: Mapping[str, Sequence[Settled]]
    ) -> None:
        """Compares what selectors used; a pick may be of any sitting."""
        for selection in selections:
            for pick in selection.picks:
                label = f"{pick.task}·{selection.selector}-on-{selection.solver}"
                name = f"{pick.task} · {selection.selector} on {selection.solver}"
                own = windows.get(label, ())
                self.used |= {(each.sitting, each.id) for each in own}
                if pick.energy and own:
                    agrees = (each for each in own if not _unlike_all(pick, _figures(each)))
                    self._compare(name, pick, _figures(next(agrees, own[-1])))
                elif pick.energy:
                    self.differences.append(f"{name}: it has joules, and no receipts")

    def result(self) -> Agreement:
        """Returns all that was found."""
        batches = [
            f"{group}: {carriers or 'no'} trials carry the joules of its batch, and one should"
            for (_, group, _), carriers in self.carriers.items()
            if carriers != 1
        ]
        left = [
            own
            for own in self.found.settled
            if not own.inside and (own.sitting, own.id) not in self.used
        ]
        notes = []
        if self.lacking:
            notes.append(f"{counted(self.lacking, 'attempt')} without joules and without receipts")
        if left:
            notes.append(f"{counted(len(left), 'window')} of no attempt that is recorded")
        return Agreement(
            compared=self.compared,
            differences=(*self.differences, *batches),
            notes=tuple(notes),
        )

    def _compare(self, name: str, told: _Told, expected: Sequence[Energy]) -> None:
        self.differences += [f"{name}: {line}" for line in _unlike_all(told, expected)]

    def _tells(self, trial: Trial, window: Settled) -> bool:
        return not _unlike_all(trial, self._expected(trial, window))

    def _totals(self, window: Settled) -> list[Energy | None]:
        """Returns, for each figure of a window, that of its batch; None where it has its own."""
        accounts = self.found.together.get((window.sitting, window.group), ())
        totals = {own.boundary: own.energy() for own in accounts if own.shown_uj is not None}
        return [
            totals.get(own.boundary) if own.label in MEASURED else None for own in window.accounts
        ]

    def _expected(self, trial: Trial, window: Settled) -> list[Energy]:
        """Returns what an attempt should tell: one of a batch carries its figure, or none."""
        own = _figures(window)
        expected = []
        for index, total in enumerate(self._totals(window)):
            if total is None:
                expected.append(own[index])
            else:
                told = trial.energy[index : index + 1]
                carries = any(each.joules is not None for each in told)
                expected.append(total if carries else covered(total))
        return expected


def _figures(window: Settled) -> tuple[Energy, ...]:
    return tuple(account.energy() for account in window.accounts)


def _unlike_all(told: _Told, expected: Sequence[Energy]) -> list[str]:
    """Names what is wrong with the figures of an attempt, a stage or a pick."""
    local, beside = told.energy[: len(expected)], told.energy[len(expected) :]
    entries = told.usage if told.metered is None else told.metered
    return [
        *(line for pair in zip(local, expected, strict=False) for line in _unlike(*pair)),
        *(f"{own.boundary}: it has no figure" for own in expected[len(local) :]),
        *_remote(beside, of_usage(entries) if expected else ()),
    ]


def _unlike(told: Energy, expected: Energy) -> list[str]:
    """Names the facts in which a figure is not what it should be."""
    found = [
        f"{fact} is {_spelt(getattr(told, fact))}, by its receipts {_spelt(getattr(expected, fact))}"
        for fact in _FACTS
        if getattr(told, fact) != getattr(expected, fact)
    ]
    return [f"{expected.boundary}: {'; '.join(found)}"] if found else []


def _remote(told: Sequence[Energy], again: Sequence[Energy]) -> Iterator[str]:
    """Names what is wrong with an estimate from tokens; other versions' methods differ."""
    for own in told:
        if own.boundary is not Boundary.REMOTE or own.label is not Label.ESTIMATOR:
            yield f"{own.boundary}, {own.label}: a figure that is in no receipt"
        elif again and own.meter == again[0].meter and _unlike(own, again[0]):
            yield f"{own.boundary}: joules do not follow from its tokens"


def _spelt(value: object) -> str:
    if value is None or value == ():
        return "–"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def label_of(trial: Trial) -> str:
    """Returns the name of a trial's window, as the engine gives it."""
    return f"{trial.task}·{trial.solver}·{trial.rollout}"


def _name(trial: Trial) -> str:
    rollout = f" #{trial.rollout}" if trial.rollout > 1 else ""
    return f"{trial.task} · {trial.solver}{rollout}"
