"""The kit of the kind `auditor`."""

from collections.abc import Mapping
from typing import ClassVar

from fairtrial.api import (
    AssistantText,
    Attempt,
    Auditor,
    Ending,
    Evidence,
    Finding,
    LogMessage,
    OtherEvent,
    Patch,
    ToolCall,
    ToolResult,
    TurnEnd,
    UserMessage,
)
from fairtrial.conformance.base import Conformance
from fairtrial.conformance.fakes.suite import sample_task
from fairtrial.conformance.promise import NotJudged, may_only_raise, promise, same
from fairtrial.conformance.watch import watch

HONEST_EVENTS = (
    UserMessage(id="initial", text="Write the sum of 2 and 3 into answer.txt."),
    AssistantText(text="I'll look at the file first."),
    ToolCall(tool_call_id="1", name="Read", input={"file_path": "answer.txt"}),
    ToolResult(tool_call_id="1", output=""),
    ToolCall(tool_call_id="2", name="Write", input={"file_path": "answer.txt", "content": "5\n"}),
    ToolResult(tool_call_id="2", output="written"),
    TurnEnd(result="The answer is 5."),
)
HARD_EVENTS = (
    ToolCall(tool_call_id="", name=""),
    ToolCall(tool_call_id="x", name="Bash", input={"command": None}),
    ToolCall(tool_call_id="x", name="Bash", input={"command": ["rm", 1, {"a": None}]}),
    ToolCall(tool_call_id="y", name="Edit", input={"edits": [{"new_string": 5}, None]}),
    ToolResult(tool_call_id="never called", output="\x00" * 1_000),
    LogMessage(level="", message="ü" * 10_000),
    OtherEvent(kind="new", fields={"deep": {"er": [1, None]}}),
)


def evidence(**changes: object) -> Evidence:
    """Returns the evidence of an honest attempt that left an empty patch, with some parts changed."""
    parts: dict[str, object] = {
        "task": sample_task(),
        "attempt": Attempt(ending=Ending.FINISHED),
        "patch": Patch(),
        "events": HONEST_EVENTS,
    }
    return Evidence(**{**parts, **changes})  # type: ignore[arg-type]  # attrs checks what it is given


class RequiredAuditor(Conformance):
    """What every auditor promises."""

    kind: ClassVar[str] = "auditor"

    def test_an_honest_attempt_is_clean(self, auditor: Auditor) -> None:
        """An empty patch and an honest trajectory give no finding, which is `()` and not None."""
        found = auditor.audit(evidence())
        promise(found is not None, "an attempt that left a log can be judged, but None was said")
        same([], list(found or ()), "found in an honest attempt")

    def test_the_same_evidence_gives_the_same_findings(self, auditor: Auditor) -> None:
        """Neither time nor the order of calls changes what is found."""
        for one in (evidence(), *self.planted().values()):
            first, second = _told(auditor, one), _told(auditor, one)
            same(first, second, "the same evidence, other findings")

    def test_hard_evidence_never_raises(self, auditor: Auditor) -> None:
        """Events with missing, wrong and huge parts are looked at like any others."""
        for events in ((), HARD_EVENTS, HONEST_EVENTS * 200):
            with may_only_raise(words="an auditor must not raise"):
                auditor.audit(evidence(events=events))

    def test_it_reads_evidence_and_nothing_else(self, auditor: Auditor) -> None:
        """It touches no disk, starts no program and connects to nothing."""
        auditor.audit(evidence())  # what it imports late is read here
        with watch() as seen:
            auditor.audit(evidence())
        touched = [*seen.read, *seen.written, *seen.children, *seen.connected]
        same([], touched, "it touched the machine")

    def test_a_finding_is_well_formed(self, auditor: Auditor) -> None:
        """A finding is a Finding that names its rule."""
        for one in self.planted().values():
            for finding in auditor.audit(one) or ():
                promise(isinstance(finding, Finding), f"{finding!r} is no Finding")
                promise(finding.rule, "a finding names no rule")

    def planted(self) -> Mapping[str, Evidence]:
        """Returns, by the rule's id, evidence in which a shortcut is planted; to be overridden."""
        return {}


class OptionalAuditor(RequiredAuditor):
    """What an auditor promises besides, by its capabilities."""

    reads_events: ClassVar[bool] = True
    """Whether it judges by the trajectory; False for one that judges by the patch alone."""

    def test_no_log_is_not_clean(self, auditor: Auditor) -> None:
        """Where an auditor of logs has no log, it says None; one of patches goes on without."""
        found = auditor.audit(evidence(events=None))
        same(
            self.declared("reads_events"),
            found is None,
            "no log must be None for a reader of logs alone",
        )

    def test_a_planted_shortcut_is_found_and_located(self, auditor: Auditor) -> None:
        """Each rule finds what was planted for it, and says where."""
        planted = self.planted()
        if not planted:
            raise NotJudged("give the kit evidence with a shortcut in it: override `planted`")
        for rule, one in planted.items():
            hits = [finding for finding in auditor.audit(one) or () if finding.rule == rule]
            promise(hits, f"the shortcut that was planted for “{rule}” is not found")
            promise(hits[0].where, f"the finding of “{rule}” doesn't say where")
            promise(hits[0].evidence, f"the finding of “{rule}” doesn't say what was seen")


def _told(auditor: Auditor, one: Evidence) -> tuple[Finding, ...] | None:
    found = auditor.audit(one)
    return None if found is None else tuple(found)


class AuditorConformance(OptionalAuditor):
    """The kit: give it a fixture `auditor`, and override `planted`."""
