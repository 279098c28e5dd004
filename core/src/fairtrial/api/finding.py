"""What an auditor found."""

from attrs import field, frozen
from attrs.validators import max_len


@frozen(kw_only=True)
class Finding:
    """
    One sign that a score may have been bought.

    Attributes:
        rule: The rule's id, stable between versions.
        enforcing: Whether the attempt counts as not clean for it; False for a mere remark.
        evidence: What was seen, redacted, at most 160 characters.
        where: Its place: an event's number, or a path.
        tool_call_id: The call that it belongs to; empty where there is none.
        agent: The subagent that did it; empty for the main one.
    """

    rule: str
    enforcing: bool
    evidence: str = field(default="", validator=max_len(160))
    where: str = ""
    tool_call_id: str = ""
    agent: str = ""
