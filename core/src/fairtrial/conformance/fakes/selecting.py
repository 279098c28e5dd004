"""What a selector is handed, with what it used kept in lists that a test can look at."""

from collections.abc import Mapping, Sequence

from attrs import define, field

from fairtrial.api import Brief, BudgetError, Candidate, EndedBy, Finished, Solver
from fairtrial.conformance.fakes.suite import sample_task


@define(kw_only=True)
class FakeSelectionSession:
    """
    One task × solver with several attempts, without an engine.

    Attributes:
        candidates: The attempts.
        brief: What was asked.
        diffs: By rollout; an attempt without one changed nothing.
        verdicts: What the hidden checks said, by rollout; None for all others.
        codes: Exit statuses of programs that are run in an attempt's tree; 0 for all others.
        answers: What solvers that are asked write, one after the other; None: nothing.
        broke: Whether there is no money left to ask a solver.
        peeked: Rollouts whose verdict was asked for.
        ran: Rollouts and argument lists of programs.
        asked: Prompts and files of consultations.
    """

    candidates: Sequence[Candidate]
    brief: Brief = field(factory=lambda: sample_task().brief)
    diffs: Mapping[int, str] = field(factory=dict)
    verdicts: Mapping[int, bool] = field(factory=dict)
    codes: Mapping[int, int] = field(factory=dict)
    answers: Sequence[str | None] = ()
    broke: bool = False
    peeked: list[int] = field(factory=list)
    ran: list[tuple[int, tuple[str, ...]]] = field(factory=list)
    asked: list[tuple[str, Mapping[str, str]]] = field(factory=list)

    def diff(self, rollout: int, /) -> str:
        """Returns what was laid down for the attempt."""
        return self.diffs.get(rollout, "")

    def run(self, rollout: int, argv: Sequence[str], /, *, timeout_s: float) -> Finished:
        """Notes the program, and says how it ended."""
        self.ran.append((rollout, tuple(argv)))
        return Finished(code=self.codes.get(rollout, 0), ended_by=EndedBy.EXIT)

    def consult(
        self, solver: Solver, prompt: str, files: Mapping[str, str], /, *, answer_in: str
    ) -> str | None:
        """Notes what is asked, and gives the next answer; nothing once there is none left."""
        if self.broke:
            raise BudgetError(problem="the budget would not cover it")
        self.asked.append((prompt, files))
        place = len(self.asked) - 1
        return self.answers[place] if place < len(self.answers) else None

    def resolved(self, rollout: int, /) -> bool | None:
        """Notes that it was asked for, and tells what was laid down."""
        self.peeked.append(rollout)
        return self.verdicts.get(rollout)
