"""An idle calibration as `fairtrial energy calibrate` makes it: told while it goes on, then kept."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from attrs import field, frozen

from fairtrial.api.reading import Boundary
from fairtrial.cli.busiest import Busiest
from fairtrial.cli.energypage import idle_as_json, idle_page
from fairtrial.cli.streams import note
from fairtrial.energy.idle import IdlePower, idle_powers
from fairtrial.energy.ledger import EnergyLedger
from fairtrial.figures.markdown import safe


@frozen(kw_only=True)
class Calibration:
    """
    What came of it.

    Attributes:
        powers: Idle power by boundary.
        asked: How many windows were asked for.
        windows: How many there were.
        kept: Whether later runs use it.
        why: Why it could not be kept though it holds; empty for no reason of the sort.
        busy: The programs that used most CPU time meanwhile, with their share of all CPUs; told
            where the calibration doesn't hold.
    """

    powers: Mapping[Boundary, IdlePower]
    asked: int
    windows: int
    kept: bool
    why: str = ""
    busy: Mapping[str, float] = field(factory=dict)

    @property
    def page(self) -> str:
        """All of it for people."""
        page = idle_page(self.powers, kept=self.kept, why=self.why)
        return page + "".join(f"{line}\n" for line in self._circumstances())

    def _circumstances(self) -> Iterator[str]:
        if self.windows < self.asked and self.powers:
            done = f"{self.windows} of {self.asked} windows"
            yield f"Ended after {done}: one in which the machine is busy makes all of no use."
        if self.busy:
            shares = (f"{safe(name)} {share:.0%}" for name, share in self.busy.items())
            yield f"At work meanwhile, of all CPUs: {', '.join(shares)}; what has ended is not seen."

    @property
    def plain(self) -> Mapping[str, object]:
        """All of it as plain values."""
        return {
            "kept": self.kept,
            "why": self.why,
            "windows_asked": self.asked,
            "windows": self.windows,
            "busy": dict(self.busy),
            "idle": idle_as_json(self.powers),
        }


def calibrated(
    ledger: EnergyLedger,
    place: Path,
    *,
    windows: int,
    window_s: float,
    look: Callable[[], Busiest] = Busiest.from_now,
) -> Calibration:
    """
    Measures idle power, and keeps it where it holds.

    Args:
        ledger: Open.
        place: Where it is kept.
        windows: How many windows there are, unless the machine is busy in one.
        window_s: How long each is, at least.
        look: Looks at what other programs do.
    """
    before: list[Busiest] = []

    def begun(length_s: float) -> None:
        before.append(look())
        each, whole = (f"{span:.1f}".removesuffix(".0") for span in (length_s, windows * length_s))
        note(f"measuring {windows} windows of {each} s, {whole} s in all; leave the machine alone")

    ledger.calibrate(windows=windows, window_s=window_s, begun=begun)
    powers = idle_powers(ledger.log)
    kept, why = bool(powers) and not any(own.invalid for own in powers.values()), ""
    busy = {} if kept else next((own.since() for own in before), {})
    if kept:
        try:
            ledger.keep_calibration(place)
        except ValueError as error:
            kept, why = False, str(error)
    return Calibration(
        powers=powers,
        asked=windows,
        windows=len(ledger.log.idle[-1].windows) if ledger.log.idle else 0,
        kept=kept,
        why=why,
        busy=busy,
    )
