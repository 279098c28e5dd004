"""Dollars: what may still be spent, and which trials can't be paid for."""

import threading

from attrs import define, field

from fairtrial.api import Trial


@define
class Purse:
    """
    Guards a run's budget.

    A trial starts only if what is spent, what is reserved by trials under way, and its own cap
    stay within the total. A trial whose cost turns out unknown is taken to have cost its cap.

    Attributes:
        total_usd: What all trials together may spend; None for no limit.
        cap_usd: What one trial may spend; None for no limit.
        spent_usd: What ended trials are known, or taken, to have spent.
    """

    total_usd: float | None
    cap_usd: float | None
    spent_usd: float = 0.0
    _reserved_usd: float = 0.0
    _lock: threading.Lock = field(factory=threading.Lock)

    def reserve(self) -> bool:
        """Sets a trial's cap aside; False where it can't be paid for."""
        cap = self.cap_usd or 0.0
        with self._lock:
            if self.total_usd is not None:
                committed = self.spent_usd + self._reserved_usd
                if committed + cap > self.total_usd or committed >= self.total_usd:
                    return False
            self._reserved_usd += cap
            return True

    def settle(self, trial: Trial) -> None:
        """Replaces a trial's reservation by what it cost."""
        cap = self.cap_usd or 0.0
        with self._lock:
            self._reserved_usd -= cap
            self.spent_usd += cost_or_cap(trial, cap)

    def already_spent(self, trial: Trial) -> None:
        """Counts a trial of an earlier session of the same run."""
        with self._lock:
            self.spent_usd += cost_or_cap(trial, self.cap_usd or 0.0)


def cost_or_cap(trial: Trial, cap_usd: float) -> float:
    """Returns what a trial cost; its cap where it used a model and the cost is unknown."""
    if trial.cost_usd is not None:
        return trial.cost_usd
    used = trial.usage if trial.metered is None else trial.metered
    return cap_usd if used else 0.0
