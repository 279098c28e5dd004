"""The kinds of plugin: one noun, and all that is called after it."""

import inspect
from collections.abc import Mapping

from attrs import frozen

from fairtrial.api.answerer import Answerer
from fairtrial.api.auditor import Auditor
from fairtrial.api.gateway import Gateway
from fairtrial.api.meter import Meter
from fairtrial.api.reporter import Reporter
from fairtrial.api.sandbox import Sandbox
from fairtrial.api.selector import Selector
from fairtrial.api.solver import Solver
from fairtrial.api.suite import Suite
from fairtrial.config import PLURALS


@frozen(kw_only=True)
class Member:
    """
    What a plugin of a kind must have.

    Attributes:
        name: Its name.
        arguments: How many arguments it is called with; None where it is no method.
    """

    name: str
    arguments: int | None


@frozen(kw_only=True)
class Kind:
    """
    One kind of plugin.

    Attributes:
        noun: Such as `solver`.
        protocol: The interface, in `fairtrial.api`.
    """

    noun: str
    protocol: type

    @property
    def plural(self) -> str:
        """What its config tables are called after."""
        return PLURALS[self.noun]

    @property
    def group(self) -> str:
        """Its entry-point group."""
        return f"fairtrial.{self.plural}"

    @property
    def members(self) -> tuple[Member, ...]:
        """What the interface asks for, in its order."""
        return tuple(
            Member(name=name, arguments=_arguments(value))
            for name, value in vars(self.protocol).items()
            if not name.startswith("_")
            and (inspect.isfunction(value) or isinstance(value, property))
        )


def _arguments(value: object) -> int | None:
    if not inspect.isfunction(value):
        return None
    return len(inspect.signature(value).parameters) - 1


KINDS: Mapping[str, Kind] = {
    noun: Kind(noun=noun, protocol=protocol)
    for noun, protocol in (
        ("solver", Solver),
        ("meter", Meter),
        ("gateway", Gateway),
        ("suite", Suite),
        ("auditor", Auditor),
        ("reporter", Reporter),
        ("answerer", Answerer),
        ("sandbox", Sandbox),
        ("selector", Selector),
    )
}
"""Every kind, by its noun."""


def kind_of(protocol: object) -> Kind | None:
    """Returns the kind whose interface this is; None for any other type."""
    return next((kind for kind in KINDS.values() if kind.protocol is protocol), None)
