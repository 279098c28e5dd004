"""One stage of an attempt that several solvers work on, one after the other."""

from attrs import field, frozen
from attrs.validators import ge

from fairtrial.api.attempt import Ending
from fairtrial.api.energy import Energy
from fairtrial.api.usage import Usage


@frozen(kw_only=True)
class Stage:
    """
    What one solver did as a part of an attempt.

    Attributes:
        solver: Its name in the config; its class's name where the config gives it none. One that
            worked inside of another stage comes before that one, as `outer/inner`, and is a part
            of it.
        ending: How it ended.
        limit: Which limit fired, in a machine word; empty where none did.
        wall_s: Seconds that it took.
        usage: Tokens and dollars as the agent tells them.
        metered: The same as a gateway metered it; None where none was configured. What was under
            way when the stage ended counts for the next one.
        energy: Figures of joules, at most one a boundary; they are a part of the trial's own.
        changed: Paths that differ from what the stage was given.
        reset: Whether the tree was put back before it began.
        escalated: Why the next stage was begun; empty for the last one.
        submission: Where the work was delivered, if elsewhere than in the tree.
        model: The model that did the work.
        agent_version: The agent's own version.
        note: One line for a reader.
    """

    solver: str
    ending: Ending
    limit: str = ""
    wall_s: float = field(validator=ge(0))
    usage: tuple[Usage, ...] = ()
    metered: tuple[Usage, ...] | None = None
    energy: tuple[Energy, ...] = ()
    changed: tuple[str, ...] = ()
    reset: bool = False
    escalated: str = ""
    submission: str | None = None
    model: str | None = None
    agent_version: str | None = None
    note: str = ""

    @property
    def cost_usd(self) -> float | None:
        """Dollars: as metered where a gateway was there, else as told; None if any is unknown."""
        entries = self.usage if self.metered is None else self.metered
        costs = [usage.cost_usd for usage in entries]
        if not costs or None in costs:
            return None
        return sum(cost for cost in costs if cost is not None)
