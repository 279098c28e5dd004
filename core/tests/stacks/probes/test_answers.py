import json

import pytest
from fairtrial.stacks.probes import Case
from fairtrial.stacks.probes.answers import faults

CASES = {
    0: Case(name="sum", call="add", args=(1, 2), expect=3),
    1: Case(name="refused", call="add", args=("x",), raises="ValueError"),
}
RIGHT = [{"n": 0, "value": 3}, {"n": 1, "raised": ["Bad", "ValueError", "Exception"], "text": "x"}]


def told(*answers: object) -> str:
    return "".join(
        json.dumps({"nonce": "secret", **answer} if isinstance(answer, dict) else answer) + "\n"
        for answer in answers
    )


def test_right_answers_leave_no_fault():
    assert {} == faults(CASES, "secret", told(*RIGHT))


def test_the_order_of_answers_does_not_matter():
    assert {} == faults(CASES, "secret", told(*reversed(RIGHT)))


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ({"n": 0, "value": 4}, "wanted 3, got 4"),
        ({"n": 0, "value": True}, "wanted 3, got true"),
        ({"n": 0, "value": None}, "wanted 3, got null"),
        ({"n": 0, "raised": ["KeyError"], "text": "k"}, "raised KeyError: k"),
        ({"n": 0}, "neither a value nor an exception"),
        ({"n": 0, "value": 3, "raised": []}, "neither a value nor an exception"),
    ],
)
def test_a_wrong_answer_is_a_fault_of_its_case(answer, fault):
    assert {0: fault} == faults(CASES, "secret", told(answer, RIGHT[1]))


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ({"n": 1, "value": 3}, "returned 3, and did not raise ValueError"),
        ({"n": 1, "raised": ["TypeError"], "text": "t"}, "raised TypeError: t, not ValueError"),
        ({"n": 1, "raised": []}, "raised an exception: , not ValueError"),
    ],
)
def test_an_exception_that_is_due_is_named(answer, fault):
    assert {1: fault} == faults(CASES, "secret", told(RIGHT[0], answer))


def test_a_child_that_ends_early_leaves_cases_without_an_answer():
    missing = "no answer: the child ended, or was ended, before it"
    assert {1: missing} == faults(CASES, "secret", told(RIGHT[0]))
    assert {0: missing, 1: missing} == faults(CASES, "secret", "")


def test_answering_twice_is_a_fault_even_with_the_right_answer():
    assert {0: "answered twice"} == faults(CASES, "secret", told(*RIGHT, RIGHT[0]))


@pytest.mark.parametrize(
    "rubbish",
    [
        "hello\n",
        "[]\n",
        "\n",
        '{"n": 0, "value": 3}\n',
        '{"nonce": "other", "n": 0, "value": 3}\n',
        '{"nonce": "secret", "n": 7, "value": 3}\n',
        '{"nonce": "secret", "n": true, "value": 3}\n',
        '{"nonce": "secret", "n": [0], "value": 3}\n',
        "[" * 100_000 + "\n",
        '{"nonce": "secret", "n": 0, "value": ' + "9" * 5000 + "}\n",
    ],
    ids=range(10),
)
def test_a_line_that_is_no_answer_spoils_them_all(rubbish):
    spoilt = "the child wrote what nobody had asked it for"
    assert {0: spoilt, 1: spoilt} == faults(CASES, "secret", told(*RIGHT) + rubbish)


def test_a_long_value_is_shown_in_part():
    fault = faults(CASES, "secret", told({"n": 0, "value": "x" * 5000}, RIGHT[1]))[0]
    assert fault.endswith("xxx…")
    assert len(fault) < 400


def test_an_answer_nested_as_deep_as_can_be_read_is_a_wrong_one():
    for depth in range(850, 1050):
        nested = '{"nonce": "secret", "n": 0, "value": ' + "[" * depth + "]" * depth + "}\n"
        assert 0 in faults(CASES, "secret", nested + told(RIGHT[1]))
