"""A cache that loads what it doesn't have."""

import threading

from reports.order import UseOrder


class LoadingCache:
    """
    Keeps the `limit` results that were used last.

    May be shared by threads. A key is loaded by one thread only; others that ask for it meanwhile
    wait and get the same result or the same error. Different keys are loaded side by side.
    An error is never kept.
    """

    def __init__(self, load, limit):
        if limit < 1:
            raise ValueError("a cache keeps at least one result")
        self._load = load
        self._limit = limit
        self._lock = threading.Lock()
        self._results = {}
        self._order = UseOrder()
        self.hits = 0
        self.misses = 0

    def __len__(self):
        with self._lock:
            return len(self._results)

    def __contains__(self, key):
        with self._lock:
            return key in self._results

    def get(self, key):
        """Returns the result for a key, loading it where it is missing."""
        with self._lock:
            if key in self._results:
                self.hits += 1
                self._order.touch(key)
                return self._results[key]
            self.misses += 1
        result = self._load(key)
        self._results[key] = result
        with self._lock:
            self._order.touch(key)
            if len(self._order) > self._limit:
                self._evict()
        return result

    def forget(self, key):
        """Drops the result for a key, so that the next `get` loads it anew."""
        with self._lock:
            self._results.pop(key, None)
            self._order.drop(key)

    def _evict(self):
        oldest = self._order.oldest()
        self._order.drop(oldest)
        self._results.pop(oldest, None)
