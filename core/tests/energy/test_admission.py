"""What a plugin may hand over that runs no type checker."""

import itertools
from decimal import Decimal
from enum import Enum
from fractions import Fraction

import pytest
from fairtrial.api import ConfigError, Label, MachineError
from fairtrial.energy.admission import MOST, sound, sound_all, texts, words


class Text(str):
    """A text that can't be a key."""

    __slots__ = ()
    __hash__ = None


class Zone(str, Enum):  # noqa: UP042 - one whose text and spelling differ
    PACKAGE = "pkg0"


class Untold:
    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __str__


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({"is_power": "no"}, "'no' (is_power)"),
        ({"is_shared": 1}, "1 (is_shared)"),
        ({"is_cpu_time": None}, "None (is_cpu_time)"),
        ({"max_watts": Decimal(500)}, "Decimal('500') (max_watts)"),
        ({"update_s": Decimal("0.001")}, "Decimal('0.001') (update_s)"),
        ({"microjoules_per_count": True}, "True (microjoules_per_count)"),
        ({"update_s": 1e5}, "100000.0 (update_s)"),
        ({"atoms": "pkg0"}, "'pkg0' (atoms)"),
        ({"atoms": [["pkg0"]]}, "['pkg0'] (atoms)"),
    ],
)
def test_a_part_of_another_type_is_refused_by_its_name(counter, change, shown) -> None:
    with pytest.raises(TypeError) as caught:
        sound(counter(**change))

    assert f"counter “pkg0” is described by {shown}" == str(caught.value)


def test_a_counter_is_of_power_or_of_cpu_time(counter) -> None:
    with pytest.raises(TypeError, match="claims to be of power and of CPU time"):
        sound(counter(is_power=True, is_cpu_time=True))


def test_a_text_that_no_record_should_hold_is_refused_and_cut_short(counter) -> None:
    with pytest.raises(TypeError) as caught:
        sound(counter(sensor="x" * 1_000_000))

    assert len(str(caught.value)) < 1100


def test_what_is_equal_to_a_text_or_a_number_becomes_one(counter) -> None:
    found = sound(
        counter(
            id=Zone.PACKAGE,
            atoms=[Text("pkg0")],
            sensor=Text("vr-telemetry"),
            max_watts=Fraction(1000, 3),
            label="measured-hardware-shunt",
        )
    )

    assert (str, "pkg0") == (type(found.id), found.id)
    assert frozenset({"pkg0"}) == found.atoms
    assert (float, 1000 / 3) == (type(found.max_watts), found.max_watts)
    assert Label.HARDWARE_SHUNT is found.label


def test_no_more_counters_and_atoms_than_figures_can_be_compared_by(counter) -> None:
    endless = (counter(f"pkg{number}") for number in itertools.count())
    with pytest.raises(ValueError, match=f"it names more than {MOST} counters"):
        sound_all(endless)

    atoms = frozenset(f"pkg{number}" for number in range(MOST))
    assert 1 == len(sound_all([counter(atoms=atoms)]))
    with pytest.raises(ValueError, match=f"it names more than {MOST} atoms"):
        sound_all([counter("a", atoms=atoms), counter("b")])


def test_no_more_places_that_cant_be_read_than_a_machine_has() -> None:
    with pytest.raises(ValueError, match=f"it names more than {MOST} places"):
        texts({f"p:{number}": "gone" for number in range(MOST + 1)})


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError("no bus"), "ValueError: no bus"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (MachineError(problem="no bus", way_on="plug it in"), "no bus; plug it in"),
        (MachineError(problem=3, way_on=None), "3"),
        (ValueError(Untold()), "ValueError, of which nothing can be told"),
        (ConfigError(problem=Untold()), "ConfigError, of which nothing can be told"),
    ],
)
def test_an_exception_is_put_into_words_whatever_it_is_made_of(error, told) -> None:
    assert told == words(error)


def test_the_words_of_an_exception_are_cut_short() -> None:
    assert 1000 == len(words(ValueError("m" * 3_000_000)))
