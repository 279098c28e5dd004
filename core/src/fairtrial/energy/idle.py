"""
What the machine would have used idle, and what is left of a figure without it.

Idle is measured in windows of its own, never learnt from the run: a minimum seen by chance would
stay for ever. A calibration that doesn't hold is worse than none, so each rule that it breaks is
named and the figure stays gross.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import mean, median, stdev

from attrs import evolve, frozen

from fairtrial.api.reading import Boundary
from fairtrial.energy.deltas import NS
from fairtrial.energy.gross import SLEEP_NS, Gross, busy_share, gross
from fairtrial.energy.labels import MEASURED
from fairtrial.energy.log import IdleRun, Log

LEAST_WINDOWS = 5
MOST_SPREAD = 0.10
MOST_BUSY = 0.05
MOST_AGE_S = 1800
MOST_DRIFT = 0.10
MOST_WARMING_C = 10.0

_MAD_TO_SIGMA = 1.4826
_TEMPERATURE = "temperature_c"


@frozen(kw_only=True)
class IdlePower:
    """
    Idle power of one boundary.

    Attributes:
        watts: The median of the windows.
        spread_w: Their robust standard deviation (MAD, or the plain one where that is 0).
        windows: How many there were.
        invalid: Why it can't be used; empty for a sound one.
        variation: Their coefficient of variation: standard deviation ÷ mean.
        age_s: How old it was when the stretch began that it is taken off.
    """

    watts: float
    spread_w: float
    windows: int
    invalid: str = ""
    variation: float = 0.0
    age_s: float = 0.0


@frozen(kw_only=True)
class Net:
    """
    A figure without its idle part.

    Attributes:
        joules: Never below 0.
        uncertainty_j: One standard uncertainty.
        clipped: Whether it would have been below 0.
        significant: Whether it stands above twice its uncertainty.
    """

    joules: float
    uncertainty_j: float
    clipped: bool
    significant: bool


def idle_power(windows_w: Sequence[float]) -> IdlePower:
    """Returns the idle power of windows, in watts; invalid where they are too few or spread."""
    if not windows_w:
        return IdlePower(
            watts=0.0, spread_w=0.0, windows=0, invalid="no idle window could be read"
        )
    middle = median(windows_w)
    spread = _MAD_TO_SIGMA * median(abs(watts - middle) for watts in windows_w)
    plain = stdev(windows_w) if len(windows_w) > 1 else 0.0
    variation = plain / mean(windows_w) if plain else 0.0
    invalid = ""
    if len(windows_w) < LEAST_WINDOWS:
        invalid = f"only {len(windows_w)} idle windows, and {LEAST_WINDOWS} are needed"
    elif plain > MOST_SPREAD * mean(windows_w):
        invalid = f"the idle windows differ by {variation:.0%}, more than {MOST_SPREAD:.0%}"
    return IdlePower(
        watts=middle,
        spread_w=spread or plain,
        windows=len(windows_w),
        invalid=invalid,
        variation=variation,
    )


def u_idle_w(before: IdlePower, after: IdlePower | None = None) -> float:
    """
    Returns the standard uncertainty of an idle power in watts.

    `u² = s²/n + (P_before − P_after)²/12`: drift between the two is uniform.
    """
    drift = 0.0 if after is None else before.watts - after.watts
    return math.sqrt(before.spread_w**2 / before.windows + drift**2 / 12)


def net(
    gross_j: float, wall_s: float, idle_w: float, *, u_gross_j: float = 0.0, u_idle: float = 0.0
) -> Net:
    """
    Takes the idle part off a figure.

    Args:
        gross_j: All joules of the window.
        wall_s: Its length in seconds.
        idle_w: Idle power in watts.
        u_gross_j: Standard uncertainty of `gross_j`.
        u_idle: Standard uncertainty of `idle_w`.
    """
    left = gross_j - idle_w * wall_s
    u = math.hypot(u_gross_j, wall_s * u_idle)
    return Net(joules=max(0.0, left), uncertainty_j=u, clipped=left < 0, significant=left > 2 * u)


def idle_for(
    log: Log, figure: Gross, begin: int, end: int
) -> tuple[IdlePower, IdlePower | None] | None:
    """
    Finds the idle power that holds for a stretch of the log.

    Returns:
        The last calibration before the stretch and the first one after it, if there is one; None
        where none was made before. `invalid` of the first one says why it doesn't hold.
    """
    before = next((run for run in reversed(log.idle) if run.windows[-1][1] <= begin), None)
    if before is None:
        return None
    after = next((run for run in log.idle if run.windows[0][0] >= end), None)
    power = measured(log, before, figure, end)
    later = None if after is None else measured(log, after, figure, end)
    problems = [power.invalid, *dict.fromkeys(_broken(log, before, after, begin, end))]
    if later is not None and not later.invalid:
        drift = abs(power.watts - later.watts)
        if drift > MOST_DRIFT * power.watts:
            problems.append(f"idle power moved by {drift:.1f} W from before to after")
    else:
        later = None
    invalid = "; ".join(filter(None, problems))
    return evolve(power, invalid=invalid, age_s=_age_s(log, before, begin)), later


def idle_powers(log: Log) -> dict[Boundary, IdlePower]:
    """Returns what the last calibration of a log says of each boundary that is measured."""
    if not log.idle:
        return {}
    run = log.idle[-1]
    begin, end = run.windows[-1]
    return {
        figure.boundary: measured(log, run, figure, end)
        for figure in gross(log, begin, end)
        if figure.label in MEASURED
    }


def idle_windows(
    log: Log, sample: Callable[[], int], wait: Callable[[], object], most: int
) -> list[list[int]]:
    """
    Lets windows pass one after the other, until one in which the machine was busy.

    Args:
        log: Where `sample` reads into.
        sample: Reads every counter; returns the snapshot's index.
        wait: Lets one window pass.
        most: How many there are if none was busy: a busy one is enough to make all of no use.

    Returns:
        The first and the last snapshot of each.
    """
    found: list[list[int]] = []
    begin = sample()
    for _ in range(most):
        wait()
        end = sample()
        found.append([begin, end])
        if _is_busy(log, begin, end):
            break
        begin = end
    return found


def measured(log: Log, run: IdleRun, figure: Gross, seen: int) -> IdlePower:
    """
    Returns what a calibration says of the counters that a figure is made of.

    Args:
        log: What was read.
        run: The calibration.
        figure: What its idle power is asked for.
        seen: Up to which snapshot it was looked at whether dies repeat each other. The first
            windows alone are too few samples to tell, and would count each die.
    """
    watts: list[float] = []
    for begin, end in run.windows:
        parts = gross(log, begin, end, seen=max(end, seen))
        found = next((own for own in parts if own.keys == figure.keys), None)
        if _is_busy(log, begin, end):
            busy = busy_share(log, begin, end)
            why = f"the machine was {busy:.0%} busy in an idle window"
            return IdlePower(watts=0.0, spread_w=0.0, windows=0, invalid=why)
        if found is not None and found.microjoules is not None:
            watts.append(found.microjoules * 1000 / log.wall_ns(begin, end))
    return idle_power(watts)


def _is_busy(log: Log, begin: int, end: int) -> bool:
    busy = busy_share(log, begin, end)
    return busy is not None and busy > MOST_BUSY


def _age_s(log: Log, run: IdleRun, at: int) -> float:
    """Returns how old a calibration was at a snapshot."""
    return (log.snapshots[at].boot_ns - log.snapshots[run.windows[-1][1]].boot_ns) / NS


def _broken(
    log: Log, before: IdleRun, after: IdleRun | None, begin: int, end: int
) -> Iterable[str]:
    """Names the rules that a calibration breaks by the end of a stretch."""
    last = before.windows[-1][1]
    age_s = _age_s(log, before, begin)
    if age_s > MOST_AGE_S:
        yield f"it is {age_s / 60:.0f} minutes old, and {MOST_AGE_S // 60} are the most"
    if log.asleep_ns(last, begin) > SLEEP_NS:
        yield "the machine slept since"
    yield from changed(before.conditions, log.conditions_at(begin))
    # That work makes a part warm is no fault of the window in which it does.
    then = log.conditions_at(end)
    lasting = {name: text for name, text in then.items() if not name.endswith(_TEMPERATURE)}
    yield from changed(before.conditions, lasting)
    if after is not None:
        yield from changed(before.conditions, after.conditions)


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> Iterable[str]:
    """
    Names the conditions that are no longer as they were.

    Only those that both know are compared; temperatures (`…temperature_c`) may move by 10 °C.
    """
    for name in sorted(before.keys() & after.keys()):
        old, new = before[name], after[name]
        if name.endswith(_TEMPERATURE):
            try:
                moved = abs(float(new) - float(old)) > MOST_WARMING_C
            except ValueError:
                moved = old != new
        else:
            moved = old != new
        if moved:
            yield f"{name} went from {old} to {new}"
