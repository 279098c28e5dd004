import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import gettempdir

from attrs import evolve, frozen
from fairtrial.api import Document, RunRecord
from fairtrial.conformance.skeletons.reporter import EchoReporter


@frozen(kw_only=True)
class DatedReporter(EchoReporter):
    def report(self, runs: Sequence[RunRecord], /) -> Iterable[Document]:
        for document in super().report(runs):
            yield evolve(document, body=document.body + f"{time.time_ns()}".encode())


@frozen(kw_only=True)
class StrayReporter(EchoReporter):
    def report(self, runs: Sequence[RunRecord], /) -> Iterable[Document]:
        for document in super().report(runs):
            yield evolve(document, name=f"../{document.name}")


@frozen(kw_only=True)
class DividingReporter(EchoReporter):
    def report(self, runs: Sequence[RunRecord], /) -> Iterable[Document]:
        for document in super().report(runs):
            share = len(runs[0].trials) / len(runs[0].tasks)
            yield evolve(document, body=document.body + f"{share}".encode())


@frozen(kw_only=True)
class TrustingReporter(EchoReporter):
    def report(self, runs: Sequence[RunRecord], /) -> Iterable[Document]:
        for trial in runs[0].trials if runs else ():
            assert trial.wall_s is not None
        return super().report(runs)


@frozen(kw_only=True)
class CheapReporter(EchoReporter):
    def report(self, runs: Sequence[RunRecord], /) -> Iterable[Document]:
        for document in super().report(runs):
            spent = sum(trial.cost_usd or 0 for trial in runs[0].trials)
            yield evolve(document, body=document.body + f"– ${spent:.2f}".encode())


@frozen(kw_only=True)
class SlowReporter(EchoReporter):
    def report(self, runs: Sequence[RunRecord], /) -> Iterable[Document]:
        time.sleep(len(runs[0].trials) * 1.2e-5 if runs else 0)
        return super().report(runs)


@frozen(kw_only=True)
class WritingReporter(EchoReporter):
    def report(self, runs: Sequence[RunRecord], /) -> Iterable[Document]:
        for document in super().report(runs):
            (Path(gettempdir()) / f"fairtrial-{document.name}").write_bytes(document.body)
            yield document


@frozen(kw_only=True)
class CarelessReporter(EchoReporter):
    def report(self, runs: Sequence[RunRecord], /) -> Iterable[Document]:
        return super().report([runs[0]])


@frozen(kw_only=True)
class DeafReporter(EchoReporter):
    def report(self, runs: Sequence[RunRecord], /) -> Iterable[Document]:
        for document in super().report(runs):
            yield evolve(document, body="– and so on".encode())
