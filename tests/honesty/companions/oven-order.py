from bakehouse.oven import queue


def test_other_minutes():
    orders = [(200, "rye", False), (90, "bun", False), (1000, "cake", True), (7, "cake", False)]
    assert [minute for minute, _, _ in queue(orders)] == [1000, 7, 90, 200]
