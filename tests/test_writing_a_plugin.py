"""docs/writing-a-plugin.md shows what the generator writes, and all of it runs."""

import re
from pathlib import Path

import pytest
from fairtrial.conformance.check import kit_class
from fairtrial.conformance.skeleton import module_text, plugin_files
from fairtrial.registry import KINDS

PAGE = Path(__file__).parents[1] / "docs" / "writing-a-plugin.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
PYTHON = [block for language, block in BLOCKS if language == "python"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_skeleton_of_each_kind_is_shown_as_it_is_written(kind: str) -> None:
    assert module_text(kind, "echo") in PYTHON


def test_the_packaging_is_shown_as_it_is_written() -> None:
    shown = [block for language, block in BLOCKS if language == "toml"]

    assert plugin_files("solver", "echo")["pyproject.toml"] in shown


@pytest.mark.parametrize("block", PYTHON, ids=lambda block: block.strip().splitlines()[-1])
def test_every_block_of_python_runs(block: str) -> None:
    exec(compile(block, str(PAGE), "exec"), {"__name__": "shown"})


def test_every_kind_has_a_room_and_a_heading() -> None:
    for kind in KINDS:
        assert re.search(rf"^\| {kind} \|", TEXT, re.MULTILINE)
        assert re.search(rf"^## An? {kind}$", TEXT, re.MULTILINE)


def test_every_capability_of_a_kit_is_named() -> None:
    for kind in KINDS:
        kit = kit_class(kind)
        flags = [
            name
            for base in kit.__mro__[:-1]
            for name, value in vars(base).items()
            if isinstance(value, bool) and not name.startswith("_") and name != "live"
        ]
        assert [] == [name for name in flags if f"`{name}`" not in TEXT]
