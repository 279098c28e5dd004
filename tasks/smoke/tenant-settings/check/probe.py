"""Changes the settings of one tenant and says what everybody else sees."""

import copy

from fairtrial_probe import serve


def neighbours():
    from tenancy import BUILT_IN, Settings

    pristine = copy.deepcopy(BUILT_IN)
    first = Settings("first")
    first.set("mail.retry.times", 9)
    first.append("limits.hosts", "first.example")
    first.set("theme.colour.accent", "teal")
    second = Settings("second")
    return {
        "second": [second.get("mail.retry.times"), second.get("limits.hosts"), second.changed()],
        "built in": str(BUILT_IN) == str(pristine),
        "defaults": [BUILT_IN["mail"], BUILT_IN["limits"]],
        "own": [first.get("limits.hosts"), first.get("theme.colour.accent")],
        "changed": first.changed()["mail"]["retry"]["times"],
    }


def handed_in():
    from tenancy import Settings

    hooks = ["https://a.example"]
    given = {"webhooks": hooks, "limits": {"users": 5}}
    third, fourth = Settings("third", given), Settings("fourth", given)
    third.append("webhooks", "https://b.example")
    third.set("limits.users", 6)
    other = [fourth.get("webhooks"), fourth.get("limits.users")]
    return {"given": given, "hooks": hooks, "other": other, "changed": third.changed()}


def base_of_ones_own():
    from tenancy import Settings

    base = {"a": {"b": {"c": [1]}}}
    fifth = Settings("fifth", built_in=base)
    fifth.append("a.b.c", 2)
    return [base, fifth.get("a.b.c")]


serve(neighbours, handed_in, base_of_ones_own)
