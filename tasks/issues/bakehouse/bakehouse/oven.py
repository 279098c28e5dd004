"""The oven's queue."""


def queue(orders):
    """
    Return the orders as they go into the oven, each a tuple of minute, name and rush.

    Rush orders come first, whatever their minute; then the earlier before the later. Orders that
    are alike in both keep the order in which they came in. The list that was passed stays as it
    is, since the counter shows it.
    """
    return sorted(orders, key=lambda order: (not order[2], str(order[0])))
