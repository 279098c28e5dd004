from fairtrial.figures.pareto import Contender, on_front
from hypothesis import given
from hypothesis import strategies as st

prices = st.one_of(st.none(), st.integers(1, 5).map(float))
contenders = st.builds(Contender, resolution=st.sampled_from([0.0, 0.5, 1.0]), price=prices)


@given(st.lists(contenders, min_size=1, max_size=8))
def test_every_point_off_the_front_is_beaten_by_one_on_it_or_resolved_nothing(
    points: list[Contender],
) -> None:
    marks = on_front(points)
    front = [point for point, mark in zip(points, marks, strict=True) if mark]
    assert bool(front) is any(point.resolution for point in points)
    for point, mark in zip(points, marks, strict=True):
        off = not point.resolution or any(other.beats(point) for other in front)
        assert mark is not off


def test_equal_points_do_not_beat_each_other() -> None:
    twin = Contender(resolution=0.5, price=None)
    assert on_front([twin, twin]) == (True, True)


def test_who_resolved_nothing_is_on_no_front_even_alone() -> None:
    assert (False,) == on_front([Contender(resolution=0.0, price=None)])
