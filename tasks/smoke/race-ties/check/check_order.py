"""Hidden check: every order of a field of runners gives the list that the rules demand."""

import itertools
import os
import sys

sys.path.insert(0, os.getcwd())

from race.results import Runner, podium, results

FIELD = [
    Runner("n1", 30, 60.0),
    Runner("n2", 30, 60.0),
    Runner("n3", 30),
    Runner("n4", 30),
    Runner("n5", 50),
    Runner("n6", 0, 58.5),
]


def before(left, right):
    """Whether the rules put `left` strictly before `right`, sign-up aside."""
    if left.points != right.points:
        return left.points > right.points
    if left.time_s is None or right.time_s is None:
        return left.time_s is not None and right.time_s is None
    return left.time_s < right.time_s


for signed_up in itertools.permutations(FIELD):
    listed = [row.runner for row in results(signed_up)]
    if sorted(r.name for r in listed) != sorted(r.name for r in signed_up):
        sys.exit("a runner is missing or listed twice")
    for above, below in itertools.combinations(listed, 2):
        if before(below, above):
            sys.exit(f"{below} stands below {above}")
        if not before(above, below) and signed_up.index(above) > signed_up.index(below):
            sys.exit(f"{below.name} signed up before {above.name} but stands below")

rows = results([Runner("z", 7, 0.0), Runner("y", 7, 0.1), Runner("x", 7), Runner("w", -1, 5.0)])
if [(r.place, r.runner.name) for r in rows] != [(1, "z"), (1, "y"), (1, "x"), (4, "w")]:
    sys.exit(f"places or a time of zero: {rows}")
if [r.runner.name for r in podium([Runner(n, p) for n, p in (("a", 1), ("b", 2), ("c", 2), ("d", 2))])] != ["b", "c", "d"]:
    sys.exit("podium")
if results([]):
    sys.exit("an empty field has no rows")
