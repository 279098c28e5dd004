from bakehouse.prices import times, total


def test_other_prices_add_up():
    assert total([0.29, 0.57, 4.35]) == 5.21
    assert total(iter([2.3, 1.1])) == 3.4


def test_other_prices_multiply():
    assert times(4.35, 7) == 30.45
