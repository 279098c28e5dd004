"""Where a set may lie."""

from pathlib import Path

import pytest
from fairtrial.api import ConfigError
from fairtrial_suite_heldout.place import refuse_inside, worktree


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    (root / ".git").mkdir(parents=True)
    (root / "scripts").mkdir()
    (tmp_path / "link").symlink_to(root / "scripts")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    return root


@pytest.mark.parametrize("name", ["repo/x", "repo", "link", "link/new", "repo/..kept", "loop"])
def test_a_set_in_the_work_tree_is_refused_also_through_links(
    root: Path, tmp_path: Path, name: str
) -> None:
    with pytest.raises(ConfigError):
        refuse_inside(tmp_path / name, root)


@pytest.mark.parametrize("name", ["repo-2", "elsewhere/not/yet", "repo/../repo-old"])
def test_a_set_beside_the_work_tree_is_fine(root: Path, tmp_path: Path, name: str) -> None:
    refuse_inside(tmp_path / name, root)


def test_the_refusal_names_both_places(root: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        refuse_inside(tmp_path / "link/new", root)
    assert f"the held-out set “{tmp_path}/link/new” lies inside the work tree" == str(caught.value)
    assert ("really at", str(root / "scripts/new")) in caught.value.facts


def test_the_work_tree_is_the_repository_around(root: Path) -> None:
    assert root.resolve() == worktree(root / "scripts")
