import threading
import time
import unittest

from reports import LoadingCache

PATIENCE_S = 10


class Loader:
    """Loads slowly: each call waits until the test lets it go on."""

    def __init__(self):
        self.calls = []
        self.started = threading.Semaphore(0)
        self.go_on = threading.Event()

    def __call__(self, key):
        self.calls.append(key)
        self.started.release()
        if not self.go_on.wait(PATIENCE_S):
            raise TimeoutError(key)
        if key == "broken":
            raise OSError("no data")
        return key.upper()


def wait_for_requests(cache, count):
    """Gives threads the time to come into `get`, and a little more to wait there."""
    end = time.monotonic() + 2
    while cache.hits + cache.misses < count and time.monotonic() < end:
        time.sleep(0.005)
    time.sleep(0.1)


def ask(cache, key, outcomes):
    def work():
        try:
            outcomes.append(cache.get(key))
        except OSError as error:
            outcomes.append(str(error))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


class LoadingTest(unittest.TestCase):
    def run_two(self, first, second):
        loader = Loader()
        cache = LoadingCache(loader, limit=5)
        outcomes = []
        threads = [ask(cache, first, outcomes)]
        self.assertTrue(loader.started.acquire(timeout=PATIENCE_S))
        threads.append(ask(cache, second, outcomes))
        if first == second:
            wait_for_requests(cache, 2)
        else:
            self.assertTrue(loader.started.acquire(timeout=PATIENCE_S), "keys wait for each other")
        loader.go_on.set()
        for thread in threads:
            thread.join(PATIENCE_S)
            self.assertFalse(thread.is_alive())
        return loader.calls, outcomes, cache

    def test_one_key_is_loaded_once(self):
        calls, outcomes, _ = self.run_two("a", "a")
        self.assertEqual((["a"], ["A", "A"]), (calls, outcomes))

    def test_two_keys_are_loaded_side_by_side(self):
        calls, outcomes, _ = self.run_two("a", "b")
        self.assertEqual((["a", "b"], ["A", "B"]), (calls, sorted(outcomes)))

    def test_an_error_is_shared_but_not_kept(self):
        calls, outcomes, cache = self.run_two("broken", "broken")
        self.assertEqual((["broken"], ["no data", "no data"]), (calls, outcomes))
        self.assertEqual(0, len(cache))
        with self.assertRaises(OSError):
            cache.get("broken")
        self.assertEqual(2, len(calls))


if __name__ == "__main__":
    unittest.main()
