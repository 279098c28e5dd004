import subprocess
from pathlib import Path

from attrs import evolve, frozen
from fairtrial.api import (
    AssistantText,
    Attempt,
    Ending,
    MachineError,
    Option,
    Outlook,
    Question,
    Session,
)
from fairtrial.conformance.skeletons.solver import EchoSolver

SEEN: list[str] = []


@frozen(kw_only=True)
class RaisingSolver(EchoSolver):
    def solve(self, session: Session, /) -> Attempt:
        attempt = super().solve(session)
        if attempt.ending is Ending.CRASHED:
            raise RuntimeError(attempt.note)
        return attempt


@frozen(kw_only=True)
class SilentCrashSolver(EchoSolver):
    def solve(self, session: Session, /) -> Attempt:
        return evolve(super().solve(session), note="")


@frozen(kw_only=True)
class AlwaysDoneSolver(EchoSolver):
    def solve(self, session: Session, /) -> Attempt:
        attempt = super().solve(session)
        late = attempt.ending is Ending.TIMED_OUT
        return evolve(attempt, ending=Ending.FINISHED) if late else attempt


@frozen(kw_only=True)
class OrphaningSolver(EchoSolver):
    def solve(self, session: Session, /) -> Attempt:
        attempt = super().solve(session)
        session.workspace.spawn(["sleep", "20"], timeout_s=20.0)
        return attempt


@frozen(kw_only=True)
class StrayingSolver(EchoSolver):
    def solve(self, session: Session, /) -> Attempt:
        (session.scratch.parent / "diary.txt").write_text(session.brief.prompt)
        return super().solve(session)


@frozen(kw_only=True)
class PeekingSolver(EchoSolver):
    def solve(self, session: Session, /) -> Attempt:
        for check in Path().glob("check/*"):
            session.record(AssistantText(text=check.read_text()))
        return super().solve(session)


@frozen(kw_only=True)
class EscapingSolver(EchoSolver):
    def solve(self, session: Session, /) -> Attempt:
        subprocess.run(["true"], check=True)
        return super().solve(session)


@frozen(kw_only=True)
class ArgumentSolver(EchoSolver):
    def solve(self, session: Session, /) -> Attempt:
        return EchoSolver(argv=(*self.argv, session.brief.prompt)).solve(session)


@frozen(kw_only=True)
class RememberingSolver(EchoSolver):
    def solve(self, session: Session, /) -> Attempt:
        SEEN.append(session.brief.prompt)
        session.record(AssistantText(text=" ".join(SEEN)))
        return super().solve(session)


@frozen(kw_only=True)
class AskingSolver(EchoSolver):
    def solve(self, session: Session, /) -> Attempt:
        session.ask(Question(text="Shall I?", options=(Option(label="yes"),)))
        return super().solve(session)


@frozen(kw_only=True)
class BlamingSolver(EchoSolver):
    def solve(self, session: Session, /) -> Attempt:
        try:
            return super().solve(session)
        except MachineError as error:
            return Attempt(ending=Ending.CRASHED, note=error.problem)


@frozen(kw_only=True)
class GloomySolver(EchoSolver):
    def lacks(self, outlook: Outlook, /) -> MachineError | None:
        return MachineError(problem="it has no key", way_on="set one")


@frozen(kw_only=True)
class HastySolver(EchoSolver):
    def lacks(self, outlook: Outlook, /) -> MachineError | None:
        outlook.workspace.run(self.argv, timeout_s=5.0)
        return None


@frozen(kw_only=True)
class RestlessSolver(EchoSolver):
    def solve(self, session: Session, /) -> Attempt:
        super().solve(session)
        return Attempt(ending=Ending.INFRA)
