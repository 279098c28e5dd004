"""Keeps keys in the order of their last use."""

from collections import OrderedDict


class UseOrder:
    """Not safe for threads by itself: the cache that owns it holds the lock."""

    def __init__(self):
        self._keys = OrderedDict()

    def __len__(self):
        return len(self._keys)

    def touch(self, key):
        """Says that a key was used just now."""
        self._keys[key] = None
        self._keys.move_to_end(key)

    def drop(self, key):
        """Forgets a key, whether it is known or not."""
        self._keys.pop(key, None)

    def oldest(self):
        """The key whose last use is longest ago."""
        return next(iter(self._keys))
