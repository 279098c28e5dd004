"""
Sums over records, and nothing else: no disk, no network, no clock.

Reporters may import this package. Its modules are the figures themselves: `tally` says which
trials count, `frontier`, `rollouts`, `gaps`, `tokens`, `controls` and `compare` make figures of
them, `rates`, `intervals`, `draws` and `chance` hold the arithmetic, `markdown` and `plain` turn
results into text and JSON.

Three rules hold everywhere. What is not known is None and shown `–`, never 0. The denominator is
what was planned. A trial that broke for a reason of ours is no failure, and never silently gone.
"""
