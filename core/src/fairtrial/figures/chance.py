"""Whether a difference may be chance: McNemar's exact test, and Holm's correction for several."""

from collections.abc import Sequence


def mcnemar(lost: int, gained: int) -> float:
    """
    Returns the two-sided p-value of McNemar's exact test.

    Of the tasks whose outcome changed, each is as likely to be lost as gained if there is no
    difference: p = min(1, 2·P(X ≤ min(lost, gained))), X binomial with chance ½ (McNemar, 1947).
    It is worked out in whole numbers, so that thousands of tasks lose no digit.
    """
    changed = lost + gained
    if changed == 0:
        return 1.0
    term = tail = 1
    for successes in range(min(lost, gained)):
        term = term * (changed - successes) // (successes + 1)
        tail += term
    return min(1.0, 2 * tail / (1 << changed))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """
    Returns p-values corrected for having made several comparisons (Holm, 1979), in their order.

    The smallest is multiplied by their number, the next by one less, and so on; none may be
    smaller than the one before it, and none is above 1.
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected = [0.0] * len(p_values)
    floor = 0.0
    for rank, index in enumerate(order):
        floor = max(floor, min(1.0, p_values[index] * (len(p_values) - rank)))
        corrected[index] = floor
    return tuple(corrected)
