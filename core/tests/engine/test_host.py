from pathlib import Path

import pytest
from fairtrial.engine.host import host_facts, revision_of

REVISION = "0123456789abcdef0123456789abcdef01234567"


def test_a_machine_is_told_without_anything_private() -> None:
    assert {"system", "machine", "processor", "cores", "memory", "python"} == set(host_facts())


@pytest.mark.parametrize(
    "files",
    [
        {"HEAD": f"{REVISION}\n"},
        {"HEAD": "ref: refs/heads/main\n", "refs/heads/main": f"{REVISION}\n"},
        {
            "HEAD": "ref: refs/heads/main\n",
            "packed-refs": f"# pack-refs with: peeled\n{REVISION} refs/heads/main\n^{'f' * 40}\n",
        },
    ],
    ids=["detached", "loose", "packed"],
)
def test_the_revision_of_the_first_config_is_read_from_the_folder_that_holds_it(
    files: dict[str, str], tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / ".git" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / ".git" / name).write_text(text)
    config = tmp_path / "bench" / "run.toml"
    assert {"config revision": REVISION} == revision_of((config, Path("/elsewhere/other.toml")))


@pytest.mark.parametrize("head", [None, b"ref: refs/heads/none\n", b"\xff\xfe"])
def test_a_revision_that_cant_be_told_is_left_out(head: bytes | None, tmp_path: Path) -> None:
    if head is not None:
        (tmp_path / ".git").mkdir()
        (tmp_path / ".git" / "HEAD").write_bytes(head)
    assert {} == revision_of((tmp_path / "run.toml",))
    assert {} == revision_of(())
