"""A task, in the two depths at which the parts of a run may see it."""

from attrs import field, frozen
from attrs.validators import ge, gt, min_len, optional


@frozen(kw_only=True)
class Brief:
    """
    All that a solver is told.

    Attributes:
        prompt: The request, as a user would write it.
        timeout_s: Wall-clock seconds that the attempt may take.
        budget_usd: Dollars that the attempt may spend; None where no cap was set.
    """

    prompt: str = field(validator=min_len(1))
    timeout_s: float = field(validator=gt(0))
    budget_usd: float | None = field(default=None, validator=optional(ge(0)))


@frozen(kw_only=True)
class Task:
    """
    One task as the engine, auditors and answerers see it; never handed to a solver.

    The checks and the reference stay with the suite, so that this type can't leak them.

    Attributes:
        id: Unique in its suite: letters, digits, `.`, `_`, `-`.
        family: Tasks of one family share a held-out companion; the id where a task names none.
        brief: What the solver is told.
        digest: SHA-256 (hex) over everything that defines the task, hidden parts included.
        protected: Globs of paths, relative to the workspace, where a solver's changes are dropped
            and reported.
        open_paths: Globs of paths that may cross into the clean room although a test runner or
            an interpreter reads them (such as `conftest.py`), since the task is about them.
        allowed: Exact paths that may change; None where scope is not judged.
        questions_expected: Number of questions that a good attempt asks; None where not judged.
        submission_expected: Whether an attempt that changes nothing has failed for that alone.
        preferences: Words by which an answerer picks among options, in order.
        stack: The tool chain that the checks use: `python`, `node`, `rust`, `go`, or empty.
        needs: What must be on the machine for its programs to run, as the task spells it.
        quarantine: Why the task is kept out of the headline (a flaky check, with its measured
            rate); empty for a sound task.
    """

    id: str = field(validator=min_len(1))
    family: str
    brief: Brief
    digest: str
    protected: tuple[str, ...] = ()
    open_paths: tuple[str, ...] = ()
    allowed: tuple[str, ...] | None = None
    questions_expected: int | None = field(default=None, validator=optional(ge(0)))
    submission_expected: bool = True
    preferences: tuple[str, ...] = ()
    stack: str = ""
    needs: tuple[str, ...] = ()
    quarantine: str = ""
