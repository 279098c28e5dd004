"""The first way of sharing a bill; nothing uses it any more."""


def split_evenly(cents, people):
    """Returns the share of each, in fractions of a cent."""
    return cents / people
