"""The kit of the kind `reporter`."""

import time
from collections.abc import Sequence
from typing import ClassVar

from fairtrial.api import ConfigError, Document, Reporter, RunRecord
from fairtrial.conformance.base import Conformance
from fairtrial.conformance.fakes.records import (
    big_run,
    empty_run,
    silent_run,
    three_trial_run,
    two_runs,
)
from fairtrial.conformance.promise import may_only_raise, promise, same
from fairtrial.conformance.watch import watch

BIG = 10_000
BIG_LIMIT_S = 5.0
DASH = "–"


class RequiredReporter(Conformance):
    """What every reporter promises."""

    kind: ClassVar[str] = "reporter"

    takes: ClassVar[int] = 1
    """How many runs it is given at once."""

    def test_equal_records_give_equal_documents(self, reporter: Reporter) -> None:
        """Nothing but the record, not even the clock, decides the bytes."""
        first = self.documents(reporter, three_trial_run())
        same(first, self.documents(reporter, three_trial_run()), "equal records, other documents")

    def test_a_document_has_a_plain_name(self, reporter: Reporter) -> None:
        """Each document has its own file name without directories, a media type, and bytes."""
        documents = self.documents(reporter, three_trial_run())
        promise(documents, "a run of three trials gives no document")
        names = [document.name for document in documents]
        same(len(names), len(set(names)), "two documents share a name; documents, names")
        for one in documents:
            plain = one.name and "/" not in one.name and not one.name.startswith(".")
            promise(plain, f"“{one.name}” is no plain file name")
            promise("/" in one.media_type, f"“{one.media_type}” is no media type")
            promise(isinstance(one.body, bytes), f"the body of {one.name} is not bytes")

    def test_an_empty_run_is_reported(self, reporter: Reporter) -> None:
        """A run that planned nothing is no reason to fail."""
        with may_only_raise(words="an empty run must be reported"):
            self.documents(reporter, empty_run())

    def test_a_broken_trial_is_reported(self, reporter: Reporter) -> None:
        """A trial without a verdict, a price or a duration is no reason to fail."""
        with may_only_raise(words="a run without figures must be reported"):
            self.documents(reporter, silent_run())

    def test_ten_thousand_trials_take_less_than_five_seconds(self, reporter: Reporter) -> None:
        """A report grows in proportion to its trials."""
        run = big_run(BIG)
        started = time.monotonic()
        self.documents(reporter, run)
        took_s = time.monotonic() - started
        promise(took_s < BIG_LIMIT_S, f"{BIG} trials took {took_s:.1f} s")

    def test_it_touches_nothing(self, reporter: Reporter) -> None:
        """It writes no file, starts no program and connects to nothing: the core writes."""
        with watch() as seen:
            self.documents(reporter, three_trial_run())
        same([], [*seen.written, *seen.children, *seen.connected], "it touched the machine")

    def test_the_wrong_number_of_runs_is_a_config_error(self, reporter: Reporter) -> None:
        """More or fewer runs than it can use are refused so that a user understands it."""
        for runs in ((), (three_trial_run(),) * 3):
            with may_only_raise(ConfigError, words=f"{len(runs)} runs may only be a ConfigError"):
                try:
                    list(reporter.report(runs))
                except ConfigError:
                    continue

    def documents(self, reporter: Reporter, run: RunRecord) -> Sequence[Document]:
        """Returns the documents of a run; where it takes more runs than one, of the run twice."""
        try:
            return list(reporter.report((run,) * self.takes))
        except ConfigError:
            if not self.live:
                raise
        return list(reporter.report((run, run)))


class OptionalReporter(RequiredReporter):
    """What a reporter promises besides, by its capabilities."""

    shows_dashes: ClassVar[bool] = True
    """Whether it is read by people, so that an unknown figure is an en dash; False for data."""

    def test_what_is_not_known_is_a_dash(self, reporter: Reporter) -> None:
        """A figure that nobody knows is shown as `–`, never as zero."""
        text = b"".join(one.body for one in self.documents(reporter, silent_run())).decode()
        zeros = [zero for zero in ("$0.00", "0.0 J", "0 J") if zero in text]
        promise(not zeros, f"a figure that is not known is shown as {', '.join(zeros)}")
        dashed = DASH in text or not self.declared("shows_dashes")
        promise(dashed, f"no {DASH} in a report without figures")

    def test_another_record_gives_another_document(self, reporter: Reporter) -> None:
        """A reporter that shows the same whatever happened shows nothing."""
        before, after = two_runs()
        first, second = self.documents(reporter, before), self.documents(reporter, after)
        promise(first != second, "one more resolved task changes no document")


class ReporterConformance(OptionalReporter):
    """The kit: give it a fixture `reporter`."""
