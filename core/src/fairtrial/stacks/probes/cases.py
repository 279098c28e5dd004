"""What a probe is asked, what ought to come back, and when two values are the same."""

import math
from collections.abc import Mapping

from attrs import field, frozen
from attrs.validators import ge

JSON = None | bool | int | float | str | list["JSON"] | dict[str, "JSON"]

NUMBER = "$number"
"""The key of the table that stands for a number which JSON has no word for, such as `NaN`."""


@frozen(kw_only=True)
class Case:
    """
    One call of a function of a probe.

    Attributes:
        name: For people.
        call: The function's name in the probe.
        args: What it is called with.
        expect: What must come back; without a meaning where `raises` is given.
        raises: The name of the exception's class, or of one that it is made from; empty where it
            must return.
        tolerance: How far floating-point numbers may be off, as an absolute value.
        isolate: Whether the case gets a process of its own.
    """

    name: str
    call: str
    args: tuple[JSON, ...] = field(default=(), hash=False)
    expect: JSON = field(default=None, hash=False)
    raises: str = ""
    tolerance: float = field(default=0.0, validator=ge(0))
    isolate: bool = False


def same(wanted: JSON, got: JSON, tolerance: float = 0.0) -> bool:
    """
    Tells whether two JSON values are the same, type by type.

    True is not 1, a text is not a number, lists have one order and tables have none. Numbers are
    compared by value, whole or not, and exactly unless a tolerance is given; `NaN` is `NaN`.
    """
    wanted, got = _number(wanted), _number(got)
    if _is_number(wanted) and _is_number(got):
        return _near(wanted, got, tolerance)  # type: ignore[arg-type]  # both were just tested
    if isinstance(wanted, list) and isinstance(got, list):
        return len(wanted) == len(got) and all(
            same(one, two, tolerance) for one, two in zip(wanted, got, strict=True)
        )
    if isinstance(wanted, dict) and isinstance(got, dict):
        return wanted.keys() == got.keys() and all(
            same(one, got[key], tolerance) for key, one in wanted.items()
        )
    return type(wanted) is type(got) and wanted == got


def _is_number(value: JSON) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _near(wanted: float, got: float, tolerance: float) -> bool:
    if wanted == got:
        return True
    if isinstance(wanted, int) and isinstance(got, int):
        return False
    try:
        wanted, got = float(wanted), float(got)
    except OverflowError:
        # A whole number so large that it is near to no other one.
        return False
    if math.isnan(wanted) or math.isnan(got):
        return math.isnan(wanted) and math.isnan(got)
    return tolerance > 0 and abs(wanted - got) <= tolerance


def _number(value: JSON) -> JSON:
    if not isinstance(value, Mapping) or list(value) != [NUMBER]:
        return value
    text = value[NUMBER]
    if not isinstance(text, str):
        return value
    try:
        return int(text) if text.lstrip("-").isdigit() else float(text)
    except ValueError:
        return value
