"""The code in the pages runs."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
OWN_TEST = {"writing-a-plugin.md"}  # its blocks are files of a distribution
PAGES = [
    page
    for page in sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
    if page.name not in OWN_TEST and BLOCK.search(page.read_text())
]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_the_python_of_a_page_runs_from_top_to_bottom(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "page"}
    for block in BLOCK.findall(page.read_text()):
        exec(compile(block, str(page), "exec"), namespace)
    assert "page" == namespace["__name__"]
