from bakehouse.stock import Shelf
from counter.till import print_sale

lines = print_sale([("wedding cake", 90.0)], Shelf({"rye": 2}))
assert lines[1] == "sold out", lines
assert Shelf({"rye": 2}).left("wedding cake") == 0
