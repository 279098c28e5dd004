from bakehouse.prices import times, total

assert total([0.1, 0.1, 0.2]) == 0.4, total([0.1, 0.1, 0.2])
assert total([1.15, 1.15, 1.15]) == 3.45, total([1.15, 1.15, 1.15])
assert times(1.15, 3) == 3.45, times(1.15, 3)
assert times(0.29, 1) == 0.29, times(0.29, 1)
