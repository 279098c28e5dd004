import re
from itertools import combinations

from fairtrial_reporter_html.bars import reach, rise, spot
from fairtrial_reporter_html.dots import Dot, Span, frame_of
from fairtrial_reporter_html.labels import around, placed, short
from fairtrial_reporter_html.scales import LEAST, MOST
from fairtrial_reporter_html.scatter import front, scatter
from fairtrial_reporter_html.shapes import SIZE, looks
from hypothesis import given
from hypothesis import strategies as st

NAMES = st.text(max_size=40)


@st.composite
def spans(draw: st.DrawFn, low: float, high: float) -> Span:
    at, *ends = sorted(draw(st.lists(st.floats(low, high), min_size=3, max_size=3)))
    below, above = draw(st.none() | st.just(at)), draw(st.none() | st.just(ends[1]))
    return Span(at=ends[0], low=below, high=above)


@st.composite
def dots(draw: st.DrawFn) -> Dot:
    name = draw(NAMES)
    return Dot(
        name=name,
        look=looks([name]).get(name) or looks([])["noop"],
        price=draw(st.none() | spans(LEAST, MOST)),
        share=draw(spans(0.0, 1.0)),
        front=draw(st.booleans()),
        told=name,
    )


@given(st.lists(dots(), min_size=1, max_size=12))
def test_every_point_and_every_bar_lies_inside_of_the_axes(found: list[Dot]) -> None:
    frame = frame_of(found)
    box = frame.box
    for dot in found:
        if dot.price is not None:
            assert box.holds(around(*spot(frame, dot), SIZE))
        assert box.top <= rise(frame, dot)[0] <= rise(frame, dot)[1] <= box.bottom
        assert box.left <= reach(frame, dot)[0] <= reach(frame, dot)[1] <= box.right


@given(st.lists(st.tuples(st.floats(0, 300), st.floats(0, 200), NAMES), max_size=12))
def test_no_name_covers_a_mark_or_another_name_or_leaves_the_plot(
    wanted: list[tuple[float, float, str]],
) -> None:
    frame = around(150, 100, 200)
    marks = [around(x, y, SIZE) for x, y, _ in wanted]
    labels = placed(wanted, frame, marks)
    boxes = [label.box for label in labels if label is not None]
    assert len(wanted) == len(labels)
    assert all(frame.holds(box) for box in boxes)
    assert not any(box.meets(mark) for box in boxes for mark in marks)
    assert not any(one.meets(other) for one, other in combinations(boxes, 2))


def dot(name: str, price: float | None, share: float, *, front: bool = False) -> Dot:
    return Dot(
        name=name,
        look=looks([name])[name],
        price=None if price is None else Span(at=price, low=price, high=price),
        share=Span(at=share, low=share / 2, high=min(1.0, share * 1.5)),
        front=front,
        told=name,
    )


def test_the_front_goes_in_steps_from_the_cheapest_solver_to_the_edge() -> None:
    found = [dot("b", 4, 0.8, front=True), dot("a", 1, 0.4, front=True), dot("c", 3, 0.3)]
    frame = frame_of(found)
    (x, y), (to_x, to_y) = spot(frame, found[1]), spot(frame, found[0])
    steps = [float(number) for number in re.findall(r"[\d.]+", front(frame, found))]
    expected = [x, y, to_x, to_y, frame.box.right]
    assert [round(each, 1) for each in expected] == steps
    assert (x, to_y) < (to_x, y)


def test_a_name_that_finds_no_room_is_told_instead() -> None:
    crowd = [dot(f"the same place {number}", 1, 0.5) for number in range(30)]
    shown = scatter("k", crowd, title="t", price="p")
    assert shown.nameless
    drawn = shown.svg.count('class="l"')
    assert len(crowd) == drawn + len(shown.nameless)


def test_control_arms_stand_left_of_the_axes_and_stretch_none() -> None:
    agents = [dot("a", 100, 0.5), dot("b", 120, 0.6)]
    alone = frame_of(agents)
    both = frame_of([*agents, dot("reference", None, 1.0)])
    assert alone.across == both.across
    shown = scatter("k", [*agents, dot("reference", None, 1.0)], title="t", price="p").svg
    x = re.search(r'class="h ctl" cx="([\d.]+)"', shown)
    assert x is not None
    assert float(x[1]) + SIZE < both.box.left


def test_a_bar_that_goes_on_beyond_the_axis_has_a_tip() -> None:
    endless = Dot(
        name="a",
        look=looks(["a"])["a"],
        price=Span(at=2.0, low=1.0, high=None),
        share=Span(at=0.5, low=0.4, high=0.6),
        told="a",
    )
    frame = frame_of([endless])
    assert frame.box.right == reach(frame, endless)[1]
    shown = scatter("k", [endless], title="t", price="p").svg
    assert 3 == shown.count('class="bar ')  # up, across, and one tip


def test_a_long_name_is_cut_beside_its_mark() -> None:
    assert 26 == len(short("x" * 300))


def test_forty_solvers_look_different() -> None:
    found = looks([f"agent-{number}" for number in range(40)])
    seen = {(each.colour, each.shape) for each in found.values() if each.colour != "ctl"}
    assert 40 == len(seen)
