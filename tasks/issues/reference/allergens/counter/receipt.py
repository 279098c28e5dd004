"""Receipts, as they are printed."""


def line(name, price):
    """Return one line of a receipt: the name, and the price to the right."""
    return f"{name:<20}{price:>8.2f}"


def remark(left):
    """Return the remark below a product: how many are left of it."""
    if left >= 10:
        return "plenty left"
    return f"{left} left" if left else "sold out"


def product(recipe):
    """Return the line that names a product, and its allergens where it has any."""
    if not recipe.allergens:
        return recipe.name
    return f"{recipe.name} (contains {', '.join(recipe.allergens)})"
