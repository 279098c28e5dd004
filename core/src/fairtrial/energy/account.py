"""
The account of a window: gross joules, less idle, with who else was there.

All figures are integers of microjoules, so that an account made again from receipts is equal to
the digit; `Account.energy` is the same for records and readers.
"""

from collections.abc import Iterable, Sequence

from attrs import evolve, frozen

from fairtrial.api.energy import Energy
from fairtrial.api.reading import Boundary, Label
from fairtrial.energy import attribution
from fairtrial.energy.deltas import NS
from fairtrial.energy.gross import Gross, busy_share, gross
from fairtrial.energy.idle import IdlePower, idle_for, net, u_idle_w
from fairtrial.energy.labels import MEASURED
from fairtrial.energy.log import Log, Span
from fairtrial.energy.reasons import UNRANKED, said

_LEAST_SLEEP_US = 1000

FOREIGN_SHARE = 0.05
"""More of the machine's CPUs busy with other processes than this, and a window is not its own."""


@frozen(kw_only=True)
class Account:
    """
    Joules of one window at one boundary, in microjoules.

    Attributes:
        boundary: What it includes.
        label: How it was come by.
        meter: The names of the meters behind it.
        sensor: What measured.
        coverage: The atoms that it includes.
        granularity: `trial` or `batch`.
        gross_uj: All energy in the window; None where it can't be believed.
        idle_uj: The idle part; None where idle is not known.
        net_uj: The rest, never below 0; None where idle is not known.
        u_uj: One standard uncertainty of the figure to show.
        wall_us: Length of the window.
        floor_us: The shortest window that the counters can tell.
        tau_us: How often the slowest of them is updated; None where not known.
        suspended_us: How long the machine slept meanwhile.
        idle: Idle power as it was known, also where it could not be taken off; None for none.
        significant: Whether it stands above twice its uncertainty; None where not known.
        flags: What happened.
        why: For a reader.
    """

    boundary: Boundary
    label: Label
    meter: str = ""
    sensor: str = ""
    coverage: tuple[str, ...] = ()
    granularity: str = "trial"
    gross_uj: int | None = None
    idle_uj: int | None = None
    net_uj: int | None = None
    u_uj: int | None = None
    wall_us: int = 0
    floor_us: int = 0
    tau_us: int | None = None
    suspended_us: int | None = None
    idle: IdlePower | None = None
    significant: bool | None = None
    flags: tuple[str, ...] = ()
    why: str = ""

    @property
    def shown_uj(self) -> int | None:
        """The figure to show: net where idle is known, else gross."""
        return self.gross_uj if self.net_uj is None else self.net_uj

    @property
    def reliable(self) -> bool:
        """Whether the figure may be ranked among others of its boundary and label."""
        return self.shown_uj is not None and not UNRANKED & frozenset(self.flags)

    def energy(self) -> Energy:
        """Returns the account as a record keeps it."""
        return Energy(
            joules=_joules(self.shown_uj),
            boundary=self.boundary,
            label=self.label,
            meter=self.meter,
            gross_j=_joules(self.gross_uj),
            idle_j=_joules(self.idle_uj),
            uncertainty_j=_joules(self.u_uj),
            reliable=self.reliable,
            granularity=self.granularity,
            flags=self.flags,
            why=self.why,
            sensor=self.sensor,
            coverage=self.coverage,
            floor_s=self.floor_us / 1e6,
            significant=self.significant,
        )


def accounts(log: Log, span: Span) -> tuple[Account, ...]:
    """
    Works out the joules of a closed window.

    Returns:
        One account a boundary; one of no figure where no meter has a counter; nothing while the
        window is open.
    """
    if span.end is None:
        return ()
    figures = gross(log, span.begin, span.end)
    if not figures:
        return nothing(log)
    return tuple(_account(log, span, span.end, figure) for figure in figures)


def stretch(log: Log, begin: int, end: int) -> tuple[Account, ...]:
    """Works out the joules between two snapshots, whoever used them."""
    return tuple(_less_idle(log, figure, begin, end) for figure in gross(log, begin, end))


def nothing(log: Log) -> tuple[Account, ...]:
    """Returns an account without a figure, with the reason why no meter has a counter."""
    whys = {why: None for parts in log.missing.values() for why in parts.values()}
    whys |= {fault.why: None for fault in log.faults}
    if not log.missing and not log.faults:
        return ()
    return (
        Account(
            boundary=Boundary.HOST,
            label=Label.UNAVAILABLE,
            meter="+".join(sorted(log.missing)),  # in the order of receipts
            flags=("no-counter",),
            why="; ".join(whys) or "no meter has a counter here",
        ),
    )


def _account(log: Log, span: Span, end: int, figure: Gross) -> Account:
    account = _less_idle(log, figure, span.begin, end)
    if figure.label not in MEASURED:
        return account
    crowd = tuple(_crowd(log, span, end))
    if attribution.asked_for(log) and attribution.is_shared(figure, frozenset(crowd)):
        return _share(log, span, end, evolve(account, flags=(*account.flags, *crowd)))
    if attribution.SHARED & set(crowd):
        account = without(account)
    flags = tuple(dict.fromkeys((*account.flags, *crowd)))
    return evolve(account, flags=flags, why="; ".join(filter(None, (account.why, said(crowd)))))


def _crowd(log: Log, span: Span, end: int) -> Iterable[str]:
    """Names who else was on the machine."""
    if log.rivals(span):
        yield "concurrent-window"
    elif log.is_beside_others(span):
        yield "concurrent-trial"
    if log.shared_with:
        yield "concurrent-run"
    if is_foreign(log, (span,), span.begin, end):
        yield "foreign-cpu"


def is_foreign(log: Log, spans: Sequence[Span], begin: int, end: int) -> bool:
    """Returns whether others than these windows kept the CPUs busy, as far as that is known."""
    busy = busy_share(log, begin, end)
    own_us = _own_us(log, spans, begin, end)
    if busy is None or own_us is None or not log.processors:
        return False
    own = own_us * 1000 / (log.wall_ns(begin, end) * log.processors)
    return busy - own > FOREIGN_SHARE


def _own_us(log: Log, spans: Sequence[Span], begin: int, end: int) -> int | None:
    """
    Returns the CPU time that is nobody else's: fairtrial's own and the attempts'.

    None where an attempt ran apart that nobody counted, or beside which another trial was checked,
    whose CPU time nobody counts: their programs would be taken for somebody else's. Where a share
    by CPU time is asked for they are, so that it is given.
    """
    first, last = log.snapshots[begin].own_us, log.snapshots[end].own_us
    if first is None or last is None:
        return None
    apart = [span for span in spans if span.apart]
    uncounted = any(span.cpu_us is None or log.is_beside_others(span) for span in apart)
    if uncounted and not attribution.asked_for(log):
        return None
    return last - first + sum(span.cpu_us or 0 for span in apart)


def without(account: Account) -> Account:
    """Returns an account with its figures taken away; what is known about them stays."""
    return evolve(account, gross_uj=None, idle_uj=None, net_uj=None, u_uj=None, significant=None)


def _share(log: Log, span: Span, end: int, account: Account) -> Account:
    """Shares a window's joules out by CPU time, idle and all; the label falls to an estimate."""
    times = attribution.cpu_times_us(log, span, end)
    whole = (account.gross_uj, account.idle_uj, account.net_uj)
    flag = "share-unknown"
    shares: list[int | None] = [None, None, None]
    if times is not None and account.shown_uj is not None:
        try:
            shares = [
                None if part is None else attribution.attributed_uj(part, *times) for part in whole
            ]
            flag = "cpu-share"
        except ValueError:
            flag = "share-above-host"
    gross_uj, idle_uj, net_uj = shares
    return evolve(
        without(account),
        label=Label.ESTIMATOR,
        sensor="cpu-share",
        gross_uj=gross_uj,
        idle_uj=idle_uj,
        net_uj=net_uj,
        flags=tuple(flag_ for flag_ in (*account.flags, flag) if flag_ != "foreign-cpu"),
        why=said((*account.flags, flag)),
    )


def _less_idle(log: Log, figure: Gross, begin: int, end: int) -> Account:
    """Makes an account of a gross figure, less idle where idle is known."""
    wall_ns = log.wall_ns(begin, end)
    account = Account(
        boundary=figure.boundary,
        label=figure.label,
        meter="+".join(dict.fromkeys(key.split("/", 1)[0] for key in figure.keys)),
        sensor=figure.sensor,
        coverage=figure.coverage,
        gross_uj=figure.microjoules,
        u_uj=figure.u_uj,
        wall_us=wall_ns // 1000,
        floor_us=round(figure.floor_s * 1e6),
        tau_us=None if figure.update_s is None else round(figure.update_s * 1e6),
        suspended_us=_slept_us(log, begin, end),
        flags=figure.flags,
        why="; ".join(filter(None, (said(figure.flags), figure.detail))),
    )
    if figure.microjoules is None or figure.u_uj is None:
        return account
    known = idle_for(log, figure, begin, end)
    if known is None:
        return account
    idle, after = known
    account = evolve(account, idle=idle)
    if idle.invalid:
        why = "; ".join(filter(None, (account.why, f"idle not taken off: {idle.invalid}")))
        return evolve(account, flags=(*account.flags, "idle-invalid"), why=why)
    result = net(
        figure.microjoules / 1e6,
        wall_ns / NS,
        idle.watts,
        u_gross_j=figure.u_uj / 1e6,
        u_idle=u_idle_w(idle, after),
    )
    return evolve(
        account,
        idle_uj=round(idle.watts * wall_ns / 1000),
        net_uj=round(result.joules * 1e6),
        u_uj=round(result.uncertainty_j * 1e6),
        significant=result.significant,
        flags=(*account.flags, "clipped") if result.clipped else account.flags,
    )


def _slept_us(log: Log, begin: int, end: int) -> int | None:
    """Returns how long the machine slept; less than a millisecond is the clocks' own difference."""
    slept_us = log.asleep_ns(begin, end) // 1000
    return slept_us if slept_us >= _LEAST_SLEEP_US else None


def _joules(microjoules: int | None) -> float | None:
    return None if microjoules is None else microjoules / 1e6
