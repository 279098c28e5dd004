"""Hidden check: what is dead is gone, whatever was written again in between."""

import os
import sys

sys.path.insert(0, os.path.join(os.getcwd(), "src"))

from cachetools import TTLCache


class Clock:
    def __init__(self):
        self.now = 0

    def __call__(self):
        return self.now


def expect(wanted, got, what):
    if wanted != got:
        sys.exit(f"{what}: wanted {wanted!r}, got {got!r}")


clock = Clock()
cache = TTLCache(maxsize=10, ttl=60, timer=clock)
cache["a"] = 1
cache["b"] = 2
clock.now = 50
cache["a"] = 3
clock.now = 70
expect(1, len(cache), "entries alive")
expect(1, cache.currsize, "size of what is alive")
expect(["a"], list(cache), "keys alive")
expect(3, cache["a"], "value of the renewed entry")

clock = Clock()
cache = TTLCache(maxsize=100, ttl=10, timer=clock, getsizeof=len)
written = {}
for step in range(200):
    clock.now = step
    key = ("k", step % 3) if step % 2 else ("once", step)
    cache[key] = "x" * (1 + step % 4)
    written[key] = (step, 1 + step % 4)
    alive = {k: size for k, (when, size) in written.items() if when + 10 > step}
    expect(sorted(alive), sorted(cache), f"keys at {step}")
    expect(len(alive), len(cache), f"count at {step}")
    expect(sum(alive.values()), cache.currsize, f"size at {step}")

clock = Clock()
cache = TTLCache(maxsize=3, ttl=60, timer=clock)
for key in "abc":
    cache[key] = key
clock.now = 30
cache["a"] = "again"
cache["c"] = "again"
clock.now = 61
expect([("b", "b")], list(cache.expire()), "what expire() returns")
clock.now = 89
expect({"a", "c"}, set(cache), "alive until their own time")
clock.now = 90
expect([("a", "again"), ("c", "again")], list(cache.expire()), "oldest first")
del_cache = TTLCache(maxsize=3, ttl=60, timer=clock)
del_cache["x"] = 1
del_cache["x"] = 2
del del_cache["x"]
expect(0, len(del_cache), "a deleted entry")
