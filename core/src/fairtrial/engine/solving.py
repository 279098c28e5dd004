"""One call of a solver, whatever it raises."""

import traceback

import structlog

from fairtrial.api import Attempt, Ending, FairtrialError, Session, Solver

log = structlog.get_logger()


def solved(solver: Solver, session: Session) -> tuple[Attempt, str]:
    """Returns what a solver says, and the traceback of a fault that it should not have raised."""
    try:
        said = solver.solve(session)
    except FairtrialError as error:
        note = f"{error.problem}; {error.way_on}" if error.way_on else error.problem
        return Attempt(ending=Ending.INFRA, note=note), ""
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a fault of the plugin, kept for its author
        log.warning("solver raised", error=type(error).__name__)
        note = f"the solver plugin raised {type(error).__name__}: {error}"
        return Attempt(ending=Ending.INFRA, note=note), traceback.format_exc()
    if not isinstance(said, Attempt):
        note = f"the solver plugin returned {type(said).__name__}, not an Attempt"
        return Attempt(ending=Ending.INFRA, note=note), ""
    return said, ""
