from bakehouse.oven import queue

orders = [(100, "rye", False), (15, "bun", False)]
names = [name for _, name, _ in queue(orders)]
assert names == ["bun", "rye"], names
