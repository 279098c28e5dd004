"""A sign of a bought score, before it becomes a finding."""

from attrs import frozen
from fairtrial.api import Finding
from fairtrial.redaction import MARK, redact, visible

SHOWN = 160
"""Most characters of evidence that a finding keeps."""


@frozen(kw_only=True)
class Sign:
    """
    One thing that a changed tree shows.

    Attributes:
        rule: The rule's id.
        enforcing: Whether the attempt counts as not clean for it.
        path: Where it was seen.
        seen: What was seen.
    """

    rule: str
    enforcing: bool
    path: str
    seen: str

    def finding(self) -> Finding:
        """Returns it as a finding: redacted, on one line, cut."""
        return Finding(
            rule=self.rule,
            enforcing=self.enforcing,
            evidence=_shown(f"{self.path}: {self.seen}"),
            where=_shown(self.path),
        )


def _shown(text: str) -> str:
    line = "".join(map(visible, " ".join(redact(text[:8_192]).split())[: 4 * SHOWN]))
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 1]}{MARK}"
