"""What a run must hold for its figures to be believed; a gate that fails makes it exit with 1."""

from attrs import frozen

from fairtrial.api import RunRecord
from fairtrial.figures.controls import controls
from fairtrial.figures.tally import tallies


@frozen(kw_only=True)
class Gate:
    """
    One gate that failed.

    Attributes:
        name: A machine word: `controls`, `invalid-tasks`, `infra`.
        why: What is wrong, for people.
        way_on: What to do about it.
    """

    name: str
    why: str
    way_on: str


def failed_gates(record: RunRecord) -> tuple[Gate, ...]:
    """Returns the gates that a run fails; empty for one whose figures can be believed."""
    return (*_controls(record), *_invalid(record), *_infra(record))


def _controls(record: RunRecord) -> tuple[Gate, ...]:
    found = controls(record)
    if not found.broken:
        return ()
    faults = "; ".join(f"{fault.task} ({fault.arm}): {fault.why}" for fault in found.faults)
    return (
        Gate(
            name="controls",
            why=f"the suite is broken: {faults}",
            way_on="`fairtrial tasks check` says which rule each task breaks",
        ),
    )


def _invalid(record: RunRecord) -> tuple[Gate, ...]:
    invalid = [f"{task.id}: {task.invalid}" for task in record.tasks if task.invalid]
    if not invalid:
        return ()
    return (
        Gate(
            name="invalid-tasks",
            why=f"the suite is broken: {'; '.join(invalid)}",
            way_on="mend or remove these tasks; no figure counts them",
        ),
    )


def _infra(record: RunRecord) -> tuple[Gate, ...]:
    gates = []
    for tally in tallies(record):
        planned, infra = tally.counts.planned, tally.counts.infra
        if planned and infra / planned > record.max_infra_share:
            first = next(iter(tally.infra), None)
            why = f"{infra} of {planned} trials of “{tally.solver}” broke for reasons of ours"
            gates.append(
                Gate(
                    name="infra",
                    why=f"{why}, such as: {first.note}" if first and first.note else why,
                    way_on="mend the cause, then run again with --resume",
                )
            )
    return tuple(gates)
