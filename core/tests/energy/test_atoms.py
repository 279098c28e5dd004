import pytest
from fairtrial.api import Boundary, Label
from fairtrial.energy.atoms import choose, covers, mirrored, overlap


def test_a_whole_covers_its_parts_and_not_its_namesake() -> None:
    assert [True, False, True, False, True] == [
        covers("pkg0", "pkg0/core"),
        covers("pkg0/core", "pkg0"),
        covers("pkg*", "pkg1"),
        covers("pkg1", "pkg10"),
        covers("*", "gpu0"),
    ]


def test_a_simple_meters_host_overlaps_all_but_gpus() -> None:
    assert [True, False] == [overlap("host", "pkg0"), overlap("host", "gpu0")]


def test_v5_package_and_memory_are_added_and_cores_are_not(counter) -> None:
    counters = {name: counter(name) for name in ("pkg0", "pkg0/core", "dram0")}

    choice = choose(counters)

    assert (("pkg0", "dram0"), {"pkg0/core": "pkg0"}) == (choice.chosen, choice.rejected)


def test_v7_the_same_package_through_two_ways_is_counted_once(counter) -> None:
    msr, mmio = counter("pkg0"), counter("pkg0", modulus=100)

    assert ("msr",) == choose({"mmio": mmio, "msr": msr}).chosen


def test_v7_a_platform_counter_stands_for_all_that_it_holds(counter) -> None:
    psys = counter("psys", atoms=frozenset({"pkg*", "dram*", "board"}))

    choice = choose({"psys": psys, "pkg0": counter(), "dram0": counter("dram0")})

    assert ("psys",) == choice.chosen


def test_v15_a_modules_counter_holds_its_processor(counter) -> None:
    module = counter("gpu0", atoms=frozenset({"gpu0", "pkg0", "dram0"}), boundary=Boundary.MODULE)

    choice = choose({"grace": counter(), "module": module})

    assert (("module",), {"grace": "module"}) == (choice.chosen, choice.rejected)


def test_row_10_a_measured_part_forbids_an_estimate_of_it(counter) -> None:
    guess = counter("ram", atoms=frozenset({"pkg*", "dram*"}), label=Label.ESTIMATOR)

    choice = choose({"guess": guess, "dram0": counter("dram0")})

    assert (("dram0",), {"guess": "dram0"}) == (choice.chosen, choice.rejected)


def test_a_counter_of_energy_goes_before_one_of_power(counter) -> None:
    power = counter("gpu0", is_power=True)

    assert ("b",) == choose({"a": power, "b": counter("gpu0")}).chosen


def test_v6_equal_dies_are_one_and_different_ones_are_two() -> None:
    equal = [(50_000_000, 0), (50_000_000, 0)]
    other = [(40_000_000, 0), (43_000_000, 0)]

    assert [True, False, None] == [
        mirrored(equal, equal),
        mirrored(equal, other),
        mirrored(equal[:1], equal[:1]),
    ]


@pytest.mark.parametrize(
    ("second", "tick", "answer"),
    [(100_090, 0, True), (100_200, 0, False), (100_200, 110, True), (100_200, 90, False)],
)
def test_dies_are_alike_within_a_thousandth_or_two_updates(second, tick, answer) -> None:
    assert answer is mirrored([(100_000, tick)] * 2, [(second, tick)] * 2)
