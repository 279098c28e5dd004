"""Hidden check: nothing leaks between tenants, callers and the built-in settings."""

import copy
import os
import sys

sys.path.insert(0, os.getcwd())

from tenancy import BUILT_IN, Settings

pristine = copy.deepcopy(BUILT_IN)


def expect(wanted, got, what):
    if wanted != got:
        sys.exit(f"{what}: wanted {wanted!r}, got {got!r}")


first = Settings("first")
first.set("mail.retry.times", 9)
first.append("limits.hosts", "first.example")
first.set("theme.colour.accent", "teal")
second = Settings("second")
expect(3, second.get("mail.retry.times"), "a deep number of another tenant")
expect(["localhost"], second.get("limits.hosts"), "a deep list of another tenant")
expect({}, second.changed(), "a tenant that set nothing")
expect(pristine, BUILT_IN, "built-in settings")
expect(["localhost", "first.example"], first.get("limits.hosts"), "own list")
expect("teal", first.get("theme.colour.accent"), "own new table")
expect(9, first.changed()["mail"]["retry"]["times"], "own changes")

hooks = ["https://a.example"]
given = {"webhooks": hooks, "limits": {"users": 5}}
kept = copy.deepcopy(given)
third, fourth = Settings("third", given), Settings("fourth", given)
third.append("webhooks", "https://b.example")
third.set("limits.users", 6)
expect(kept, given, "what the caller handed in")
expect(["https://a.example"], fourth.get("webhooks"), "a tenant made from the same table")
expect(5, fourth.get("limits.users"), "a tenant made from the same table")
expect({"webhooks": ["https://a.example", "https://b.example"], "limits": {"users": 6}}, third.changed(), "changes of the third")

base = {"a": {"b": {"c": [1]}}}
fifth = Settings("fifth", built_in=base)
fifth.append("a.b.c", 2)
expect({"a": {"b": {"c": [1]}}}, base, "built-in settings of one's own")
