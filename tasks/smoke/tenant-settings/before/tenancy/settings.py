"""A tenant's settings: the built-in ones with the tenant's own on top."""

from tenancy.paths import look_up, put

BUILT_IN = {
    "language": "en",
    "mail": {"sender": "noreply@example.org", "retry": {"times": 3, "wait_s": 10}},
    "webhooks": [],
    "limits": {"users": 25, "hosts": ["localhost"]},
}


def overlay(below, above):
    """Returns `below` with `above` on top; tables are merged, anything else is replaced."""
    result = dict(below)
    for key, value in above.items():
        if isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = overlay(result[key], value)
        else:
            result[key] = value
    return result


class Settings:
    """
    The settings of one tenant.

    >>> Settings("acme", {"mail": {"sender": "hi@acme.example"}}).get("mail.retry.times")
    3
    """

    def __init__(self, tenant, own={}, built_in=BUILT_IN):
        self.tenant = tenant
        self._own = own
        self._all = overlay(built_in, own)

    def get(self, path):
        """Returns one setting by its dotted path."""
        return look_up(self._all, path)

    def set(self, path, value):
        """Changes one setting for this tenant."""
        put(self._own, path, value)
        put(self._all, path, value)

    def append(self, path, value):
        """Adds a value to a list setting of this tenant."""
        values = self.get(path)
        values.append(value)
        put(self._own, path, values)

    def changed(self):
        """What this tenant has set, as nested tables."""
        return self._own
