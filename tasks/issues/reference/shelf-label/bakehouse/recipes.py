"""Recipes: what goes into a batch."""


class Recipe:
    """A product's name, and its ingredients in grams a batch."""

    def __init__(self, name, grams):
        self.name = name
        self.grams = dict(grams)

    def scaled(self, batches):
        """Return the grams of each ingredient for so many batches."""
        return {name: amount * batches for name, amount in self.grams.items()}


def greeting(name):
    """Return the line above a product's shelf."""
    return f"Fresh today: {name}"


def label(name):
    """Return the text of the card in front of a product's shelf."""
    return f"* {name.upper()} *"
