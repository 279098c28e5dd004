"""Plans jobs around clock changes and says when they run."""

from datetime import datetime, timedelta, timezone
from itertools import islice

from fairtrial_probe import serve


def runs(text, after, count):
    from nightly.plan import Plan

    plan = Plan.read(text)
    moment = datetime.fromisoformat(after)
    first = plan.first_after(moment)
    found = [
        f"{run.astimezone(plan.zone):%Y-%m-%d %H:%M%z}" for run in islice(plan.runs(moment), count)
    ]
    return {
        "runs": found,
        "first": f"{first.astimezone(plan.zone):%Y-%m-%d %H:%M%z}",
        "utc": first.utcoffset() == timedelta(0),
    }


def a_year(zone, hour):
    from nightly.plan import Plan

    plan = Plan.read(f"{hour:02d}:30 {zone}")
    year = [
        run.astimezone(plan.zone)
        for run in islice(plan.runs(datetime(2024, 1, 10, tzinfo=timezone.utc)), 366)
    ]
    days = [run.date() for run in year]
    return {
        "days": [str(days[0]), str(days[-1]), len(set(days))],
        "off the wall clock": [
            f"{run:%m-%d %H:%M}" for run in year if run.strftime("%H:%M") != f"{hour:02d}:30"
        ],
    }


def due(text, start, until):
    from nightly.plan import Plan
    from nightly.runner import Runner

    runner = Runner(datetime.fromisoformat(start))
    runner.add("job", Plan.read(text), lambda: None)
    return [moment.isoformat() for _, moment in runner.due(datetime.fromisoformat(until))]


serve(runs, a_year, due)
