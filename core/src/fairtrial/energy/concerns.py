"""What a reader should know of a whole run: doubts that no window shows alone, faults of meters."""

from collections.abc import Iterable, Sequence

from fairtrial.api.reading import Boundary
from fairtrial.energy.account import Account
from fairtrial.energy.log import Fault
from fairtrial.energy.reasons import told
from fairtrial.figures.basis import MOST_CLIPPED, MOST_IDLE


def concerns(accounts: Iterable[Account]) -> tuple[str, ...]:
    """
    Names what makes a run's net figures doubtful.

    More than one window in twenty below idle, or an idle power of more than 95 % of what the windows
    drew, says that idle was measured too high: on a machine that was not idle then. Windows below
    the floor say nothing of that: they may hold an update less than their length.
    """
    told = [own for own in accounts if own.net_uj is not None]
    net = [own for own in told if "below-floor" not in own.flags]
    found: list[str] = []
    for boundary in Boundary:
        found += _of(boundary, [own for own in net if own.boundary is boundary])
    return tuple(found)


def wrongs(faults: Iterable[Fault]) -> tuple[str, ...]:
    """
    Names what meters did wrong, one line a meter: the first few, and how many others there were.

    A counter of garbage shows other garbage at each read; a run of hours has thousands of them.
    """
    whys: dict[str, list[str]] = {}
    for fault in faults:
        whys.setdefault(fault.meter, []).append(fault.why)
    return tuple(f"{meter}: {told(found)}" for meter, found in whys.items())


def _of(boundary: Boundary, net: Sequence[Account]) -> list[str]:
    if not net:
        return []
    found = []
    clipped = sum("clipped" in own.flags for own in net)
    if clipped > MOST_CLIPPED * len(net):
        found.append(f"{boundary}: {clipped} of {len(net)} windows are below idle power")
    used = sum(own.gross_uj or 0 for own in net)
    idle = sum(own.idle_uj or 0 for own in net)
    if used and idle > MOST_IDLE * used:
        found.append(f"{boundary}: idle is {idle / used:.0%} of all that was used")
    return found
