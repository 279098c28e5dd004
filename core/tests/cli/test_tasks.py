"""`fairtrial tasks`."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

Run = Callable[..., CompletedProcess[str]]


def test_tasks_are_listed_with_their_limits(run: Run) -> None:
    said = run("tasks", "list", "run.toml")
    assert 0 == said.returncode, said.stderr
    assert "| first  | first  | –     | –     |      60 | –          |" in said.stdout


def test_a_folder_will_do_in_place_of_a_config(run: Run) -> None:
    found = json.loads(run("tasks", "list", "--suite-path", "small", "--json").stdout)
    assert ["first", "second"] == [task["id"] for task in found]
    assert 60.0 == found[0]["timeout_s"]
    assert found == json.loads(run("tasks", "list", "small", "--json").stdout)


def test_without_a_suite_there_is_nothing_to_list(run: Run) -> None:
    said = run("tasks", "list")
    assert (2, True) == (said.returncode, "error: no suite is named" in said.stderr)


def test_a_missing_solver_does_not_hide_the_tasks(run: Run) -> None:
    settings = ["--set", "run.solvers=['gone']"]
    assert 0 == run("tasks", "list", "run.toml", *settings).returncode


def test_a_task_is_shown_without_its_reference(run: Run) -> None:
    said = run("tasks", "show", "first", "run.toml")
    assert "`answer.txt` must hold 42." in said.stdout
    assert "reference" not in said.stdout
    assert "\n42\n" not in said.stdout


def test_a_task_is_shown_whichever_is_named_first_it_or_the_config(run: Run) -> None:
    said = run("tasks", "show", "run.toml", "first")
    assert 0 == said.returncode, said.stderr
    assert run("tasks", "show", "first", "run.toml").stdout == said.stdout


def test_the_reference_is_shown_when_asked_for(run: Run) -> None:
    said = run("tasks", "show", "first", "run.toml", "--hidden")
    assert "## reference: answer.txt\n\n42\n" in said.stdout
    found = json.loads(run("tasks", "show", "first", "run.toml", "--hidden", "--json").stdout)
    assert {"answer.txt": "42\n"} == found["reference"]


def test_an_unknown_task_is_answered_with_the_nearest(run: Run) -> None:
    said = run("tasks", "show", "firsd", "run.toml")
    assert 2 == said.returncode
    assert "nearest        first" in said.stderr
    assert "asked for in   the argument TASK\n" in said.stderr


def test_each_command_takes_the_flag_that_errors_advise(run: Run, place: Path) -> None:
    file = place / "small/first/task.toml"
    for command in (("list",), ("show", "first"), ("check",)):
        assert 0 == run("tasks", *command, "run.toml", "-v").returncode
    long = "/".join(["x" * 200] * 30)
    file.write_text(file.read_text().replace('["check.py"]\ntime', f'["{long}"]\ntime'))
    for command in (("list",), ("show", "first")):
        said = run("tasks", *command, "run.toml", "--verbose")
        assert (2, True) == (said.returncode, "Traceback" in said.stderr)
        assert "error: task “first”: File name too long" in said.stderr


def test_a_sound_suite_passes_its_check(run: Run) -> None:
    said = run("tasks", "check", "run.toml")
    assert (0, "first: sound\nsecond: sound\n") == (said.returncode, said.stdout)
    assert "2 checked, 0 broken" in said.stderr


def test_each_broken_rule_is_told_with_its_task(run: Run, place: Path) -> None:
    (place / "small/first/reference/answer.txt").write_text("43\n")
    (place / "small/second/before/check.py").write_text("print('Ran 1 test')\n")
    said = run("tasks", "check", "run.toml")
    assert 1 == said.returncode
    assert "first: the reference does not resolve it" in said.stdout
    assert "second: the checks pass on the bare tree: there is nothing to fix" in said.stdout
    assert "2 checked, 2 broken" in said.stderr


def test_a_task_that_cannot_be_read_hides_no_other(run: Run, place: Path) -> None:
    (place / "small/first/task.toml").write_text("name = 3\n")
    said = run("tasks", "check", "--suite-path", "small", "--json")
    assert 1 == said.returncode
    found = {each["task"]: each["problems"] for each in json.loads(said.stdout)}
    assert found["first"]
    assert [] == found["second"]
    assert "2 checked, 1 broken" in said.stderr
    (place / "small/second/before/check.py").write_text("print('Ran 1 test')\n")
    for more in ((), ("--only", "first,second")):
        said = run("tasks", "check", "--suite-path", "small", *more)
        assert "second: the checks pass on the bare tree" in said.stdout
        assert "2 checked, 2 broken" in said.stderr
    said = run("tasks", "check", "--suite-path", "small", "--only", "first")
    assert "1 checked, 1 broken" in said.stderr


def test_a_broken_task_is_told_with_the_way_on_that_a_run_shows(run: Run, place: Path) -> None:
    file = place / "small/first/task.toml"
    file.write_text(file.read_text().replace("timeout_s = 60", "timeout_s = 1e8"))
    said = run("tasks", "check", "run.toml", "--json")
    assert 1 == said.returncode
    (first, second) = json.loads(said.stdout)
    problem = "task “first”: “timeout_s” must be at most 2000000, not 100000000.0"
    way_on = "give at most 2000000 seconds, which are 23 days"
    assert [f"{problem} ({file}, timeout_s); {way_on} (format)"] == first["problems"]
    assert [] == second["problems"]
    said = run("run", "run.toml")
    assert (2, True, True) == (said.returncode, problem in said.stderr, way_on in said.stderr)


def test_a_task_that_nobody_foresaw_hides_no_other(run: Run, place: Path) -> None:
    """Its command is longer than the system takes, which no rule of the format says."""
    file = place / "small/first/task.toml"
    command = f'test_cmd = ["python3", "check.py", "{"x" * 200_000}"]'
    file.write_text(file.read_text().replace('test_cmd = ["python3", "check.py"]', command))
    said = run("tasks", "check", "run.toml", "--jobs", "2")
    assert 1 == said.returncode
    assert "first: Argument list too long" in said.stdout
    assert "second: sound" in said.stdout
    assert "2 checked, 1 broken" in said.stderr
    assert "Traceback" not in said.stderr
    assert "Traceback" in run("tasks", "check", "run.toml", "-v").stderr


def test_a_suite_none_of_whose_tasks_can_be_read_is_all_broken(run: Run, place: Path) -> None:
    for name in ("first", "second"):
        (place / f"small/{name}/task.toml").write_text("name = 3\n")
    said = run("tasks", "check", "small")
    assert (1, True) == (said.returncode, "2 checked, 2 broken" in said.stderr)


def test_a_tasks_own_folder_is_answered_with_its_suites(run: Run, place: Path) -> None:
    said = run("tasks", "check", "small/first")
    assert 1 == said.returncode
    problem = "“first” is one task; its suite is the folder above, “small”"
    way_on = "name that folder, and choose the task by --only first"
    assert f"suite: {problem} ({place / 'small/first'}); {way_on} (format)\n" == said.stdout
    said = run("tasks", "list", "small/first")
    assert f"error: {problem}" in said.stderr
    assert "  name that folder, and choose the task by --only first\n" in said.stderr


def test_what_needs_no_process_can_be_checked_alone(run: Run, place: Path) -> None:
    (place / "small/first/before/check.py").write_text("print('Ran 1 test')\n")
    said = run("tasks", "check", "run.toml", "--static")
    assert (0, "first: sound\nsecond: sound\n") == (said.returncode, said.stdout)


def test_a_flaky_oracle_is_measured_and_a_quarantine_suggested(run: Run, place: Path) -> None:
    # The check passes every other time that it is run, counted outside the tree: without a fence.
    counter = place / "counter"
    counter.write_text("")
    (place / "small/first/before/check.py").write_text(
        f"p = {str(counter)!r}\n"
        "n = len(open(p).read())\n"
        "open(p, 'a').write('x')\n"
        "answer = open('answer.txt').read()\n"
        "assert answer == '42\\n' and n % 4 == 1\n"
        "print('Ran 1 test')\n"
    )
    local = ("--set", "run.sandbox=local")
    said = run("tasks", "check", "run.toml", "--only", "first", "--repeat", "4", "--json", *local)
    assert 1 == said.returncode
    (found,) = json.loads(said.stdout)
    assert (4, 2) == (found["tries"], found["failed_tries"])
    assert "flaky: its oracle failed in 2 of 4 tries" == found["quarantine"]


def test_a_task_whose_need_is_missing_is_not_tried_and_not_broken(run: Run, place: Path) -> None:
    path = place / "small/first/task.toml"
    path.write_text(path.read_text() + 'needs = ["no-such-program"]\n')
    said = run("tasks", "check", "run.toml")
    assert 0 == said.returncode
    assert "first: not tried: " in said.stdout
    assert "no-such-program" in said.stdout
    assert "| no-such-program |" in run("tasks", "list", "run.toml").stdout


def test_an_empty_suite_is_one_clear_error(run: Run, place: Path) -> None:
    (place / "empty").mkdir()
    said = run("tasks", "list", "--suite-path", "empty")
    assert 2 == said.returncode
    assert "the suite “empty” has no tasks" in said.stderr


def test_a_suite_that_is_not_there_fails_its_check(run: Run) -> None:
    said = run("tasks", "check", "--suite-path", "gone")
    assert 1 == said.returncode
    assert "there is no suite at" in said.stdout


def test_a_manifest_that_is_not_there_is_a_missing_file_and_no_broken_task(run: Run) -> None:
    said = run("tasks", "check", "tasks.toml")
    assert (2, "") == (said.returncode, said.stdout)
    assert "error: there is no file “tasks.toml”" in said.stderr


def test_what_has_no_end_is_never_read(run: Run) -> None:
    # A device that is empty, so that a reader comes back; a pipe or `/dev/zero` would keep it.
    for command in ("list", "check"):
        said = run("tasks", command, "/dev/null")
        assert (2, "") == (said.returncode, said.stdout)
        assert "error: “/dev/null” is neither a file nor a folder" in said.stderr
    said = run("tasks", "check", "--suite-path", "/dev/null")
    assert "suite: “/dev/null” is a device, not a suite" in said.stdout


def test_a_manifest_will_do_in_place_of_a_config(run: Run, tmp_path: Path) -> None:
    manifest = tmp_path / "tasks.toml"
    manifest.write_text(
        'fixture = "before"\n[[tasks]]\nid = "typo"\ntitle = "A typo"\nbody = "Mend it."\n'
        '[tasks.expect]\ncheck = "checks/typo.py"\n'
    )
    for name, text in {
        "before/a.py": "",
        "checks/typo.py": "",
        "reference/typo/a.py": "1",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    said = run("tasks", "list", str(manifest), "--json")
    assert ["typo"] == [task["id"] for task in json.loads(said.stdout)], said.stderr
