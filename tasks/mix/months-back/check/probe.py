"""Goes some months forward and back from a day, as a date and as a moment."""

from datetime import date, datetime

from fairtrial_probe import serve


def shifted(day, most):
    from isodate import Duration, parse_duration

    moment = datetime.fromisoformat(day) if "T" in day else date.fromisoformat(day)
    return [
        [
            str(moment + Duration(months=n)),
            str(moment - Duration(months=n)),
            str(moment + parse_duration(f"-P{n}M")),
        ]
        for n in range(1, most)
    ]


def minus(day, text):
    from isodate import parse_duration

    return str(date.fromisoformat(day) - parse_duration(text))


def in_days(text, end):
    from isodate import parse_duration

    return parse_duration(text).totimedelta(end=datetime.fromisoformat(end)).days


serve(shifted, minus, in_days)
