"""One thing that a machine may have or lack."""

from attrs import frozen

from fairtrial.energy.reasons import worded
from fairtrial.figures.markdown import safe


@frozen(kw_only=True)
class Health:
    """
    What was found of one thing.

    Attributes:
        group: What it belongs to, such as `sandbox`.
        name: Its name.
        here: Whether it is here and works.
        found: What was found: a version, a place, or why it isn't.
        needed: Whether a first run can't do without it.
        weaker: What is weaker without it.
        way_on: The way to get it.
    """

    group: str
    name: str
    here: bool
    found: str = ""
    needed: bool = False
    weaker: str = ""
    way_on: str = ""

    @property
    def plain(self) -> dict[str, object]:
        """All of it as plain JSON."""
        return {
            "group": self.group,
            "name": self.name,
            "here": self.here,
            "found": self.found,
            "needed": self.needed,
            "weaker": "" if self.here else self.weaker,
            "way_on": "" if self.here else self.way_on,
        }

    @property
    def mark(self) -> str:
        """One word: `ok`, `-` for something optional that isn't here, or `MISSING`."""
        if self.here:
            return "ok"
        return "MISSING" if self.needed else "–"

    def text(self, size: int) -> str:
        """
        Returns it for people, in one to three lines.

        Args:
            size: The width of the names' column.
        """
        lines = [f"{self.mark:<8}{self.name:<{size}}  {safe(worded(self.found))}".rstrip()]
        blank = " " * (8 + size + 2)
        if not self.here and self.weaker:
            lines.append(f"{blank}without it: {self.weaker}")
        if not self.here and self.way_on:
            lines.append(f"{blank}way to it: {self.way_on}")
        return "".join(f"{line}\n" for line in lines)
