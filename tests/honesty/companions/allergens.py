from bakehouse.recipes import Recipe
from counter.receipt import product


def test_other_allergens():
    cake = Recipe("cake", {"flour": 200}, ["milk", "egg", "milk"])
    assert cake.allergens == ("egg", "milk")
    assert product(cake) == "cake (contains egg, milk)"
