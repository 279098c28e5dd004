"""The shape of a table, and the types that have none."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import attrs
import pytest
from attrs import field, frozen
from fairtrial.api import Network, Solver
from fairtrial.serial import NotPlain, default_of, shape


@frozen(kw_only=True)
class Inner:
    a: int


@frozen(kw_only=True)
class Table:
    argv: tuple[str, ...]
    pair: tuple[int, str] = (1, "a")
    inner: Inner | None = None
    env: Mapping[str, float] = field(factory=dict)
    bare: dict = field(factory=dict)  # type: ignore[type-arg]  # as a plugin may write it
    loose: list = field(factory=list)  # type: ignore[type-arg]  # as a plugin may write it
    word: Literal["a", "b"] = "a"
    network: Network = Network.OPEN
    path: Path = Path("x")
    raw: bytes = b"\0"
    solver: Solver | None = None
    anything: object = None
    own: int = attrs.Factory(lambda self: len(self.argv), takes_self=True)
    hidden: int = field(default=1, init=False)


def test_the_shape_says_types_defaults_and_what_must_be_given() -> None:
    found = shape(Table, {"argv": "The program."})
    assert ["argv"] == found["required"]
    assert found["additionalProperties"] is False
    number = {"type": "number"}
    assert {
        "argv": {"type": "array", "items": {"type": "string"}, "description": "The program."},
        "pair": {
            "type": "array",
            "prefixItems": [{"type": "integer"}, {"type": "string"}],
            "minItems": 2,
            "maxItems": 2,
            "default": [1, "a"],
        },
        "inner": {"anyOf": [shape(Inner), {"type": "null"}]},
        "env": {"type": "object", "additionalProperties": number, "default": {}},
        "bare": {"type": "object", "additionalProperties": {}, "default": {}},
        "loose": {"type": "array", "items": {}, "default": []},
        "word": {"enum": ["a", "b"], "default": "a"},
        "network": {"enum": ["none", "model-only", "open"], "default": "open"},
        "path": {"type": "string", "default": "x"},
        "raw": {"type": "string", "contentEncoding": "base64", "default": "AA=="},
        "solver": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "anything": {},
        "own": {"type": "integer"},
    } == found["properties"]


def test_a_default_that_only_an_instance_knows_is_none() -> None:
    assert default_of(attrs.fields(Table).own) is None
    assert default_of(attrs.fields(Table).argv) is None
    assert {} == default_of(attrs.fields(Table).env)


@pytest.mark.parametrize(
    "wanted", [complex, Callable[[], int], tuple[complex, ...], dict[str, type], int | complex]
)
def test_a_type_that_no_config_can_hold_has_no_shape(wanted: object) -> None:
    made = attrs.make_class("Made", {"odd": field(type=wanted)})  # type: ignore[call-overload]  # any type
    with pytest.raises(
        NotPlain, match=r"its field `odd` is of the type .+, which no config can hold"
    ):
        shape(made)
