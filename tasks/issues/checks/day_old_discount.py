from bakehouse.prices import discount

assert discount(4.0, 25) == 3.0, discount(4.0, 25)
assert discount(2.5, 0) == 2.5, discount(2.5, 0)
assert discount(9.99, 100) == 0, discount(9.99, 100)
# Half a cent may go either way: whether that was asked is what is judged.
assert discount(1.5, 35) in (0.97, 0.98), discount(1.5, 35)
