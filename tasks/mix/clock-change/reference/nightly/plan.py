"""When a job runs: daily or on some weekdays, at a time of a zone's wall clock."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

MINUTE = timedelta(minutes=1)    # clocks change on whole minutes
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
        return next(self.runs(moment))

    def runs(self, after):
        """Yields all runs after a moment, in UTC."""
        day = after.astimezone(self.zone).date()
        while True:
            if day.weekday() in self.days:
                run = self._on(day)
                if run > after:
                    yield run
            day += timedelta(days=1)

    def _on(self, day):
        """The run of one day: the first such time, or where it is left out, the jump itself."""
        wanted = datetime.combine(day, self.at, self.zone)
        run = wanted.astimezone(timezone.utc)
        if run.astimezone(self.zone).time() == self.at:
            return run
        run = run.replace(second=0, microsecond=0)
        after = run.astimezone(self.zone).utcoffset()
        while (run - MINUTE).astimezone(self.zone).utcoffset() == after:
            run -= MINUTE
        return run
