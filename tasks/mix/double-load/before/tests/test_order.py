import unittest

from reports import LoadingCache


class OrderTest(unittest.TestCase):
    def test_the_least_recently_used_goes_first(self):
        cache = LoadingCache(str.upper, limit=2)
        for key in ("a", "b", "a", "c"):
            cache.get(key)
        self.assertEqual([True, False, True], [key in cache for key in "abc"])

    def test_hits_and_misses(self):
        cache = LoadingCache(str.upper, limit=2)
        for key in ("a", "a", "b"):
            cache.get(key)
        self.assertEqual((1, 2), (cache.hits, cache.misses))

    def test_forgetting(self):
        cache = LoadingCache(str.upper, limit=2)
        cache.get("a")
        cache.forget("a")
        self.assertEqual(0, len(cache))


if __name__ == "__main__":
    unittest.main()
