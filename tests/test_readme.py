"""What the front page says must be true."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])


def test_the_output_that_the_front_page_shows_is_what_the_command_prints() -> None:
    command = [sys.executable, str(ROOT / "scripts/readme.py"), "--check"]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert 0 == done.returncode, done.stdout + done.stderr


def test_the_two_commands_are_those_that_ci_runs() -> None:
    front = (ROOT / "README.md").read_text()
    gate = (ROOT / ".ci/run").read_text()
    for command in ("uv run fairtrial run tasks/smoke.toml", "uv run pytest"):
        assert command in front
        assert f"\n{command}\n" in gate


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_within_the_project_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", page.read_text())
    assert [] == [link for link in links if not (page.parent / link).exists()]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_toml_block_parses(page: Path) -> None:
    for block in re.findall(r"```toml\n(.*?)```", page.read_text(), re.DOTALL):
        tomllib.loads(block)


@pytest.mark.parametrize(
    ("name", "cost"), [("README.md", "nothing"), ("docs/comparing.md", "at most $")]
)
def test_a_whole_config_of_a_page_could_be_run_as_it_stands(
    name: str, cost: str, tmp_path: Path
) -> None:
    (tmp_path / "tasks").symlink_to(ROOT / "tasks")
    config = tmp_path / "mine.toml"
    blocks = re.findall(r"```toml\n(.*?)```", (ROOT / name).read_text(), re.DOTALL)
    config.write_text(next(block for block in blocks if "[run]" in block))
    command = [sys.executable, "-m", "fairtrial", "run", str(config), "--plan"]
    done = subprocess.run(command, capture_output=True, check=False, text=True, cwd=tmp_path)
    # The agent and its key may be lacking here; all else must be there.
    assert f"; cost {cost}" in done.stdout, done.stderr
    assert "budget" not in done.stderr


def test_the_config_of_the_front_page_runs_and_resolves_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "tasks").symlink_to(ROOT / "tasks")
    block = re.search(
        r"```toml\n(# mine.toml\n.*?)```", (ROOT / "README.md").read_text(), re.DOTALL
    )
    assert block is not None
    (tmp_path / "mine.toml").write_text(block[1])
    command = [sys.executable, "-m", "fairtrial", "run", "mine.toml", "--only", "page-count"]
    done = subprocess.run(command, capture_output=True, check=False, text=True, cwd=tmp_path)
    assert 0 == done.returncode, done.stderr
    assert re.search(r"\| one-trick +\| 100% \(1/1\)", done.stdout), done.stdout


def test_the_map_of_the_front_page_leads_to_every_page() -> None:
    front = (ROOT / "README.md").read_text()
    pages = [f"docs/{page.name}" for page in sorted((ROOT / "docs").glob("*.md"))]
    assert [] == [page for page in pages if f"({page})" not in front]
