import pytest
from attrs import frozen
from fairtrial.api.reading import Boundary, Label
from fairtrial.figures.basis import Basis
from fairtrial.figures.groups import Group
from fairtrial.figures.plain import plain


@frozen
class Figure:
    value: float | None
    group: Group

    @property
    def twice(self) -> float | None:
        return None if self.value is None else 2 * self.value

    @property
    def _hidden(self) -> int:
        return 1


GROUP = Group(
    boundary=Boundary.HOST, label=Label.ESTIMATOR, granularity="trial", basis=Basis.GROSS
)


def test_fields_come_first_and_what_is_worked_out_follows() -> None:
    assert list(plain(Figure(1.5, GROUP)).items()) == [  # type: ignore[union-attr]  # it is a dict
        ("value", 1.5),
        (
            "group",
            {
                "boundary": "host",
                "label": "estimator",
                "granularity": "trial",
                "basis": "gross",
                "parts": [],
                "method": [],
            },
        ),
        ("twice", 3.0),
    ]


def test_what_is_not_finite_is_null() -> None:
    assert plain([float("nan"), float("inf"), 1, True, None, "x"]) == [
        None,
        None,
        1,
        True,
        None,
        "x",
    ]


def test_keys_that_are_figures_become_text() -> None:
    assert plain({GROUP: ("a",)}) == {"host, estimator, gross": ["a"]}


def test_what_is_no_figure_is_refused() -> None:
    with pytest.raises(TypeError, match="object is no figure"):
        plain(object())
