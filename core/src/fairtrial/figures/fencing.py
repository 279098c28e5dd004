"""Whether agents could have fetched an answer: what sandboxes attest of the network."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from fairtrial.api.record import RunRecord, Trial
from fairtrial.api.sandbox import Network
from fairtrial.figures.tally import Tally, tallies

CLOSED = frozenset({Network.NONE.value, Network.MODEL_ONLY.value})
"""What a sandbox attests of a network through which no answer comes."""


@frozen(kw_only=True)
class Fencing:
    """
    On how many attempts no source of answers could be reached over the network.

    It counts what the sandbox attests that it kept, not what a config asks for. An attempt without
    such a word is not fenced. Control arms are left out: they reach for nothing.

    Attributes:
        attempted: Attempts of agents at sound tasks.
        fenced: Those of which the sandbox attests that nothing, or only the model, was reachable.
        unfenced: Solver → how many of its attempts were not; solvers without one are left out.
    """

    attempted: int
    fenced: int
    unfenced: Mapping[str, int]

    @property
    def held(self) -> bool:
        """Whether it holds for every attempt; without an attempt nothing is shown, and it doesn't."""
        return 0 < self.attempted == self.fenced

    def __str__(self) -> str:
        """Returns one sentence; empty where no agent attempted anything."""
        if not self.attempted:
            return ""
        could = "no answer could be fetched" if self.held else "answers could be fetched"
        of = "1 attempt" if self.attempted == 1 else f"{self.attempted} attempts"
        return f"{could}: the network was fenced on {self.fenced} of {of}"


def fencing(record: RunRecord, arms: Sequence[Tally] | None = None) -> Fencing:
    """
    Counts the attempts of a run behind a fence that no answer comes through.

    Args:
        record: The run.
        arms: Its tallies, where they are already made.
    """
    agents = [tally for tally in arms or tallies(record) if not tally.control]
    open_ = {tally.solver: sum(map(_is_open, tally.attempted)) for tally in agents}
    attempted = sum(len(tally.attempted) for tally in agents)
    return Fencing(
        attempted=attempted,
        fenced=attempted - sum(open_.values()),
        unfenced={solver: count for solver, count in open_.items() if count},
    )


def _is_open(trial: Trial) -> bool:
    return trial.enforced.get("network") not in CLOSED
