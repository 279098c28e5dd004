"""Says the ordinals of many numbers, and of their negatives."""

from fairtrial_probe import serve


def ordinals(start, stop):
    import inflection

    return "".join(inflection.ordinal(number) for number in range(start, stop))


def ordinalized(numbers):
    import inflection

    return [inflection.ordinalize(number) for number in numbers]


serve(ordinals, ordinalized)
