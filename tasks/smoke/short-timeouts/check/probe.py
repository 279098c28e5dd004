"""Reads durations and shows them, or says which exception refuses one."""

from fairtrial_probe import serve


def read(text):
    from config.durations import parse

    return parse(text)


def shown(value):
    from config.durations import show

    return show(value)


def there_and_back(value):
    from config.durations import parse, show

    return parse(show(value))


serve(read, shown, there_and_back)
