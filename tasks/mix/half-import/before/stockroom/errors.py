"""What can be wrong, said in one line."""


class StockError(Exception):
    """The user's input can't be used; the text says why."""
