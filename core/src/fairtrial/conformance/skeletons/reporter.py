"""A reporter for fairtrial: one line a solver, with what it resolved and what that cost."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from fairtrial.api import ConfigError, Document, Reporter, RunRecord, Trial
from fairtrial.figures.rates import money


@frozen(kw_only=True)
class EchoReporter:
    """Lists the solvers of one run."""

    title: str = "Solvers"
    """The heading."""

    def report(self, runs: Sequence[RunRecord], /) -> Iterable[Document]:
        """Yields one document of Markdown; the core shows or writes it."""
        if len(runs) != 1:
            raise ConfigError(
                problem=f"this report shows one run, and was given {len(runs)}",
                way_on="name one run",
            )
        run = runs[0]
        lines = [f"# {self.title}", "", *(self._line(run, name) for name in run.solvers), ""]
        yield Document(name="list.md", media_type="text/markdown", body="\n".join(lines).encode())

    def _line(self, run: RunRecord, solver: str) -> str:
        trials = [trial for trial in run.trials if trial.solver == solver]
        judged = [trial for trial in trials if trial.resolved is not None]
        # What was planned is the denominator; where nothing was judged, nothing is known.
        resolved = sum(bool(trial.resolved) for trial in judged)
        share = f"{resolved}/{run.planned}" if judged else "–"
        return f"- {solver}: {share} resolved, {_dollars(trials)}"


def _dollars(trials: Sequence[Trial]) -> str:
    costs = [trial.cost_usd for trial in trials]
    known = [cost for cost in costs if cost is not None]
    # One unknown cost makes the sum unknown: a sum of the rest would be too small.
    return f"${money(sum(known))}" if known and len(known) == len(costs) else "–"


_: type[Reporter] = EchoReporter
