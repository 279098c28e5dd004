"""Recipes: what goes into a batch."""


class Recipe:
    """A product's name, its ingredients in grams a batch, and its allergens."""

    def __init__(self, name, grams, allergens=()):
        self.name = name
        self.grams = dict(grams)
        self.allergens = tuple(sorted(set(allergens)))

    def scaled(self, batches):
        """Return the grams of each ingredient for so many batches."""
        return {name: amount * batches for name, amount in self.grams.items()}


def greeting(name):
    """Return the line above a product's shelf."""
    return f"Fresh today: {name}"
