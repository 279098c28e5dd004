"""What is left on the shelves."""


class Shelf:
    """Counts of products by name, written as the baker writes them."""

    def __init__(self, counts):
        self.counts = {name.strip(): count for name, count in counts.items()}

    def left(self, name):
        """Return how many are left; 0 where the shelf has none of that name."""
        return self.counts.get(name)

    def take(self, name, count=1):
        """Take some away; refuse more than there are."""
        if (self.left(name) or 0) < count:
            raise ValueError(f"not enough {name}")
        self.counts[name] -= count
