"""
A model server that does what a script says: four providers' forms, no network, no money.

    with ScriptedModelServer(Script(steps=(Step(shell="touch done"), Step(text="done")))) as server:
        run_an_agent(ANTHROPIC_BASE_URL=server.url)
    assert ["anthropic", "anthropic"] == [seen.api for seen in server.seen]

It speaks Anthropic Messages, OpenAI Chat Completions and Responses, and Gemini's
generateContent, plain and streamed, and answers what the real command lines ask besides. From a
shell: `python -m fairtrial.conformance.models script.toml`.
"""

from fairtrial.conformance.models.script import (
    Call,
    Scene,
    Script,
    ScriptedUsage,
    Step,
    load_script,
)
from fairtrial.conformance.models.seen import Seen
from fairtrial.conformance.models.server import ScriptedModelServer

__all__ = [
    "Call",
    "Scene",
    "Script",
    "ScriptedModelServer",
    "ScriptedUsage",
    "Seen",
    "Step",
    "load_script",
]
