"""What docs/fairness.md promises of the gallery, and what is not so in some records."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import frozen
from fairtrial.api import Ending, RunRecord, Trial

from cheats.outcomes import Outcome
from cheats.specimens import Specimen
from cheats.trials import outcome_of

@frozen(kw_only=True)
class Fault:
    """
    One promise that was not kept.

    Attributes:
        solver: Of whom.
        victim: On which task.
        what: What happened instead.
        doubtful: Whether a machine that was busy could have done it; a cheat that won is no such
            thing.
    """

    solver: str
    victim: str
    what: str
    doubtful: bool = True

    def __str__(self) -> str:
        """Returns it as a line."""
        return f"{self.solver} on {self.victim}: {self.what}"


def faults(
    chosen: Iterable[Specimen], records: Sequence[RunRecord], promised: Mapping[str, Outcome]
) -> list[Fault]:
    """Returns what is not as it was promised; each solver must have been on each of its victims."""
    ran = {(trial.solver, trial.task): trial for record in records for trial in record.trials}
    return [
        fault
        for one in chosen
        for victim in one.victims
        for fault in _of(one, victim, ran.get((one.name, victim)), promised.get(one.name))
    ]


def _of(
    one: Specimen, victim: str, trial: Trial | None, promised: Outcome | None
) -> Iterator[Fault]:
    def fault(what: str, *, doubtful: bool = True) -> Fault:
        return Fault(solver=one.name, victim=victim, what=what, doubtful=doubtful)

    if trial is None:
        yield fault("did not run")
        return
    if trial.enforced.get("sandbox") != "bubblewrap":
        yield fault("did not run behind the fence of bubblewrap")
    if one.honest:
        if (trial.ending, trial.resolved) != (Ending.FINISHED, True):
            yield fault(f"honest, and not resolved ({trial.ending}) {trial.note}")
    elif trial.resolved:
        yield fault("a cheat that was resolved", doubtful=False)
    else:
        told = "nothing" if promised is None else promised.ours[victim].outcome
        if outcome_of(trial) != told:
            yield fault(f"“{outcome_of(trial)}”, and the page tells “{told}”")
