"""
Lets the harness call functions of the tree under test.

    from fairtrial_probe import serve

    def total(prices):
        from shop.cart import total
        return total(prices)

    serve(total)

A function takes and returns plain values: None, bool, int, float, str, lists and tables of them.
What it raises is told by the names of the exception's classes.
"""

import json
import math
import os
import sys
from collections.abc import Callable, Mapping

_request = json.loads(sys.stdin.buffer.read())
_empty = os.open(os.devnull, os.O_RDONLY)
os.dup2(_empty, 0)
os.close(_empty)
_answers = os.open(_request["answers"], os.O_WRONLY | os.O_APPEND)
os.unlink(_request["answers"])  # noqa: PTH108 - one less module that the tree could replace
sys.path.insert(0, os.getcwd())  # noqa: PTH109 - as above


def serve(*functions: Callable[..., object], **named: Callable[..., object]) -> None:
    """Calls functions as it is asked to: those given by position go by their own names."""
    known = {**{function.__name__: function for function in functions}, **named}
    for case in _request["cases"]:
        answer = {"nonce": _request["nonce"], "n": case["n"], **_called(known, case)}
        os.write(_answers, json.dumps(answer).encode() + b"\n")


def _called(
    known: Mapping[str, Callable[..., object]], case: dict[str, object]
) -> dict[str, object]:
    try:
        value = known[str(case["call"])](*case["args"])  # type: ignore[misc]  # a list, as sent
        return {"value": _plain(value)}
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is the answer
        names = [cls.__name__ for cls in type(error).__mro__[:-2]]
        return {"raised": names, "text": f"{error}"[:300]}


def _plain(value: object) -> object:
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        # JSON has no word for these.
        return float(value) if math.isfinite(value) else {"$number": repr(float(value))}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: _plain(item) for key, item in value.items()}
    raise TypeError(f"a probe can't return {type(value).__name__}: make it plain")
