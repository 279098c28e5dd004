import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fairtrial.stacks.syntax import parsed


@pytest.fixture
def _let_others_in() -> Iterator[None]:
    """Has the collector, which runs in the middle of anything, let another thread go on."""

    def give_way(_phase: str, _about: dict[str, int]) -> None:
        Path("/").stat()

    before = gc.get_threshold()
    gc.set_threshold(50)
    gc.callbacks.append(give_way)
    yield
    gc.callbacks.remove(give_way)
    gc.set_threshold(*before)


@pytest.mark.usefixtures("_let_others_in")
def test_several_threads_parse_at_once() -> None:
    text = "def f(a):\n    return [{'k': (a, [b for b in (1, 2)])}]\n" * 30
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(parsed, [text] * 40))
    assert {30} == {0 if tree is None else len(tree.body) for tree in found}


@pytest.mark.parametrize("text", ["def", "\0", "(" * 5000 + ")" * 5000])
def test_what_cannot_be_parsed_is_none(text: str) -> None:
    assert parsed(text) is None
