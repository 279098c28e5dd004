"""What all windows of one solver used together, which is known even where they ran at once."""

from collections.abc import Iterable, Sequence

from attrs import evolve

from fairtrial.api.energy import Energy
from fairtrial.api.reading import Boundary
from fairtrial.energy.account import Account, is_foreign, stretch, without
from fairtrial.energy.attribution import SHARED
from fairtrial.energy.labels import MEASURED
from fairtrial.energy.log import Log, Span
from fairtrial.energy.reasons import said

TOGETHER = frozenset({"concurrent-window", "concurrent-trial"})
"""Flags of windows whose joules are known only all together."""


def batch(log: Log, group: str) -> tuple[Account, ...]:
    """
    Works out what all windows of one group used together.

    Windows of the group may overlap each other: each stretch of time counts once. Where a window
    of another group was open meanwhile there is no figure, because nobody can tell the two apart;
    but one of a control arm is work of the harness, and inside like the checks of other trials.

    Returns:
        One account a boundary, `granularity` being `batch`; none for a group without windows.
    """
    spans = [span for span in log.spans.values() if span.group == group and span.end is not None]
    others = [own for span in spans for own in log.rivals(span) if own.group != group]
    mixed = any(not other.control for other in others)
    checked = not mixed and (bool(others) or any(map(log.is_beside_others, spans)))
    ids = {span.id for span in spans}
    whole = [span for span in spans if not ids & set(log.line(span))]
    totals: dict[Boundary, Account] = {}
    for begin, end in _merged(spans):
        inside = [span for span in whole if begin <= span.begin <= end]
        crowd = ["foreign-cpu"] if is_foreign(log, inside, begin, end) else []
        for found in stretch(log, begin, end):
            account = _flagged(found, crowd) if found.label in MEASURED else found
            old = totals.get(account.boundary)
            totals[account.boundary] = account if old is None else _added(old, account)
    crowd = ["concurrent-window"] if mixed else []
    crowd += ["concurrent-run"] if log.shared_with else []
    crowd += ["checks-inside"] if checked else []
    return tuple(_batched(account, crowd) for account in totals.values())


def covered(total: Energy) -> Energy:
    """Returns what an attempt tells whose joules are in a batch's total that another one tells."""
    return evolve(
        total, joules=None, gross_j=None, idle_j=None, uncertainty_j=None, significant=None
    )


def _batched(account: Account, crowd: Sequence[str]) -> Account:
    if account.label in MEASURED:
        account = without(account) if SHARED & set(crowd) else account
        account = _flagged(account, crowd)
    return evolve(account, granularity="batch")


def _flagged(account: Account, flags: Sequence[str]) -> Account:
    return evolve(
        account,
        flags=tuple(dict.fromkeys((*account.flags, *flags))),
        why="; ".join(filter(None, (account.why, said(flags)))),
    )


def _merged(spans: Iterable[Span]) -> list[tuple[int, int]]:
    """Joins windows that overlap into stretches."""
    stretches: list[tuple[int, int]] = []
    for span in sorted(spans, key=lambda span: span.begin):
        end = span.begin if span.end is None else span.end
        if stretches and span.begin <= stretches[-1][1]:
            stretches[-1] = (stretches[-1][0], max(stretches[-1][1], end))
        else:
            stretches.append((span.begin, end))
    return stretches


def _added(one: Account, other: Account) -> Account:
    """Adds two stretches of one boundary; a part that is not known leaves none."""

    def total(name: str) -> int | None:
        left, right = getattr(one, name), getattr(other, name)
        return None if left is None or right is None else left + right

    u_uj = None
    if one.u_uj is not None and other.u_uj is not None:
        u_uj = one.u_uj + other.u_uj  # gains and idle of one machine are not independent
    return evolve(
        one,
        gross_uj=total("gross_uj"),
        idle_uj=total("idle_uj"),
        net_uj=total("net_uj"),
        u_uj=u_uj,
        wall_us=one.wall_us + other.wall_us,
        suspended_us=((one.suspended_us or 0) + (other.suspended_us or 0)) or None,
        tau_us=max((own.tau_us for own in (one, other) if own.tau_us), default=None),
        significant=None,
        flags=tuple(dict.fromkeys((*one.flags, *other.flags))),
        why="; ".join(dict.fromkeys(filter(None, (one.why, other.why)))),
    )
