"""What the bakery knows: prices, recipes, stock and the oven's queue."""
