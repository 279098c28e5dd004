"""Durations as people write them: "1h30m", "90s"; kept as whole milliseconds."""

UNITS = {"d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1_000, "ms": 1}


class BadDuration(ValueError):
    """Raised for a text that is no duration; says which part is at fault."""

    def __init__(self, text, why):
        super().__init__(f"can't read the duration “{text}”: {why}")


def tokens(text):
    """Yields (number, unit) pairs in the order in which they stand."""
    place = 0
    while place < len(text):
        start = place
        while place < len(text) and text[place].isdecimal():
            place += 1
        digits = text[start:place]
        if place == len(text):
            raise BadDuration(text, f"“{digits}” has no unit")
        # The longest name first: "ms" begins like "m".
        unit = next((u for u in sorted(UNITS, key=len, reverse=True) if text.startswith(u, place)), None)
        if unit is None:
            raise BadDuration(text, f"unknown unit at “{text[place:]}”")
        if not digits:
            raise BadDuration(text, f"“{unit}” has no number before it")
        place += len(unit)
        yield int(digits), unit


def parse(text):
    """
    Returns the milliseconds of a duration.

    Units go from large to small, each at most once.
    """
    written = text.strip()
    if not written:
        raise BadDuration(text, "it is empty")
    total = 0
    smallest = None
    for number, unit in tokens(written):
        if smallest is not None and UNITS[unit] >= smallest:
            raise BadDuration(text, f"“{unit}” must come earlier, and once only")
        smallest = UNITS[unit]
        total += number * UNITS[unit]
    return total


def show(milliseconds):
    """The shortest text that `parse` reads back as the same duration."""
    if milliseconds < 0:
        raise ValueError("a duration is not negative")
    parts = []
    left = milliseconds
    for unit, worth in UNITS.items():
        number, left = divmod(left, worth)
        if number:
            parts.append(f"{number}{unit}")
    return "".join(parts) or "0s"
