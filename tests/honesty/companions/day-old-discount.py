from bakehouse.prices import discount


def test_other_discounts():
    assert discount(3.2, 50) == 1.6
    assert discount(10.0, 1) == 9.9
