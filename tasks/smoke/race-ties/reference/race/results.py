"""From sign-ups and points to a list with places."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Runner:
    """One runner; `time_s` is None for somebody who has not run today."""

    name: str
    points: int
    time_s: float | None = None


@dataclass(frozen=True)
class Row:
    """A line of the result list."""

    place: int
    runner: Runner

    def show(self):
        time = "–" if self.runner.time_s is None else f"{self.runner.time_s:.1f}"
        return f"{self.place:>3}  {self.runner.name:<12}{self.runner.points:>5}{time:>8}"


def rank(runner):
    """What a runner is ranked by; the smaller, the better."""
    missing = runner.time_s is None
    return (-runner.points, missing, 0.0 if missing else runner.time_s)


def ranked(runners):
    """Returns the runners, best first; where all is equal, in the order in which they came."""
    return sorted(runners, key=rank)


def results(runners):
    """
    Returns the rows of the list.

    Equal points share a place, and the places that they fill are left out after them.
    """
    rows = []
    for position, runner in enumerate(ranked(runners), start=1):
        if rows and rows[-1].runner.points == runner.points:
            place = rows[-1].place
        else:
            place = position
        rows.append(Row(place, runner))
    return rows


def podium(runners):
    """The rows that get a medal: places 1 to 3."""
    return [row for row in results(runners) if row.place <= 3]
