"""Writes, renews and waits, on a clock of its own, and says what the cache holds."""

from fairtrial_probe import serve


class Clock:
    def __init__(self):
        self.now = 0

    def __call__(self):
        return self.now


def renewed():
    from cachetools import TTLCache

    clock = Clock()
    cache = TTLCache(maxsize=10, ttl=60, timer=clock)
    cache["a"] = 1
    cache["b"] = 2
    clock.now = 50
    cache["a"] = 3
    clock.now = 70
    return [len(cache), cache.currsize, list(cache), cache["a"]]


def long_run():
    from cachetools import TTLCache

    clock = Clock()
    cache = TTLCache(maxsize=100, ttl=10, timer=clock, getsizeof=len)
    seen = []
    for step in range(200):
        clock.now = step
        key = f"k{step % 3}" if step % 2 else f"once{step}"
        cache[key] = "x" * (1 + step % 4)
        seen.append([sorted(cache), len(cache), cache.currsize])
    return seen


def expired():
    from cachetools import TTLCache

    clock = Clock()
    cache = TTLCache(maxsize=3, ttl=60, timer=clock)
    for key in "abc":
        cache[key] = key
    clock.now = 30
    cache["a"] = "again"
    cache["c"] = "again"
    clock.now = 61
    first = list(cache.expire())
    clock.now = 89
    alive = sorted(cache)
    clock.now = 90
    return [first, alive, list(cache.expire())]


def deleted():
    from cachetools import TTLCache

    cache = TTLCache(maxsize=3, ttl=60, timer=Clock())
    cache["x"] = 1
    cache["x"] = 2
    del cache["x"]
    return len(cache)


serve(renewed, long_run, expired, deleted)
