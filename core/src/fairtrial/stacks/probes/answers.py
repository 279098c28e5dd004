"""Reading what one child answered, trusting none of it."""

import json
from collections.abc import Mapping, Sequence

from fairtrial.stacks.probes.cases import Case, same

SHOWN = 300
"""Characters of a value that are shown."""


def faults(cases: Mapping[int, Case], nonce: str, text: str) -> dict[int, str]:
    """
    Returns the cases that failed, by their numbers, with the reason.

    A line that is no answer to what this child was asked spoils all of its answers: nobody can say
    what else it made up.
    """
    found: dict[int, list[Mapping[str, object]]] = {number: [] for number in cases}
    for line in text.splitlines():
        answer = _answer(line)
        number = answer.get("n")
        right = answer.get("nonce") == nonce and type(number) is int and number in cases
        if not right:
            return dict.fromkeys(cases, "the child wrote what nobody had asked it for")
        found[number].append(answer)  # type: ignore[index]  # an int of the cases, see above
    told = {number: _fault(case, found[number]) for number, case in cases.items()}
    return {number: fault for number, fault in told.items() if fault}


def _answer(line: str) -> Mapping[str, object]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _fault(case: Case, answers: Sequence[Mapping[str, object]]) -> str:
    if not answers:
        return "no answer: the child ended, or was ended, before it"
    if len(answers) > 1:
        return "answered twice"
    (answer,) = answers
    if ("value" in answer) == isinstance(answer.get("raised"), list):
        return "neither a value nor an exception"
    return _of_value(case, answer) if "value" in answer else _of_exception(case, answer)


def _of_exception(case: Case, answer: Mapping[str, object]) -> str:
    names = answer["raised"]
    assert isinstance(names, list)  # noqa: S101 - the caller has looked
    told = f"{names[0] if names else 'an exception'}: {answer.get('text', '')}"[:SHOWN]
    if case.raises in names and case.raises:
        return ""
    return f"raised {told}, not {case.raises}" if case.raises else f"raised {told}"


def _of_value(case: Case, answer: Mapping[str, object]) -> str:
    value = answer["value"]
    if case.raises:
        return f"returned {_shown(value)}, and did not raise {case.raises}"
    if same(case.expect, value, case.tolerance):  # type: ignore[arg-type]  # from json
        return ""
    return f"wanted {_shown(case.expect)}, got {_shown(value)}"


def _shown(value: object) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "something nested very deeply"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
