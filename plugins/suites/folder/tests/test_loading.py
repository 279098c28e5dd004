import os
import shutil
from pathlib import Path

import pytest
from fairtrial.api import SuiteError
from fairtrial_suite_folder import FolderSuite

TASK = """
name = "clock"
prompt = "The clock is one off."
stack = "python"
test_cmd = ["python3", "-m", "unittest", "-q", "tests.test_clock"]
test_files = ["tests"]
check = "check/check_clock.py"
"""

AT_MOST = "“timeout_s” must be at most 2000000, not "


def refused(suite: FolderSuite) -> SuiteError:
    with pytest.raises(SuiteError) as caught:
        tuple(suite.tasks())
    assert caught.value.way_on
    return caught.value


def test_a_task_is_read_with_its_defaults(folder, suite):
    folder.clock()
    (task,) = suite.tasks()
    assert ("clock", "clock", "python") == (task.id, task.family, task.stack)
    assert ("The clock is one off.\n", 600.0) == (task.brief.prompt, task.brief.timeout_s)
    assert ("/tests",) == task.protected
    assert (None, None, True) == (task.allowed, task.questions_expected, task.submission_expected)


def test_a_task_is_read_with_all_it_can_say(folder, suite):
    folder.clock(
        TASK.replace('prompt = "The clock is one off."', 'prompt_file = "prompt.md"')
        + 'timeout_s = 9\nfamily = "time"\nquestions = 1\nprefer = ["up"]\nsubmission = false\n'
        'changed_within = ["clock.py"]\nopen_paths = ["conftest.py"]\nquarantine = "flaky"\n'
        'needs = ["git"]\n'
    )
    folder.write("clock/prompt.md", "\ufeffÖffne die Uhr\n\n")
    (task,) = suite.tasks()
    assert ("Öffne die Uhr\n", 9.0) == (task.brief.prompt, task.brief.timeout_s)
    assert ("time", 1, ("up",), False) == (
        task.family,
        task.questions_expected,
        task.preferences,
        task.submission_expected,
    )
    assert (("clock.py",), ("conftest.py",)) == (task.allowed, task.open_paths)
    assert ("flaky", ("git",)) == (task.quarantine, task.needs)


def test_tasks_come_by_name_and_underscored_folders_are_left_out(folder, suite):
    for name in ("b", "a", "_draft"):
        folder.write(f"{name}/task.toml", f'name = "{name}"\nprompt = "p"\ntest_cmd = "false"')
        folder.write(f"{name}/before/x")
    assert ["a", "b"] == [task.id for task in suite.tasks()]


@pytest.mark.parametrize(
    ("toml", "problem", "place"),
    [
        ("name = \n", "“task.toml” is not well-formed TOML: ", ""),
        ('prompt = "x"', "the key “name” is missing", "name"),
        (TASK.replace('"clock"', '"watch"'), "the name “watch” is not that of its folder", "name"),
        (TASK.replace("The clock is one off.", " "), "“prompt” is empty", "prompt"),
        (TASK + "promptt = 1", "unknown key “promptt”", "promptt"),
        (TASK + 'timeout_s = "9"', '“timeout_s” must be a number, not "9"', "timeout_s"),
        (TASK + "timeout_s = 0", "“timeout_s” must be above 0, not 0", "timeout_s"),
        (TASK + "timeout_s = nan", "“timeout_s” must be above 0, not nan", "timeout_s"),
        (TASK + "timeout_s = 2000001", f"{AT_MOST}2000001", "timeout_s"),
        (TASK + "timeout_s = 1e300", f"{AT_MOST}1e+300", "timeout_s"),
        (TASK + f"timeout_s = 1{'0' * 400}", "“timeout_s” is too large: 1000000", "timeout_s"),
        (TASK + f"timeout_s = 0x{'f' * 6000}", "“timeout_s” is too large: something", "timeout_s"),
        (TASK + "check_timeout_s = 1e8", "“check_timeout_s” must be at most", "check_timeout_s"),
        (TASK + f"questions = 0x{'f' * 6000}", "“questions” must be at most 1000000", "questions"),
        (TASK + f"family = 0x{'f' * 6000}", "“family” must be text, not something", "family"),
        (TASK + "timeout_s = inf", "“timeout_s” must be above 0, not inf", "timeout_s"),
        (TASK + "timeout_s = true", "“timeout_s” must be a number, not true", "timeout_s"),
        (TASK + "questions = -1", "“questions” must not be below 0", "questions"),
        (TASK + 'submission = "no"', "“submission” must be true or false", "submission"),
        (TASK + "prefer = [1]", "“prefer[0]” must be text, not 1", "prefer[0]"),
        (TASK + 'prefer = "x"', "“prefer” must be a list of texts", "prefer"),
        (
            TASK.replace('"tests"', '"/tests"'),
            "the path “/tests” is not a relative",
            "test_files[0]",
        ),
        (TASK.replace('"tests"', '"a/../.."'), "the path “a/../..” is not a rel", "test_files[0]"),
        (
            TASK.replace('["tests"]', '["t"]'),
            "the test file “t” is not in before/",
            "test_files[0]",
        ),
        (TASK.replace("check/check_clock.py", "../x.py"), "the path “../x.py” is not a", "check"),
        (TASK.replace("check/check_clock.py", "check/no.py"), "“check/no.py” is missing", "check"),
        (TASK.replace("check_clock.py", "x.pl"), "nothing is known to run “x.pl”", "check"),
        (TASK.replace("-q", r"-\u0000"), "“test_cmd[3]” holds a NUL character", "test_cmd[3]"),
        (TASK.replace("is one", r"\u0000"), "“prompt” holds a NUL character", "prompt"),
        (TASK.replace('"tests"', r'"a\u0000"'), "“test_files[0]” holds a NUL", "test_files[0]"),
        (TASK.replace("check_clock", r"\u0000"), "“check” holds a NUL character", "check"),
        (TASK + r'regression_cmd = "\u0000"', "“regression_cmd” holds a NUL", "regression_cmd"),
        (TASK + r'env = { A = "\u0000" }', "“A” holds a NUL character", "[env] A"),
        (TASK + r'open_paths = ["\u0000"]', "“open_paths[0]” holds a NUL", "open_paths[0]"),
        (TASK.replace("check_clock", "c" * 300), f"“check/{'c' * 54}…” has a part of", "check"),
        (TASK.replace('"tests"', f'"a/{"ä" * 128}"'), "more than 255 bytes", "test_files[0]"),
        (TASK + "regression_cmd = []", "“regression_cmd” names no program", "regression_cmd"),
        (TASK.replace('"python"', '"cobol"'), "no stack is called “cobol”", "stack"),
        (TASK + 'needs = ["pypi:x"]', "“pypi:x” is no need that can be read", "needs[0]"),
        (TASK + 'needs = ["pypi:x>=1"]', "“pypi:x>=1” is no need that can be read", "needs[0]"),
        (TASK + 'needs = ["-x"]', "“-x” is no need that can be read", "needs[0]"),
        (TASK + 'env = { PATH = "x" }', "the variable “PATH” can't be set", "[env] PATH"),
        (TASK + "[source]\narchive = 'x'", "there are both before/ and [source]", "source"),
    ],
)
def test_a_broken_task_is_refused_with_its_place(folder, suite, toml, problem, place):
    folder.clock(toml)
    folder.write("clock/check/x.pl")
    error = refused(suite)
    assert problem in error.problem
    facts = dict(error.facts)
    assert str(folder.root / "clock/task.toml") == facts["file"]
    assert place == facts.get("at", "")
    assert error.task in {"clock", "watch"}


def test_text_that_is_no_utf8_is_refused(folder, suite):
    folder.clock()
    folder.write("clock/task.toml", TASK.encode() + b"# \xff")
    assert "“task.toml” is not UTF-8: byte" in refused(suite).problem


def test_a_prompt_file_that_is_no_utf8_is_refused_by_its_own_name(folder, suite):
    folder.clock(TASK.replace('prompt = "The clock is one off."', 'prompt_file = "p.md"'))
    folder.write("clock/p.md", b"\xe4")
    error = refused(suite)
    assert "“p.md” is not UTF-8" in error.problem
    assert str(folder.root / "clock/p.md") == dict(error.facts)["file"]


def test_a_task_whose_name_is_too_long_for_what_is_named_after_it_is_refused(folder, suite):
    name = "c" * 101
    folder.clock(TASK.replace('"clock"', f'"{name}"'))
    (folder.root / "clock").rename(folder.root / name)
    error = refused(suite)
    problem = f"task “{'c' * 99}…”: the name has 101 characters, and 100 are the most"
    assert (problem, "name") == (error.problem, dict(error.facts)["at"])
    assert "shorten it, and its folder's name with it" == error.way_on
    folder.write(f"{name}/task.toml", TASK.replace('"clock"', f'"{name[1:]}"'))
    (folder.root / name).rename(folder.root / name[1:])
    assert [name[1:]] == [task.id for task in FolderSuite(path=folder.root).tasks()]


def test_a_source_under_a_name_that_no_file_can_have_is_refused(folder, suite):
    source = f'[source]\ngit = "{"g" * 300}"\nrev = "{"a" * 40}"\n'
    folder.write("far/task.toml", f'name = "far"\nprompt = "p"\ntest_cmd = "false"\n{source}')
    assert f"task “far”: “{'g' * 60}…” is no address" == refused(suite).problem


def test_a_prompt_file_that_no_program_can_be_given_is_refused(folder, suite):
    folder.clock(TASK.replace('prompt = "The clock is one off."', 'prompt_file = "p.md"'))
    folder.write("clock/p.md", "a\0b")
    error = refused(suite)
    assert "task “clock”: “p.md” holds a NUL character" == error.problem
    assert "take it out: no program can be given text with it" == error.way_on
    assert str(folder.root / "clock/p.md") == dict(error.facts)["file"]


def test_a_task_without_a_tree_is_refused(folder, suite):
    folder.write("clock/task.toml", TASK)
    folder.write("clock/check/check_clock.py")
    assert "task “clock”: the folder “before” is missing" == refused(suite).problem


@pytest.mark.parametrize("target", ["/etc/hostname", "../../outside", "sub/../../x"])
@pytest.mark.parametrize("piece", ["before", "reference"])
def test_a_link_that_leads_out_is_refused(folder, suite, piece, target):
    folder.clock()
    (folder.root / "clock" / piece / "link").symlink_to(target)
    error = refused(suite)
    assert f"the link “link” leads out of its folder: “{target}”" in error.problem
    assert "clock" == error.task


@pytest.mark.parametrize("piece", ["before", "reference"])
def test_a_piece_that_is_itself_a_link_is_refused(folder, suite, tmp_path: Path, piece):
    folder.clock()
    (folder.root / "clock" / piece).rename(tmp_path / "moved")
    (folder.root / "clock" / piece).symlink_to(tmp_path / "moved")
    assert f"“{piece}” is " in refused(suite).problem


@pytest.mark.parametrize(
    "piece", ["before", "reference", "check/check_clock.py", "p.md", "task.toml"]
)
@pytest.mark.parametrize(
    ("kind", "found"),
    [("pipe", "a named pipe"), ("link", "a link that leads nowhere"), ("loop", "something that")],
)
def test_what_stands_in_a_pieces_place_is_named_and_never_read(folder, suite, piece, kind, found):
    folder.clock(TASK.replace('prompt = "The clock is one off."', 'prompt_file = "p.md"'))
    folder.write("clock/p.md", "p")
    place = folder.root / "clock" / piece
    if place.is_dir():
        shutil.rmtree(place)
        found = found if kind == "pipe" else "a link"
    else:
        place.unlink()
    os.mkfifo(place) if kind == "pipe" else place.symlink_to(
        place.name if kind == "loop" else "gone"
    )
    error = refused(suite)
    assert f"“{piece}” is {found}" in error.problem
    assert "clock" == error.task


@pytest.mark.parametrize("piece", ["before", "reference"])
def test_a_file_in_a_folders_place_is_refused(folder, suite, piece):
    folder.clock()
    shutil.rmtree(folder.root / "clock" / piece)
    folder.write(f"clock/{piece}")
    assert f"task “clock”: “{piece}” is a file, not a folder" == refused(suite).problem


def test_a_folder_in_a_files_place_is_refused(folder, suite):
    folder.clock(TASK.replace("/check_clock.py", ""))
    assert "task “clock”: “check” is a folder, not a file" == refused(suite).problem


def test_a_path_that_no_file_can_have_is_no_suite(tmp_path: Path):
    assert "there is no suite at “" in refused(FolderSuite(path=tmp_path / "a\0b")).problem


def test_a_task_behind_a_broken_link_is_not_left_out_in_silence(folder, suite):
    folder.clock()
    folder.write("notes.md")
    (folder.root / "gone").symlink_to("elsewhere")
    error = refused(suite)
    problem = "“gone” is a link that leads nowhere, not a task's folder"
    assert (problem, "gone") == (error.problem, error.task)
    (folder.root / "gone").rename(folder.root / "_gone")
    assert ["clock"] == [task.id for task in FolderSuite(path=folder.root).tasks()]


def test_a_pipe_is_no_suite(folder):
    os.mkfifo(folder.root / "pipe")
    error = refused(FolderSuite(path=folder.root / "pipe"))
    assert f"“{folder.root / 'pipe'}” is a named pipe, not a suite" == error.problem


def test_a_linked_check_elsewhere_is_refused(folder, suite, tmp_path: Path):
    folder.clock()
    check = folder.root / "clock/check/check_clock.py"
    check.unlink()
    (tmp_path / "secret.py").write_text("")
    check.symlink_to(tmp_path / "secret.py")
    assert "leads out of the task's folder" in refused(suite).problem


def test_a_folder_without_a_task_file_is_refused(folder, suite):
    folder.write("clock/before/x")
    assert "the task folder “clock” has no task.toml" == refused(suite).problem


def test_an_empty_suite_is_refused(suite):
    assert "the suite “suite” has no tasks" == refused(suite).problem


def test_a_suite_that_is_not_there_is_refused(tmp_path: Path):
    error = refused(FolderSuite(path=tmp_path / "none"))
    assert (f"there is no suite at “{tmp_path / 'none'}”", ()) == (error.problem, error.facts)


def test_a_digest_does_not_depend_on_place_time_or_comments(folder, suite, tmp_path: Path):
    folder.clock()
    (first,) = suite.tasks()
    other = type(folder)(tmp_path / "elsewhere").clock("# a remark\n" + TASK)
    other.write("clock/before/__pycache__/x.pyc", "leftover")
    (second,) = FolderSuite(path=other.root).tasks()
    assert first.digest == second.digest


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("clock/before/clock.py", "other"),
        ("clock/before/new.py", ""),
        ("clock/reference/clock.py", "other"),
        ("clock/check/check_clock.py", "other"),
        ("clock/task.toml", TASK + "questions = 0"),
    ],
)
def test_a_digest_covers_every_part(folder, suite, path, text):
    folder.clock()
    (first,) = suite.tasks()
    folder.write(path, text)
    (second,) = FolderSuite(path=folder.root).tasks()
    assert first.digest != second.digest


def test_a_digest_covers_what_may_be_run(folder, suite):
    folder.clock()
    (first,) = suite.tasks()
    (folder.root / "clock/before/clock.py").chmod(0o755)
    (second,) = FolderSuite(path=folder.root).tasks()
    assert first.digest != second.digest


def test_what_can_be_read_is_told_though_another_task_cannot(folder, suite):
    folder.clock()
    folder.write("amiss/task.toml", "name = 3")
    assert refused(suite).task == "amiss"
    (task,) = suite.readable()
    assert suite.entry(task).task == task


def test_a_tasks_own_folder_is_no_suite(folder):
    folder.clock()
    error = refused(FolderSuite(path=folder.root / "clock"))
    assert "“clock” is one task; its suite is the folder above, “suite”" == error.problem
    assert "name that folder, and choose the task by --only clock" == error.way_on
