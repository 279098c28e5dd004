"""A solver that does what it was told to."""

from collections.abc import Mapping

from attrs import field, frozen

from fairtrial.api import Attempt, Ending, Question, Session, Usage, UserMessage


@frozen(kw_only=True)
class ScriptedSolver:
    """
    Writes the files that it was given, asks what it was given, and ends so.

    Attributes:
        writes: Text by path; None deletes the file.
        asks: Questions to ask first.
        ending: How it ends.
        note: What it says of that.
        cost_usd: Dollars that it says it spent; None where it doesn't say.
    """

    writes: Mapping[str, str | None] = field(factory=dict)
    asks: tuple[Question, ...] = ()
    ending: Ending = Ending.FINISHED
    note: str = ""
    cost_usd: float | None = None

    def solve(self, session: Session, /) -> Attempt:
        """Follows the script."""
        session.record(UserMessage(id="initial", text=session.brief.prompt))
        for question in self.asks:
            session.ask(question)
        for path, text in self.writes.items():
            place = session.workspace.root / path
            if text is None:
                place.unlink(missing_ok=True)
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        spent = () if self.cost_usd is None else (Usage(model="scripted", cost_usd=self.cost_usd),)
        return Attempt(ending=self.ending, note=self.note, usage=spent)
