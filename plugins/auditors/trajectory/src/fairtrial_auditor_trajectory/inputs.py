"""What a tool was given, read without trust: an agent's log may hold anything anywhere."""

from collections.abc import Mapping

from fairtrial.api import ToolCall


def text(call: ToolCall, key: str) -> str:
    """Returns one field of a call's input; what is missing or no text is empty."""
    given: object = call.input
    # A log's own objects are dicts; asking that first is ten times quicker than asking for any map.
    if type(given) is not dict and not isinstance(given, Mapping):
        return ""
    value = given.get(key)
    return value if isinstance(value, str) else ""


def edits(call: ToolCall) -> tuple[str, str]:
    """Returns all that an Edit or a MultiEdit replaces, and all that it puts there."""
    if call.name != "MultiEdit":
        return text(call, "old_string"), text(call, "new_string")
    given: object = call.input
    listed = given.get("edits") if isinstance(given, Mapping) else None
    every = listed if isinstance(listed, list | tuple) else ()
    entries = [one for one in every if isinstance(one, Mapping)]
    return _joined(entries, "old_string"), _joined(entries, "new_string")


def path(call: ToolCall) -> str:
    """Returns the path that a call reads or writes; a notebook's own key comes first."""
    if call.name == "NotebookEdit":
        return text(call, "notebook_path") or text(call, "file_path")
    return text(call, "file_path")


def _joined(entries: list[Mapping[str, object]], key: str) -> str:
    return "\n".join(str(one[key]) for one in entries if isinstance(one.get(key), str))
