"""A selector for fairtrial: an attempt that passes the tests which anybody can run."""

from attrs import field, frozen
from attrs.validators import gt
from fairtrial.api import Candidate, EndedBy, SelectionSession, Selector


@frozen(kw_only=True)
class TestsSelector:
    """
    Picks the first attempt that passes the visible tests; the first of all where none does.

    It never learns what the hidden checks said. Attempts that changed nothing come last.
    """

    __test__ = False  # no test of pytest's, whatever its name begins with

    test_cmd: tuple[str, ...] = ()
    """The program, and its arguments, that runs the tests in an attempt's tree; exit status 0 is
    a pass. Empty: what the project's own tests said when the attempt was graded, which costs
    nothing; where they were not run, no attempt passes."""

    test_timeout_s: float = field(default=300.0, validator=gt(0))
    """Seconds that it may take; after that, the tests count as failed."""

    def select(self, session: SelectionSession, /) -> int | None:
        """
        Picks an attempt.

        Raises:
            MachineError: The tests can't be run.
        """
        candidates = sorted(session.candidates, key=lambda one: (not one.changed, one.rollout))
        passing = (one for one in candidates if self._passes(session, one))
        return next(passing, candidates[0]).rollout

    def _passes(self, session: SelectionSession, candidate: Candidate) -> bool:
        if not self.test_cmd:
            return candidate.tests_passed is True
        finished = session.run(candidate.rollout, self.test_cmd, timeout_s=self.test_timeout_s)
        return finished.ended_by is EndedBy.EXIT and finished.code == 0


_: type[Selector] = TestsSelector
