"""What lies in the files of a solver is a part of a run; where they lie is not."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from fairtrial.cli.app import main
from fairtrial.engine.contents import digest

TASK = """
name = "small"
prompt = "Write `done`."
test_cmd = ["sh", "-c", "test -f done && echo Ran 1 test"]
"""
CONFIG = """
[run]
suite = "folder"
solvers = ["mine"]
meters = []
sandbox = "local"
validate = false
[suites.folder]
path = "tasks"
[solvers.mine]
plugin = "command"
argv = ["cat", "{scratch}/system.md"]
files = "one"
"""
ARMS = """
[arms.a]
solvers.mine.files = "one"
[arms.b]
solvers.mine.files = "two"
"""
RUN = ("run", "run.toml", "--log", "quiet")
RESUMED = (*RUN, "--resume")


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for folder in ("tasks/small/before", "one", "two"):
        Path(folder).mkdir(parents=True)
        Path(folder, "system.md").write_text(f"You are {folder}.")
    Path("tasks/small/task.toml").write_text(TASK)
    path = Path("run.toml")
    path.write_text(CONFIG)
    return path


def lock() -> dict[str, str]:
    read: dict[str, str] = json.loads(Path("runs/run/run.json").read_text())["lock"]
    return read


def forget_contents() -> None:
    """Leaves a run as a version left it that didn't look into files."""
    path = Path("runs/run/run.json")
    record = json.loads(path.read_text())
    record["lock"] = {key: text for key, text in lock().items() if " content of " not in key}
    path.write_text(json.dumps(record))


@pytest.mark.usefixtures("config")
def test_a_prompt_that_was_changed_makes_another_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(RUN)
    was = digest(Path("one"))
    Path("one/system.md").write_text("You are somebody else.")
    capsys.readouterr()
    assert 2 == main(RESUMED)
    assert (
        "error: the run to resume was made with other settings\n\n"
        "  run                               runs/run\n"
        f"  [solvers.mine] content of files   {was} → {digest(Path('one'))}\n\n"
        "  undo the change, name another run by --label, or begin one without --resume\n"
    ) == capsys.readouterr().err
    Path("one/system.md").write_text("You are one.")
    assert 0 == main(RESUMED)


def test_a_folder_that_was_moved_makes_no_other_run(config: Path) -> None:
    assert 0 == main(RUN)
    shutil.move("one", "elsewhere")
    config.write_text(CONFIG.replace('"one"', '"elsewhere"'))
    assert 0 == main(RESUMED)
    assert '"elsewhere"' in lock()["[solvers.mine]"]


def test_an_arms_folder_is_known_by_what_is_in_it(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config.write_text(CONFIG + ARMS)
    assert 0 == main(RUN)
    shutil.move("two", "elsewhere")
    config.write_text(CONFIG + ARMS.replace('"two"', '"elsewhere"'))
    assert 0 == main(RESUMED)
    Path("elsewhere/system.md").write_text("You are somebody else.")
    capsys.readouterr()
    assert 2 == main(RESUMED)
    said = capsys.readouterr().err
    assert "[solvers.mine@b] content of files" in said
    assert "[solvers.mine@a]" not in said


def test_a_run_of_a_version_that_did_not_look_is_held_to_the_place(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 0 == main(RUN)
    forget_contents()
    config.write_text(CONFIG.replace('"one"', '"two"'))
    capsys.readouterr()
    assert 2 == main(RESUMED)
    assert '[solvers.mine] files   "one" → "two"' in capsys.readouterr().err
    config.write_text(CONFIG)
    assert 0 == main(RESUMED)
    # From now on it is held to what it holds.
    assert digest(Path("one")) == lock()["[solvers.mine] content of files"]


@pytest.mark.usefixtures("config")
def test_files_of_a_solver_that_never_worked_may_be_mended() -> None:
    Path("one/system.md").rename("one/sistem.md")
    broken = ("--set", "solvers.mine.argv=['./nosuch']")
    assert 1 == main([*RUN, *broken])
    Path("one/sistem.md").rename("one/system.md")
    assert 0 == main(RESUMED)


def test_files_of_a_part_are_looked_into_too(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = (
        '[solvers.both]\nplugin = "cascade"\nstages = ["mine", "mine"]\nescalate = ["no-change"]\n'
    )
    config.write_text(CONFIG.replace('["mine"]', '["both"]') + whole)
    assert 0 == main(RUN), capsys.readouterr().err
    assert digest(Path("one")) == lock()["[solvers.mine] content of files"]


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "a").write_text("other"),
        lambda folder: (folder / "a").rename(folder / "c"),
        lambda folder: (folder / "a").chmod(0o755),
        lambda folder: (folder / "new").touch(),
        lambda folder: (folder / "below/b").unlink(),
        lambda folder: ((folder / "link").unlink(), (folder / "link").symlink_to("below/b")),
        lambda folder: ((folder / "way").unlink(), (folder / "way").symlink_to("/")),
    ],
)
def test_whatever_a_program_can_see_counts(
    tmp_path: Path, change: Callable[[Path], object]
) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "a").write_text("a")
    (tmp_path / "below/b").write_text("b")
    (tmp_path / "link").symlink_to("a")
    (tmp_path / "way").symlink_to("below")
    before = digest(tmp_path)
    assert digest(tmp_path) == before
    change(tmp_path)
    assert digest(tmp_path) != before


def test_neither_the_place_nor_bytecode_counts(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text("a")
    (tmp_path / "two/__pycache__").mkdir()
    (tmp_path / "two/__pycache__/a.cpython-311.pyc").touch()
    assert digest(tmp_path / "one") == digest(tmp_path / "two")


def test_a_single_file_counts_by_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("be brief")
    (tmp_path / "b.md").write_text("be brief")
    (tmp_path / "c.md").write_text("be verbose")
    said = [digest(tmp_path / name) for name in ("a.md", "b.md", "c.md", "none.md")]
    assert said[0] == said[1]
    assert 3 == len(set(said))
    assert "" == said[3]
