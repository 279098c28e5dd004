"""How a program's end is told: as an ending, a note, and events."""

from collections.abc import Sequence

from attrs import frozen
from fairtrial.agents.presence import absent
from fairtrial.api import (
    OUTPUT_LIMIT,
    AssistantText,
    Attempt,
    EndedBy,
    Ending,
    Finished,
    LogMessage,
    MachineError,
    ModelUsage,
    Session,
    TurnEnd,
    Usage,
)

from fairtrial_solver_command.secrecy import redact

LONGEST_ARGUMENT = 128 * 1024 - 1
"""Bytes of one argument that Linux takes (`MAX_ARG_STRLEN`, its final NUL left out)."""
ARGV = "`argv` of a solver “command”"
"""Where the program is named, for a message."""
_LONGEST_NOTE = 300
_LIMITS = {EndedBy.TIMEOUT: "timeout", EndedBy.IDLE: "idle"}


@frozen(kw_only=True)
class Outcome:
    """
    The end of one program.

    Attributes:
        finished: How its process ended.
        complete: Whether its terminal line was seen, so that how it ended then doesn't matter.
        ok_codes: The exit statuses of success.
        secrets: What must be in no note.
        usage: What it used, as it says itself; None where it was not asked.
    """

    finished: Finished
    complete: bool
    ok_codes: Sequence[int]
    secrets: tuple[str, ...] = ()
    usage: Usage | None = None

    @property
    def ending(self) -> Ending:
        """How the attempt ended."""
        ended_by = self.finished.ended_by
        if ended_by is EndedBy.INTERRUPT:
            return Ending.INTERRUPTED
        if self.complete or (ended_by is EndedBy.EXIT and self.finished.code in self.ok_codes):
            return Ending.FINISHED
        return Ending.TIMED_OUT if ended_by in _LIMITS else Ending.CRASHED

    def attempt(self, version: str | None) -> Attempt:
        """Returns what the engine is told."""
        return Attempt(
            ending=self.ending,
            limit=_LIMITS.get(self.finished.ended_by, "") if not self.complete else "",
            usage=() if self.usage is None or self.usage == Usage() else (self.usage,),
            model=None if self.usage is None else self.usage.model,
            agent_version=version,
            note=self._note(),
        )

    def record(self, session: Session) -> None:
        """Records what the program printed last, and its end."""
        printed = self._clean(self.finished.stdout)
        if printed.strip():
            session.record(AssistantText(text=printed[-OUTPUT_LIMIT:]))
        failed = self.ending is not Ending.FINISHED
        if failed:
            session.record(LogMessage(level="error", message=self._note() or self.ending))
        used = self.usage
        session.record(
            TurnEnd(
                is_error=failed,
                result=_last_line(printed)[:_LONGEST_NOTE],
                cost_usd=None if used is None else used.cost_usd,
                duration_ms=round(self.finished.wall_s * 1000, 1),
                model_usage=None if used is None or used.model is None else _by_model(used),
            )
        )

    def warn(self, session: Session, message: str) -> None:
        """Records that something is weaker than was asked."""
        session.record(LogMessage(level="warn", message=message))

    def _note(self) -> str:
        if self.ending is not Ending.CRASHED:
            return ""
        said = _last_line(self._clean(self.finished.stderr)) or "nothing on stderr"
        number = self.finished.signal
        how = f"signal {number}" if number is not None else f"exit status {self.finished.code}"
        return f"{how}: {said}"[:_LONGEST_NOTE]

    def _clean(self, output: bytes) -> str:
        return redact(output.decode(errors="replace"), self.secrets)


def refuse_long(argv: Sequence[str]) -> None:
    """
    Refuses an argument that no program can be given.

    Raises:
        MachineError: One is longer than the kernel takes.
    """
    for number, text in enumerate(argv):
        size = len(text.encode(errors="surrogateescape"))
        if size > LONGEST_ARGUMENT:
            raise MachineError(
                problem=f"argument {number} of “{argv[0]}” is too long for this system",
                facts=(("bytes", str(size)), ("most", str(LONGEST_ARGUMENT))),
                way_on="pass the prompt as a file: write {prompt_file} instead of {prompt}",
            )


def unusable(program: str, error: OSError | ValueError) -> MachineError:
    """Returns the error that says why a program can't be started, and what to do."""
    if isinstance(error, FileNotFoundError):
        return absent(program, ARGV)
    because = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return MachineError(
        problem=f"the program “{program}” can't be started",
        facts=(("because", because),),
        way_on="check its permissions and its first line; a long prompt goes into {prompt_file}",
    )


def _by_model(used: Usage) -> dict[str, ModelUsage]:
    tokens = ModelUsage(
        input_tokens=used.input_uncached,
        output_tokens=used.output,
        cache_read_tokens=used.cache_read,
        cache_write_tokens=used.cache_write_5m,
    )
    return {used.model or "": tokens}


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""
