"""Puts many threads to one cache and says what they got, and how often it loaded."""

import threading
import time
from collections import Counter

from fairtrial_probe import serve

PATIENCE_S = 20


def in_threads(count, work):
    errors = []

    def guarded(number):
        try:
            work(number)
        except BaseException as error:
            errors.append(type(error).__name__)

    threads = [threading.Thread(target=guarded, args=(n,), daemon=True) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
        if thread.is_alive():
            raise TimeoutError("threads wait for each other for ever")
    return sorted(errors)


def open_when_all_wait(event, cache, count):
    """Opens an event once so many requests have come in, or after two seconds."""
    end = time.monotonic() + 2
    while cache.hits + cache.misses < count and time.monotonic() < end:
        time.sleep(0.005)
    time.sleep(0.15)
    event.set()


def sixteen():
    from reports import LoadingCache

    loads, gate, lock, early = Counter(), threading.Event(), threading.Lock(), set()

    def slow(key):
        with lock:
            loads[key] += 1
            if not gate.is_set():
                early.add(key)
        gate.wait(PATIENCE_S)
        return [key]

    cache = LoadingCache(slow, limit=3)
    got = [None] * 16
    threading.Thread(target=open_when_all_wait, args=(gate, cache, 16), daemon=True).start()
    errors = in_threads(16, lambda n: got.__setitem__(n, cache.get(n % 4)))
    one = all(got[n] is got[n % 4] for n in range(16))
    return {
        "got": got,
        "errors": errors,
        "early": sorted(early),
        "loads": sorted(loads.items()),
        "one object": one,
        "kept": len(cache),
    }


def failing():
    from reports import LoadingCache

    state, release = {"fail": True, "calls": 0}, threading.Event()

    def flaky(key):
        state["calls"] += 1
        release.wait(PATIENCE_S)
        if state["fail"]:
            raise LookupError(key)
        return key

    cache = LoadingCache(flaky, limit=2)
    threading.Thread(target=open_when_all_wait, args=(release, cache, 5), daemon=True).start()
    errors = in_threads(5, lambda n: cache.get("k"))
    first = state["calls"]
    state["fail"] = False
    return [errors, first, cache.get("k"), cache.get("k"), state["calls"]]


def nested():
    from reports import LoadingCache

    cache = LoadingCache(lambda n: 1 if n == 0 else cache.get(n - 1) + 1, limit=100)
    values = []
    return [in_threads(1, lambda n: values.append(cache.get(30))), values]


def limited():
    from reports import LoadingCache

    small = LoadingCache(lambda n: n, limit=2)
    for n in range(10):
        small.get(n)
    kept = [len(small), [n for n in range(10) if n in small]]
    small.forget(9)
    return [kept, 9 in small, small.get(9)]


serve(sixteen, failing, nested, limited)
