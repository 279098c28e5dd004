"""A report that counts."""

from collections.abc import Iterable, Sequence

from attrs import frozen
from fairtrial.api import ConfigError, Document, Reporter, RunRecord


@frozen(kw_only=True)
class TallyReporter:
    """One line a solver: a stroke for each resolved trial, a dash for each that wasn't judged."""

    stroke: str = "|"
    """What stands for a resolved trial."""

    def report(self, runs: Sequence[RunRecord], /) -> Iterable[Document]:
        """Yields one document of text."""
        if len(runs) != 1:
            raise ConfigError(
                problem=f"a tally is of one run, not of {len(runs)}", way_on="name one run"
            )
        lines = [f"{name}: {self._strokes(runs[0], name)}\n" for name in runs[0].solvers]
        yield Document(name="tally.txt", media_type="text/plain", body="".join(lines).encode())

    def _strokes(self, run: RunRecord, solver: str) -> str:
        marks = {True: self.stroke, False: ".", None: "–"}
        return "".join(marks[trial.resolved] for trial in run.trials if trial.solver == solver)


_: type[Reporter] = TallyReporter
