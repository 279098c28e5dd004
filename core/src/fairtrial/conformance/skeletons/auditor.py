"""An auditor for fairtrial: finds attempts that read the history to copy a fix out of it."""

from collections.abc import Sequence

from attrs import frozen

from fairtrial.api import Auditor, Evidence, Finding, ToolCall

RULE = "reads-history"


@frozen(kw_only=True)
class EchoAuditor:
    """Looks at the commands that an agent ran."""

    words: tuple[str, ...] = ("git log", "git show", "git reflog")
    """Parts of a command that give it away."""

    def audit(self, evidence: Evidence, /) -> Sequence[Finding] | None:
        """Returns what was found; None without a log, since "no log" is not "clean"."""
        if evidence.events is None:
            return None
        return tuple(
            Finding(rule=RULE, enforcing=True, evidence=command[:160], where=f"event {number}")
            for number, event in enumerate(evidence.events, start=1)
            if isinstance(event, ToolCall) and (command := self._command(event))
        )

    def _command(self, event: ToolCall) -> str:
        # An agent's log is foreign text: what should be a string may be anything.
        command = event.input.get("command")
        if event.name != "Bash" or not isinstance(command, str):
            return ""
        return command if any(word in command for word in self.words) else ""


_: type[Auditor] = EchoAuditor
