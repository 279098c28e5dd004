"""Hidden check: many threads, few keys; loads are counted, limits and errors looked at."""

import os
import sys
import threading
import time
from collections import Counter

sys.path.insert(0, os.getcwd())

from reports import LoadingCache

PATIENCE_S = 20


def in_threads(count, work):
    errors = []

    def guarded(number):
        try:
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(n,), daemon=True) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
        if thread.is_alive():
            sys.exit("threads wait for each other for ever")
    return errors


def open_when_all_wait(event, cache, count):
    """Opens an event once so many requests have come in, or after two seconds."""
    end = time.monotonic() + 2
    while cache.hits + cache.misses < count and time.monotonic() < end:
        time.sleep(0.005)
    time.sleep(0.15)
    event.set()


# All sixteen have come in before any load may end.
loads, gate, lock = Counter(), threading.Event(), threading.Lock()
before_the_gate = set()


def slow(key):
    with lock:
        loads[key] += 1
        if not gate.is_set():
            before_the_gate.add(key)
    gate.wait(PATIENCE_S)
    return [key]


cache = LoadingCache(slow, limit=3)
got = [None] * 16
threading.Thread(target=open_when_all_wait, args=(gate, cache, 16), daemon=True).start()
problems = in_threads(16, lambda n: got.__setitem__(n, cache.get(n % 4)))
if problems or got != [[n % 4] for n in range(16)]:
    sys.exit(f"results: {got} {problems}")
if before_the_gate != {0, 1, 2, 3}:
    sys.exit(f"keys wait for each other: only {before_the_gate} loaded side by side")
if loads != {0: 1, 1: 1, 2: 1, 3: 1}:
    sys.exit(f"loads for each key: {dict(loads)}")
if any(got[n] is not got[n % 4] for n in range(16)):
    sys.exit("threads that asked at once have got different objects")
if len(cache) != 3:
    sys.exit(f"{len(cache)} results with a limit of 3")

# An error reaches all who wait, is not kept, and leaves no lock behind.
state = {"fail": True, "calls": 0}
release = threading.Event()


def flaky(key):
    state["calls"] += 1
    release.wait(PATIENCE_S)
    if state["fail"]:
        raise LookupError(key)
    return key


cache = LoadingCache(flaky, limit=2)
threading.Thread(target=open_when_all_wait, args=(release, cache, 5), daemon=True).start()
problems = in_threads(5, lambda n: cache.get("k"))
if len(problems) != 5 or {type(p) for p in problems} != {LookupError} or state["calls"] != 1:
    sys.exit(f"an error for five: {problems}, {state['calls']} calls")
state["fail"] = False
if cache.get("k") != "k" or cache.get("k") != "k" or state["calls"] != 2:
    sys.exit("after an error the next request must load, and keep, the result")

# A loader may ask the same cache for another key.
nested = LoadingCache(lambda n: 1 if n == 0 else nested.get(n - 1) + 1, limit=100)
values = []
if in_threads(1, lambda n: values.append(nested.get(30))) or values != [31]:
    sys.exit(f"a loader that uses the cache: {values}")
small = LoadingCache(lambda n: n, limit=2)
for n in range(10):
    small.get(n)
if len(small) != 2 or 8 not in small or 9 not in small:
    sys.exit("the limit")
small.forget(9)
if 9 in small or small.get(9) != 9:
    sys.exit("forget")
