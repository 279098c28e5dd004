"""Works off what is due."""

from datetime import timezone


class Runner:
    """Holds jobs with their plans; the caller says what time it is."""

    def __init__(self, now):
        self._started = now.astimezone(timezone.utc)
        self._jobs = []

    def add(self, name, plan, work):
        """Adds a job; its first run is the first one after the start."""
        runs = plan.runs(self._started)
        self._jobs.append([next(runs), name, runs, work])

    def due(self, now):
        """Runs what is due, oldest first, and returns (name, moment) for each run."""
        done = []
        while True:
            ready = [job for job in self._jobs if job[0] <= now]
            if not ready:
                return done
            job = min(ready, key=lambda job: (job[0], job[1]))
            moment, name, runs, work = job
            work()
            done.append((name, moment))
            job[0] = next(runs)
