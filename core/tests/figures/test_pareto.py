from fairtrial.figures.pareto import Contender, on_front
from hypothesis import given
from hypothesis import strategies as st

prices = st.one_of(st.none(), st.integers(1, 5).map(float))
contenders = st.builds(Contender, resolution=st.sampled_from([0.0, 0.5, 1.0]), price=prices)


@given(st.lists(contenders, min_size=1, max_size=8))
def test_every_point_off_the_front_is_beaten_by_one_on_it(points: list[Contender]) -> None:
    marks = on_front(points)
    front = [point for point, mark in zip(points, marks, strict=True) if mark]
    assert front
    for point, mark in zip(points, marks, strict=True):
        assert mark is not any(other.beats(point) for other in front)


def test_equal_points_do_not_beat_each_other() -> None:
    twin = Contender(resolution=0.5, price=None)
    assert on_front([twin, twin]) == (True, True)
