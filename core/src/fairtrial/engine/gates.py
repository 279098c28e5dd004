"""What a run must hold for its figures to be believed; a gate that fails makes it exit with 1."""

from collections.abc import Iterator

from attrs import frozen

from fairtrial.api import RunRecord
from fairtrial.figures.controls import controls
from fairtrial.figures.gaps import honesties
from fairtrial.figures.rates import percent, ratio
from fairtrial.figures.tally import CONTROLS, tallies


@frozen(kw_only=True)
class Gate:
    """
    One gate that failed.

    Attributes:
        name: A machine word: `controls`, `invalid-tasks`, `infra`, `heldout-gap`, `clean-gap`,
            `resolved`.
        why: What is wrong, for people.
        way_on: What to do about it.
    """

    name: str
    why: str
    way_on: str


def failed_gates(record: RunRecord) -> tuple[Gate, ...]:
    """Returns the gates that a run fails; empty for one whose figures can be believed."""
    return (
        *_controls(record),
        *_invalid(record),
        *_infra(record),
        *_heldout(record),
        *_clean(record),
        *_resolved(record),
    )


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
    invalid = [task.id for task in record.tasks if task.invalid]
    if not invalid:
        return ()
    return (
        Gate(
            name="invalid-tasks",
            why=f"the suite is broken: no figure counts {', '.join(invalid)}",
            way_on="mend or remove what the report says is invalid, and why",
        ),
    )


def _infra(record: RunRecord) -> tuple[Gate, ...]:
    gates = []
    for tally in tallies(record):
        planned, infra = tally.counts.planned, tally.counts.infra
        if planned and infra / planned > record.max_infra_share:
            first = next(iter(tally.infra), None)
            why = f"{infra} of {planned} trials of “{tally.solver}” broke for reasons that are not the agent's"
            gates.append(
                Gate(
                    name="infra",
                    why=f"{why}, such as: {first.note}" if first and first.note else why,
                    way_on="mend the cause, then run again with --resume",
                )
            )
    return tuple(gates)


def _heldout(record: RunRecord) -> Iterator[Gate]:
    found = (record.heldout or {}).get("failures", ())
    failures = [str(each) for each in found] if isinstance(found, list | tuple) else []
    if failures:
        yield Gate(
            name="heldout-gap",
            why=f"held-out gap too wide: {'; '.join(failures)}",
            way_on="the visible check was passed by work that does not do what was asked; read it",
        )


def _clean(record: RunRecord) -> Iterator[Gate]:
    limit = record.gates.get("max_clean_gap")
    if limit is None:
        return
    for each in honesties(record):
        if each.solver in CONTROLS or (each.gap is not None and each.gap <= limit):
            continue
        said = "was not audited" if each.gap is None else f"has a gap of {percent(each.gap)}"
        yield Gate(
            name="clean-gap",
            why=f"“{each.solver}” {said} between resolved and clean-resolved; "
            f"max_clean_gap is {percent(limit)}",
            way_on="name auditors in [run] auditors"
            if each.gap is None
            else "the findings of each trial say what was seen",
        )


def _resolved(record: RunRecord) -> Iterator[Gate]:
    limit = record.gates.get("min_resolved")
    if limit is None:
        return
    for tally in tallies(record):
        counts = tally.counts
        share = ratio(counts.resolved, counts.planned)
        if not tally.control and (share is None or share < limit):
            yield Gate(
                name="resolved",
                why=f"“{tally.solver}” resolved {counts.resolved} of {counts.planned}; "
                f"min_resolved is {percent(limit)}",
                way_on="the report says why each trial failed",
            )
