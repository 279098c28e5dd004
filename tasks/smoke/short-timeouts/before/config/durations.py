"""Durations as people write them: "1h30m", "90s"; kept as whole milliseconds."""

UNITS = {"d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1_000}


class BadDuration(ValueError):
    """Raised for a text that is no duration; says which part is at fault."""

    def __init__(self, text, why):
        super().__init__(f"can't read the duration “{text}”: {why}")


def tokens(text):
    """Yields (number, unit) pairs in the order in which they stand."""
    digits = ""
    for place, char in enumerate(text):
        if char.isdecimal():
            digits += char
        elif char in UNITS:
            if not digits:
                raise BadDuration(text, f"“{char}” has no number before it")
            yield int(digits), char
            digits = ""
        else:
            raise BadDuration(text, f"unknown unit at “{text[place:]}”")
    if digits:
        raise BadDuration(text, f"“{digits}” has no unit")


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
