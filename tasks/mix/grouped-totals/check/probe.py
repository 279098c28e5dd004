"""Reduces groups with operations that don't commute."""

from fairtrial_probe import serve

KEYS = {
    "letter": lambda word: word[0],
    "third": lambda number: number % 3,
    "even": lambda number: number % 2 == 0,
    "length": len,
}
OPERATIONS = {
    "join": lambda a, b: a + b,
    "nest": lambda a, b: f"({a}{b})",
    "minus": lambda a, b: a - b,
    "collect": lambda a, b: [*a, b],
}


def grouped(key, operation, items, *start):
    import toolz
    from toolz import curried

    key, operation = KEYS[key], OPERATIONS[operation]
    found = toolz.reduceby(key, operation, items, *start)
    curried_found = curried.reduceby(key, operation)(items, *start)
    return [sorted([str(k), v] for k, v in one.items()) for one in (found, curried_found)]


def totals(rows):
    import toolz

    return toolz.reduceby("shop", lambda total, row: total + row["sum"], rows, 0)


def callable_start(words):
    import toolz

    found = toolz.reduceby(len, lambda seen, word: [*seen, word], words, list)
    return sorted([k, v] for k, v in found.items())


def accumulated(numbers):
    import toolz

    return list(toolz.accumulate(lambda a, b: a - b, numbers))


serve(grouped, totals, callable_start, accumulated)
