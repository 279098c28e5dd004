"""
The public interface: all that a plugin may import.

Each kind of plugin has one module here (`solver`, `meter`, `gateway`, `suite`, `auditor`,
`reporter`, `answerer`, `sandbox`, `selector`) with the protocol to implement; the other modules hold the
values that pass between them. All values are frozen, keyword-only attrs classes.

Names are imported when they are first used (PEP 562), so that `import fairtrial.api` costs
little and a command that needs two of these modules pays for two.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairtrial.api.answerer import Answer, Answerer, Option, Question
    from fairtrial.api.attempt import Attempt, Change, Ending, Patch
    from fairtrial.api.auditor import Auditor, Evidence, Numbered
    from fairtrial.api.energy import Energy
    from fairtrial.api.errors import (
        BudgetError,
        ConfigError,
        Facts,
        FairtrialError,
        MachineError,
        NeedMissing,
        PluginAmbiguous,
        PluginBroken,
        PluginError,
        PluginMissing,
        PluginRefused,
        ProgramMissing,
        RunError,
        SandboxDied,
        SuiteError,
        Unwritable,
    )
    from fairtrial.api.finding import Finding
    from fairtrial.api.gateway import Gateway, GatewaySession, Keyless, Parted, Priced
    from fairtrial.api.insight import CATEGORIES, Insight, Repeat, ToolCount
    from fairtrial.api.meter import Host, Meter, MeterSession
    from fairtrial.api.reading import Boundary, Counter, Label, Probe, RawReading
    from fairtrial.api.record import (
        SCHEMA,
        Distribution,
        Exchange,
        Pick,
        PlannedTask,
        RunArm,
        RunRecord,
        Selection,
        Trial,
    )
    from fairtrial.api.reporter import Document, Reporter
    from fairtrial.api.sandbox import (
        CpuCounted,
        EndedBy,
        Fence,
        Finished,
        Network,
        Running,
        Sandbox,
        Workspace,
    )
    from fairtrial.api.selector import Candidate, SelectionSession, Selector
    from fairtrial.api.solver import Outlook, Ready, Session, Solver, Spender
    from fairtrial.api.stage import Stage
    from fairtrial.api.suite import (
        Checked,
        Concluding,
        Equipment,
        Equipped,
        Fault,
        HeldOut,
        PartlyRead,
        Preflighted,
        Published,
        Receiving,
        Referenced,
        Suite,
    )
    from fairtrial.api.task import Brief, Task
    from fairtrial.api.trajectory import (
        OUTPUT_LIMIT,
        Agent,
        AssistantText,
        BaseEvent,
        Event,
        LogMessage,
        ModelUsage,
        OtherEvent,
        QuestionAnswered,
        QuestionAsked,
        Status,
        Thinking,
        ToolCall,
        ToolResult,
        TurnEnd,
        UserMessage,
    )
    from fairtrial.api.usage import CostSource, Usage
    from fairtrial.api.verdict import Check, CheckKind, Verdict

_NAMES = {
    "answerer": ("Answer", "Answerer", "Option", "Question"),
    "attempt": ("Attempt", "Change", "Ending", "Patch"),
    "auditor": ("Auditor", "Evidence", "Numbered"),
    "energy": ("Energy",),
    "errors": (
        "BudgetError",
        "ConfigError",
        "Facts",
        "FairtrialError",
        "MachineError",
        "NeedMissing",
        "PluginAmbiguous",
        "PluginBroken",
        "PluginError",
        "PluginMissing",
        "PluginRefused",
        "ProgramMissing",
        "RunError",
        "SandboxDied",
        "SuiteError",
        "Unwritable",
    ),
    "finding": ("Finding",),
    "gateway": ("Gateway", "GatewaySession", "Keyless", "Parted", "Priced"),
    "insight": ("CATEGORIES", "Insight", "Repeat", "ToolCount"),
    "meter": ("Host", "Meter", "MeterSession"),
    "reading": ("Boundary", "Counter", "Label", "Probe", "RawReading"),
    "record": (
        "Distribution",
        "Exchange",
        "Pick",
        "PlannedTask",
        "RunArm",
        "RunRecord",
        "SCHEMA",
        "Selection",
        "Trial",
    ),
    "reporter": ("Document", "Reporter"),
    "sandbox": (
        "CpuCounted",
        "EndedBy",
        "Fence",
        "Finished",
        "Network",
        "Running",
        "Sandbox",
        "Workspace",
    ),
    "selector": ("Candidate", "SelectionSession", "Selector"),
    "solver": ("Outlook", "Ready", "Session", "Solver", "Spender"),
    "stage": ("Stage",),
    "suite": (
        "Checked",
        "Concluding",
        "Equipment",
        "Equipped",
        "Fault",
        "HeldOut",
        "PartlyRead",
        "Preflighted",
        "Published",
        "Receiving",
        "Referenced",
        "Suite",
    ),
    "task": ("Brief", "Task"),
    "trajectory": (
        "Agent",
        "AssistantText",
        "BaseEvent",
        "Event",
        "LogMessage",
        "ModelUsage",
        "OUTPUT_LIMIT",
        "OtherEvent",
        "QuestionAnswered",
        "QuestionAsked",
        "Status",
        "Thinking",
        "ToolCall",
        "ToolResult",
        "TurnEnd",
        "UserMessage",
    ),
    "usage": ("CostSource", "Usage"),
    "verdict": ("Check", "CheckKind", "Verdict"),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "CATEGORIES",
    "OUTPUT_LIMIT",
    "SCHEMA",
    "Agent",
    "Answer",
    "Answerer",
    "AssistantText",
    "Attempt",
    "Auditor",
    "BaseEvent",
    "Boundary",
    "Brief",
    "BudgetError",
    "Candidate",
    "Change",
    "Check",
    "CheckKind",
    "Checked",
    "Concluding",
    "ConfigError",
    "CostSource",
    "Counter",
    "CpuCounted",
    "Distribution",
    "Document",
    "EndedBy",
    "Ending",
    "Energy",
    "Equipment",
    "Equipped",
    "Event",
    "Evidence",
    "Exchange",
    "Facts",
    "FairtrialError",
    "Fault",
    "Fence",
    "Finding",
    "Finished",
    "Gateway",
    "GatewaySession",
    "HeldOut",
    "Host",
    "Insight",
    "Keyless",
    "Label",
    "LogMessage",
    "MachineError",
    "Meter",
    "MeterSession",
    "ModelUsage",
    "NeedMissing",
    "Network",
    "Numbered",
    "Option",
    "OtherEvent",
    "Outlook",
    "Parted",
    "PartlyRead",
    "Patch",
    "Pick",
    "PlannedTask",
    "PluginAmbiguous",
    "PluginBroken",
    "PluginError",
    "PluginMissing",
    "PluginRefused",
    "Preflighted",
    "Priced",
    "Probe",
    "ProgramMissing",
    "Published",
    "Question",
    "QuestionAnswered",
    "QuestionAsked",
    "RawReading",
    "Ready",
    "Receiving",
    "Referenced",
    "Repeat",
    "Reporter",
    "RunArm",
    "RunError",
    "RunRecord",
    "Running",
    "Sandbox",
    "SandboxDied",
    "Selection",
    "SelectionSession",
    "Selector",
    "Session",
    "Solver",
    "Spender",
    "Stage",
    "Status",
    "Suite",
    "SuiteError",
    "Task",
    "Thinking",
    "ToolCall",
    "ToolCount",
    "ToolResult",
    "Trial",
    "TurnEnd",
    "Unwritable",
    "Usage",
    "UserMessage",
    "Verdict",
    "Workspace",
]


def __getattr__(name: str) -> object:
    """Imports the module that a public name lives in, once."""
    if name not in _HOMES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Lists every public name, imported or not."""
    return sorted(__all__)
