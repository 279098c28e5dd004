"""Lists a field of runners, signed up in every order, and says who stands where."""

import itertools

from fairtrial_probe import serve


def listed(entries):
    from race.results import Runner, results

    return [[row.place, row.runner.name] for row in results([Runner(*one) for one in entries])]


def every_order(entries):
    return [[name for _, name in listed(order)] for order in itertools.permutations(entries)]


def on_the_podium(entries):
    from race.results import Runner, podium

    return [row.runner.name for row in podium([Runner(*one) for one in entries])]


serve(listed, every_order, on_the_podium)
