"""When a job runs: daily or on some weekdays, at a time of a zone's wall clock."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

EVERY_DAY = frozenset(range(7))
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@dataclass(frozen=True)
class Plan:
    """A time of the day in a zone, on some days of the week (0 is Monday)."""

    at: time
    zone: ZoneInfo
    days: frozenset = EVERY_DAY

    @classmethod
    def read(cls, text):
        """Reads "03:30 Europe/Berlin" or "03:30 Europe/Berlin mon,fri"."""
        clock, zone, *days = text.split()
        chosen = frozenset(DAYS.index(day) for day in days[0].split(",")) if days else EVERY_DAY
        return cls(time.fromisoformat(clock), ZoneInfo(zone), chosen)

    def first_after(self, moment):
        """The first run after a moment; both are aware, the result is in UTC."""
        local = moment.astimezone(self.zone)
        run = datetime.combine(local.date(), self.at, self.zone).astimezone(timezone.utc)
        while run <= moment or run.astimezone(self.zone).weekday() not in self.days:
            run += timedelta(days=1)
        return run

    def runs(self, after):
        """Yields all runs after a moment, in UTC."""
        run = self.first_after(after)
        while True:
            yield run
            run += timedelta(days=1)
            while run.astimezone(self.zone).weekday() not in self.days:
                run += timedelta(days=1)
