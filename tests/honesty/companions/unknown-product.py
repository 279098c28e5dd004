from bakehouse.stock import Shelf
from counter.till import print_sale


def test_another_product_is_sold_out():
    assert print_sale([("pretzel", 1.0)], Shelf({}))[1] == "sold out"


def test_what_is_there_is_still_counted():
    assert Shelf({"bun": 4}).left("bun") == 4
