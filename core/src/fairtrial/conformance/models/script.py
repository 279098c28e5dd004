"""What a scripted model says and does, as values and as a TOML or JSON file."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path

from attrs import field, frozen
from attrs.validators import ge, in_, optional

from fairtrial.api import ConfigError
from fairtrial.serial import structure

STATUSES = (400, 401, 403, 404, 408, 409, 413, 429, 500, 502, 503, 504, 529)
"""The statuses that a step may answer with."""


@frozen(kw_only=True)
class ScriptedUsage:
    """
    Tokens of one reply in disjoint buckets, told in each provider's own form.

    Attributes:
        input_uncached: Prompt tokens at the full rate.
        cache_read: Prompt tokens read from a cache.
        cache_write_5m: Prompt tokens written to a cache that lives five minutes.
        cache_write_1h: Prompt tokens written to a cache that lives an hour.
        output: Generated tokens, reasoning included.
        reasoning: The part of `output` that was reasoning.
    """

    input_uncached: int = field(default=100, validator=ge(0))
    cache_read: int = field(default=0, validator=ge(0))
    cache_write_5m: int = field(default=0, validator=ge(0))
    cache_write_1h: int = field(default=0, validator=ge(0))
    output: int = field(default=20, validator=ge(0))
    reasoning: int = field(default=0, validator=ge(0))

    @property
    def prompt(self) -> int:
        """The whole prompt, cached parts included."""
        return self.input_uncached + self.cache_read + self.cache_write_5m + self.cache_write_1h


@frozen(kw_only=True)
class Call:
    """One tool that the model calls."""

    name: str
    arguments: Mapping[str, object] = field(factory=dict)


@frozen(kw_only=True)
class Step:
    """
    What one request is answered with.

    A step that calls a tool expects the tool's result and then comes the next step; one that
    calls none ends the turn. A step that fails (`error`, `hang_up`, `cut_after`) is used up by
    `repeat` requests, after which the next step answers the same conversation.

    Attributes:
        text: What the model says.
        thinking: What it thinks first, where the provider's form shows that.
        calls: Tools that it calls.
        shell: A shell line, for whichever shell tool the agent offers; the same script then
            works for every agent.
        usage: Tokens that the reply tells.
        no_usage: Whether the reply tells none.
        model: The model that the reply names, where it isn't the one that was asked for.
        error: An HTTP status to fail with, with the provider's own body.
        message: The text of that error.
        retry_after_s: The `retry-after` header of that error.
        stall_s: Seconds of silence before the reply.
        pause_after: Events of a stream after which it is silent for `pause_s`.
        pause_s: Seconds of that silence.
        cut_after: Events of a stream, after which the connection breaks.
        hang_up: Whether the connection is closed without a reply.
        pieces: Into how many parts the text of a stream is cut.
        split_bytes: Bytes that are written at once, whatever the borders of events; 0 for whole
            events.
        compress: Whether the reply is sent compressed (gzip), where the client takes that.
        repeat: How many requests a failing step answers; 0 for every one from then on.
    """

    text: str = ""
    thinking: str = ""
    calls: tuple[Call, ...] = ()
    shell: str = ""
    usage: ScriptedUsage = field(factory=ScriptedUsage)
    no_usage: bool = False
    model: str = ""
    error: int | None = field(default=None, validator=optional(in_(STATUSES)))
    message: str = "scripted failure"
    retry_after_s: int | None = None
    stall_s: float = field(default=0.0, validator=ge(0))
    pause_after: int | None = field(default=None, validator=optional(ge(0)))
    pause_s: float = field(default=0.0, validator=ge(0))
    cut_after: int | None = field(default=None, validator=optional(ge(0)))
    hang_up: bool = False
    pieces: int = field(default=2, validator=ge(1))
    split_bytes: int = field(default=0, validator=ge(0))
    compress: bool = False
    repeat: int = field(default=1, validator=ge(0))

    @property
    def fails(self) -> bool:
        """Whether it answers with a failure, so that the conversation doesn't go on by it."""
        return self.error is not None or self.hang_up or self.cut_after is not None

    @property
    def acts(self) -> bool:
        """Whether it calls a tool."""
        return bool(self.calls or self.shell)


_END = (Step(text="Done."),)


@frozen(kw_only=True)
class Scene:
    """
    Steps for some conversations only, such as those of a subagent.

    Attributes:
        when: A text that the conversation's first message holds; empty for any.
        model: The model that is asked for; empty for any.
        steps: What it is answered with, one after the other; then the turn ends for good.
    """

    when: str = ""
    model: str = ""
    steps: tuple[Step, ...] = _END


@frozen(kw_only=True)
class Script:
    """
    All that a scripted model does.

    Attributes:
        steps: The steps of every conversation that no scene is for.
        scenes: Steps for some conversations; the first that fits counts.
        aside: What answers a request that can't take the step, such as one for a title: the step
            calls a tool, and the request offers none.
    """

    steps: tuple[Step, ...] = _END
    scenes: tuple[Scene, ...] = ()
    aside: Step = field(
        factory=lambda: Step(text="A task", usage=ScriptedUsage(input_uncached=0, output=0))
    )

    def steps_for(self, opening: str, model: str) -> tuple[Step, ...]:
        """Returns the steps of a conversation, by its first message and its model."""
        for scene in self.scenes:
            if scene.when in opening and scene.model in {"", model}:
                return scene.steps
        return self.steps


def load_script(path: Path) -> Script:
    """
    Reads a script from a TOML file, or from a JSON file where its name ends so.

    Raises:
        ConfigError: It can't be read, or holds what a script doesn't.
    """
    try:
        text = path.read_text(encoding="utf-8")
        data: object = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise ConfigError(
            problem=f"the script “{path}” can't be read",
            facts=(("because", str(error)),),
            way_on="write it as TOML, or as JSON in a file that ends in `.json`",
        ) from error
    return structure(Script, data, where=str(path))
