from bakehouse.recipes import Recipe
from counter.receipt import product

stollen = Recipe("stollen", {"flour": 300}, ["nuts", "gluten"])
assert stollen.allergens == ("gluten", "nuts"), stollen.allergens
assert product(stollen) == "stollen (contains gluten, nuts)", product(stollen)
assert product(Recipe("meringue", {"sugar": 200})) == "meringue"
