"""Hidden check: months in both directions, worked out by counting months from the year 0."""

import calendar
import os
import sys
from datetime import date, datetime, timedelta

sys.path.insert(0, os.path.join(os.getcwd(), "src"))

from isodate import Duration, parse_duration


def shifted(day, months):
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    month += 1
    return day.replace(year=year, month=month, day=min(day.day, calendar.monthrange(year, month)[1]))


DAYS = [date(2024, 2, 29), date(2023, 12, 31), date(2000, 1, 1), date(1999, 11, 30), date(2024, 3, 31)]
for day in DAYS:
    for moment in (day, datetime(day.year, day.month, day.day, 13, 45)):
        for months in range(0, 61):
            there, back = moment + Duration(months=months), moment - Duration(months=months)
            if there != shifted(moment, months):
                sys.exit(f"{moment} + {months} months: {there}")
            if back != shifted(moment, -months):
                sys.exit(f"{moment} - {months} months: wanted {shifted(moment, -months)}, got {back}")
            if moment + parse_duration(f"-P{months}M") != back and months:
                sys.exit(f"{moment} + -P{months}M")

if date(2024, 2, 15) - parse_duration("P1Y3M10D") != shifted(date(2024, 2, 15), -15) - timedelta(days=10):
    sys.exit("years, months and days together")
if parse_duration("P14M").totimedelta(end=datetime(2024, 2, 1)) != timedelta(days=427):
    sys.exit(f"in days: {parse_duration('P14M').totimedelta(end=datetime(2024, 2, 1))}")
