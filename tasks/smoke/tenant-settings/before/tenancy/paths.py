"""Dotted paths into nested dictionaries: "mail.sender"."""


class UnknownSetting(KeyError):
    """Raised where a path leads nowhere."""

    def __str__(self):
        return f"unknown setting: {self.args[0]}"


def look_up(tree, path):
    """Returns what stands at a path."""
    node = tree
    for part in path.split("."):
        if not isinstance(node, dict) or part not in node:
            raise UnknownSetting(path)
        node = node[part]
    return node


def put(tree, path, value):
    """Sets what stands at a path, making the tables on the way to it."""
    *parents, last = path.split(".")
    node = tree
    for part in parents:
        node = node.setdefault(part, {})
        if not isinstance(node, dict):
            raise UnknownSetting(path)
    node[last] = value
