"""Says large numbers in words."""

from fairtrial_probe import serve


def words(value, *formats):
    import humanize

    return humanize.intword(value, *formats)


serve(words)
