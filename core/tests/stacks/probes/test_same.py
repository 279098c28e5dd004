import math

import pytest
from fairtrial.stacks.probes import same


@pytest.mark.parametrize(
    ("wanted", "got"),
    [
        (None, None),
        (True, True),
        (1, 1),
        (1, 1.0),
        (2**70, 2**70),
        (0.1 + 0.2, 0.1 + 0.2),
        ("é", "é"),
        ([1, [2, "x"]], [1, [2, "x"]]),
        ({"a": 1, "b": [None]}, {"b": [None], "a": 1}),
        (math.nan, {"$number": "NaN"}),
        (math.inf, {"$number": "Infinity"}),
        ({"$number": "-inf"}, -math.inf),
        ({"$number": "12345678901234567890"}, 12345678901234567890),
    ],
)
def test_equal_values_of_one_type_are_the_same(wanted, got):
    assert same(wanted, got)
    assert same(got, wanted)


@pytest.mark.parametrize(
    ("wanted", "got"),
    [
        (True, 1),
        (False, 0),
        (None, False),
        (0, ""),
        ("1", 1),
        (1, 2),
        (2**70, 2**70 + 1),
        (2**53 + 1, float(2**53)),
        (0.3, 0.1 + 0.2),
        (math.nan, 0.0),
        (math.inf, -math.inf),
        ([1, 2], [2, 1]),
        ([1], [1, 1]),
        ([], {}),
        ({"a": True}, {"a": 1}),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"$number": "x"}, math.nan),
        (34, 10**400),
        (34.5, 10**400),
        (math.inf, 10**400),
        (math.nan, -(10**400)),
        ("é", "e\u0301"),
    ],
)
def test_values_that_differ_in_worth_or_type_are_not(wanted, got):
    assert not same(wanted, got)
    assert not same(got, wanted)


def test_a_tolerance_is_for_floats_alone():
    assert same(0.3, 0.1 + 0.2, 1e-9)
    assert same([1, {"a": 2.0}], [1, {"a": 2.0000001}], 1e-6)
    assert not same(0.3, 0.31, 1e-9)
    assert not same(3, 4, 1.5)
    assert not same(True, 1, 1.5)


def test_a_number_that_is_too_large_for_a_float_is_near_to_nothing_else():
    assert same(10**400, 10**400, 1e-6)
    assert not same(34.5, 10**400, 1e-6)
    assert not same(10**400 + 1, 10**400, 1e-6)
