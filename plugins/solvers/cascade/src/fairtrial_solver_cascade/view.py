"""What one stage sees of the attempt: the same workspace, less time, less money, its own scratch."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from attrs import define, evolve, field
from fairtrial.api import (
    Answer,
    AssistantText,
    Brief,
    Event,
    Question,
    Session,
    Solver,
    Stage,
    TurnEnd,
    Workspace,
)

from fairtrial_solver_cascade.turns import NOTHING_YET, on_top, so_far


@define(kw_only=True)
class StageView:
    """
    A session in which one stage works; all but its limits and its scratch are the attempt's own.

    Attributes:
        brief: The attempt's, with the stage's own limits.
        scratch: The stage's own directory.
        earlier: What the stages before it told that they used.
        said: What the agent said last, in its own words.
        told: What this stage and those before it told that they used; its dollars are unknown
            until it has told some.
    """

    brief: Brief
    scratch: Path
    earlier: TurnEnd = NOTHING_YET
    said: str = ""
    told: TurnEnd = field(init=False)
    _whole: Session
    _left_at_start_s: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._left_at_start_s = self._whole.remaining_s()
        self.told = evolve(self.earlier, cost_usd=None)

    @property
    def workspace(self) -> Workspace:
        """The attempt's workspace."""
        return self._whole.workspace

    @property
    def environment(self) -> Mapping[str, str]:
        """The attempt's environment."""
        return self._whole.environment

    def remaining_s(self) -> float:
        """Seconds left of the stage's time, and of the attempt's."""
        left_s = self._whole.remaining_s()
        used_s = self._left_at_start_s - left_s
        return max(0.0, min(left_s, self.brief.timeout_s - used_s))

    def ask(self, question: Question, /) -> Answer:
        """Puts a question to the answerer."""
        return self._whole.ask(question)

    def ask_together(self, questions: Sequence[Question], /) -> Sequence[Answer]:
        """Puts questions that are asked all at once."""
        return self._whole.ask_together(questions)

    def record(self, event: Event, /) -> None:
        """Appends an event to the attempt's trajectory, and remembers what was said last."""
        if isinstance(event, AssistantText) and event.text.strip():
            self.said = event.text
        elif isinstance(event, TurnEnd):
            self.said = event.result if event.result.strip() else self.said
            event = on_top(self.earlier, event)
            self.told = so_far(self.told, event)
        self._whole.record(event)

    def perform(self, solver: Solver, session: Session, /) -> Stage:
        """Lets another solver work inside of this stage."""
        return self._whole.perform(solver, session)

    def escalate(self, why: str, /) -> None:
        """Says why another stage follows inside of this one."""
        self._whole.escalate(why)

    def reset(self) -> None:
        """Puts the workspace back to what the attempt was given."""
        self._whole.reset()


def keep_native(scratch: Path, target: Path) -> None:
    """Moves a stage's native logs to where the engine looks for them; a link is left alone."""
    native = scratch / "native"
    if native.is_symlink() or not native.is_dir() or target.parent.is_symlink():
        return
    target.parent.mkdir(exist_ok=True)
    # An agent of an earlier stage may have put something there.
    with suppress(OSError):
        native.rename(target)


_: type[Session] = StageView
