"""
One name for each tool, whatever an agent calls it.

The names are those that most trajectories already use, so that a reader can ask how much was
read, searched, run and edited without knowing the agents.
"""

from collections.abc import Mapping

CANONICAL = (
    "AskUserQuestion", "Bash", "BashOutput", "Edit", "ExitPlanMode", "Glob", "Grep", "KillShell",
    "LS", "MultiEdit", "NotebookEdit", "NotebookRead", "Read", "Skill", "Task", "TodoWrite",
    "WebFetch", "WebSearch", "Write",
)  # fmt: skip
"""The names; a tool that none of them fits keeps its own, and one of an MCP server is
`mcp__SERVER__TOOL`."""


def canonical(name: str, names: Mapping[str, str]) -> str:
    """
    Returns a tool's one name.

    Args:
        name: As the agent calls it.
        names: The driver's mapping, agent's name → canonical name.
    """
    return names.get(name, name)
