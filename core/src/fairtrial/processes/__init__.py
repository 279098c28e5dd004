"""
Starts programs, and proves that they and everything that they started are dead.

Sandboxes build on this room: `Job` says what to start; `start` gives a running program whose
output is drained by a thread, `run` waits for its end in the calling thread. A `Crew` does both for
one workspace, and ends all its programs together. `interrupt` ends all that runs. Behind them one *nursery* process forks a *warden* for each program; see `nursery` and
`warden` for how death is proved.

Names are imported when they are first used: the nursery itself imports this package and must start
fast.
"""

from importlib import import_module

TYPE_CHECKING = False  # `typing` itself would take the nursery ten milliseconds to import

if TYPE_CHECKING:
    from fairtrial.processes.crew import Crew
    from fairtrial.processes.descent import PROVABLE
    from fairtrial.processes.job import Job, Limits, find_program
    from fairtrial.processes.judged import Judged
    from fairtrial.processes.running import Supervised, close, interrupt, run, start

_HOMES = {
    "Crew": "crew",
    "PROVABLE": "descent",
    "Job": "job",
    "Limits": "job",
    "find_program": "job",
    "Judged": "judged",
    "close": "running",
    "Supervised": "running",
    "interrupt": "running",
    "run": "running",
    "start": "running",
}

__all__ = [
    "PROVABLE",
    "Crew",
    "Job",
    "Judged",
    "Limits",
    "Supervised",
    "close",
    "find_program",
    "interrupt",
    "run",
    "start",
]


def __getattr__(name: str) -> object:
    """Imports a public name from the module that holds it, at its first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
