"""Run configs: read, merged, and refused with the whole text of the error."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from fairtrial.api import ConfigError, Network
from fairtrial.cli.show_error import error_text
from fairtrial.config import CONTROL_ARMS, PLURALS, RunConfig, RunTable, load

Write = Callable[..., Path]

RUN = '[run]\nsuite = "smoke"\nsolvers = ["reference", "fix"]\n'


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Returns what writes a file below the current directory; its path is relative."""
    monkeypatch.chdir(tmp_path)

    def file(text: str | bytes, name: str = "run.toml") -> Path:
        path = Path(name)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return file


def _error(*paths: Path, settings: tuple[str, ...] = ()) -> str:
    with pytest.raises(ConfigError) as caught:
        load(paths, settings)
    assert 2 == caught.value.exit_code
    return error_text(caught.value)


def _run(*paths: Path, settings: tuple[str, ...] = ()) -> RunTable:
    return load(paths, settings).run


def test_what_is_not_written_has_its_default(write: Write) -> None:
    run = _run(write(RUN))
    assert RunTable(suite="smoke", solvers=("reference", "fix"), label="run") == run
    assert (1, 0, "auto", "prefer", ("table",)) == (
        run.jobs,
        run.limit,
        run.sandbox,
        run.answerer,
        run.reporters,
    )
    assert (True, 0.1, Network.OPEN, None) == (
        run.validate,
        run.max_infra_share,
        run.network,
        run.timeout_s,
    )


def test_a_folder_is_told_from_a_file_that_can_not_be_read(write: Write) -> None:
    write(RUN, "suite/run.toml")
    assert """\
error: “suite” is a folder, not a run config

  files in it    run.toml

  name a file; `fairtrial run CONFIG.toml` runs it
""" == _error(Path("suite"))


def test_every_kind_has_a_plural_and_the_control_arms_are_fixed() -> None:
    assert {
        "solver": "solvers",
        "meter": "meters",
        "gateway": "gateways",
        "suite": "suites",
        "auditor": "auditors",
        "reporter": "reporters",
        "answerer": "answerers",
        "sandbox": "sandboxes",
        "selector": "selectors",
    } == PLURALS
    assert ("reference", "noop") == CONTROL_ARMS


def test_tables_name_their_plugin_or_are_called_after_it(write: Write) -> None:
    path = write(f'{RUN}[solvers.fix]\nplugin = "command"\nargv = ["fix"]\n[suites.folder]\n')
    config = load([path])
    fix = config.table("solvers", "fix")
    assert ("command", {"argv": ["fix"]}, "[solvers.fix]") == (fix.plugin, fix.fields, fix.heading)
    assert ("folder", True) == (
        config.table("suites", "folder").plugin,
        config.table("suites", "folder").written,
    )
    assert ("prefer", False) == (
        config.table("answerers", "prefer").plugin,
        config.table("answerers", "prefer").written,
    )


def test_a_later_file_wins_key_by_key_and_settings_win_over_files(write: Write) -> None:
    first = write(f"{RUN}jobs = 2\nrollouts = 2\n[solvers.fix]\nenv = {{ A = '1', B = '2' }}\n")
    second = write("[run]\njobs = 3\n[solvers.fix]\nenv = { B = '3' }\nargv = ['x']\n", "b.toml")
    config = load([first, second], ["run.rollouts=4", 'run.solvers=["fix"]'])
    assert (3, 4, ("fix",)) == (config.run.jobs, config.run.rollouts, config.run.solvers)
    fix = config.table("solvers", "fix")
    assert {"env": {"A": "1", "B": "3"}, "argv": ["x"]} == fix.fields
    assert "run.toml, b.toml" == fix.source


def test_a_table_may_replace_a_value_and_a_value_a_table(write: Write) -> None:
    first = write(f"{RUN}[solvers.fix]\na = 1\nb = {{ c = 1 }}\nd = {{ e = 1 }}\n")
    second = write("[solvers.fix]\na = { x = 1 }\nb = 2\nd = {}\n", "b.toml")
    fix = load([first, second]).table("solvers", "fix")
    assert {"a": {"x": 1}, "b": 2, "d": {"e": 1}} == fix.fields


def test_each_key_knows_the_directory_that_its_paths_start_from(
    write: Write, tmp_path: Path
) -> None:
    first = write(f'{RUN}[suites.smoke]\npath = "a"\nother = "b"\n', "inner/run.toml")
    second = write('[suites.smoke]\nother = "c"\n', "outer.toml")
    config = load([first, second], ["suites.smoke.third=d"])
    bases = {"path": tmp_path / "inner", "other": tmp_path, "third": tmp_path}
    assert bases == config.table("suites", "smoke").bases


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("solvers.fix.a=2", 2),
        ("solvers.fix.a = [1, 2]", [1, 2]),
        ("solvers.fix.a=true", True),
        ("solvers.fix.a=some text", "some text"),
        ("solvers.fix.a=", ""),
        ('solvers.fix.a="2"', "2"),
        ("solvers.fix.a=k=v", "k=v"),
        ('solvers.fix.a=a "quoted" \\ \x7f\nline', 'a "quoted" \\ \x7f\nline'),
        ("solvers.fix.a=1\nrun.jobs=9", "1\nrun.jobs=9"),
        ('solvers."fix".a={ b = 1 }', {"b": 1}),
    ],
)
def test_a_setting_is_toml_or_else_text(write: Write, setting: str, expected: object) -> None:
    config = load([write(RUN)], [setting])
    assert {"a": expected} == config.table("solvers", "fix").fields
    assert 1 == config.run.jobs


@pytest.mark.parametrize("setting", ["run.jobs", "=2", "run jobs=2", "", "a\nb=1"])
def test_a_setting_that_is_none_is_refused(write: Write, setting: str) -> None:
    text = _error(write(RUN), settings=(setting,))
    assert text.startswith(f"error: the setting “{setting}”".replace("\n", "\\n"))
    assert "  write --set run.jobs=2, or --set 'solvers.fix.argv=[\"fix\"]'\n" in text


def test_a_run_may_be_made_of_settings_alone(write: Write) -> None:
    write("", "unread.toml")
    run = _run(settings=("run.suite=smoke", 'run.solvers=["noop"]'))
    assert ("run", "smoke") == (run.label, run.suite)


def test_a_file_with_a_byte_order_mark_is_read(write: Write) -> None:
    assert "smoke" == _run(write(b"\xef\xbb\xbf" + RUN.encode())).suite


def test_a_missing_file_names_the_nearest(write: Write) -> None:
    write(RUN, "nightly.toml")
    assert """\
error: there is no file “nigthly.toml”

  nearest        nightly.toml

  name that file, or write the one that is missing
""" == _error(Path("nigthly.toml"))


def test_a_missing_file_in_a_missing_directory(write: Write) -> None:
    write(RUN)
    assert """\
error: there is no file “nowhere/x.toml”

  name a run config; `fairtrial run CONFIG.toml` runs it
""" == _error(Path("nowhere/x.toml"))


def test_text_that_is_not_utf8_is_refused_at_its_place(write: Write) -> None:
    assert """\
error: “run.toml” is not UTF-8 text

  at             line 2, column 4
  because        the byte 0xe9 can't stand there

  save the file as UTF-8
""" == _error(write(b"[run]\n# \xc3\xa9\xe9\n"))


def test_what_is_not_toml_is_refused_at_its_place(write: Write) -> None:
    assert """\
error: “run.toml” is not valid TOML

  at             line 2, column 9
  which reads    suite = smoke
  because        Invalid value

  correct it there; text stands in quotes: key = "value"
""" == _error(write("[run]\nsuite = smoke\n"))


def test_toml_that_stops_too_early_is_refused(write: Write) -> None:
    text = _error(write("[run]\nsolvers = [1,"))
    assert "  at             the end of the file\n" in text


@pytest.mark.parametrize("toml", ["a = " + "[" * 5000, "a." * 3000 + "a = 1"])
def test_toml_that_is_nested_too_deeply_is_refused(write: Write, toml: str) -> None:
    text = _error(write(toml))
    assert text.startswith("error: “run.toml” is not valid TOML\n")
    assert "  because        it is nested too deeply\n" in text


def test_a_setting_that_is_nested_too_deeply_is_refused(write: Write) -> None:
    with pytest.raises(ConfigError, match="is not of the form key=value"):
        load([write(RUN)], ["a." * 3000 + "a=1"])


def test_a_number_of_thousands_of_digits_is_refused(write: Write) -> None:
    text = _error(write(f"{RUN}seed = {'9' * 5000}\n"))
    assert text.startswith("error: “run.toml” is not valid TOML\n")
    assert "expected a finite number" in _error(write(f"{RUN}timeout_s = {'9' * 400}\n"))


@pytest.mark.parametrize("links", [True, False])
def test_what_a_shell_opened_is_read(monkeypatch: pytest.MonkeyPatch, links: bool) -> None:
    if not links:
        # As on macOS, where such a path is the pipe itself and no link.
        monkeypatch.setattr(os.path, "realpath", str)
    reader, writer = os.pipe()
    os.write(writer, RUN.encode())
    os.close(writer)
    try:
        assert "smoke" == load([Path(f"/dev/fd/{reader}")]).run.suite
    finally:
        os.close(reader)


def test_a_pipe_or_a_device_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    for path in (tmp_path / "pipe.toml", Path("/dev/zero")):
        assert "is neither a file nor a folder" in _error(path)


def test_a_shells_own_pipe_is_read() -> None:
    reads, writes = os.pipe()
    os.write(writes, RUN.encode())
    os.close(writes)
    assert "smoke" == load([Path(f"/dev/fd/{reads}")], ["run.label=x"]).run.suite
    os.close(reads)


def test_text_holds_no_nul(write: Write) -> None:
    text = _error(write(f'{RUN}only = ["a\\u0000b"]\n'))
    assert "[run] only[0]: expected text without the character NUL" in text


def test_a_name_is_no_longer_than_a_folder_may_be(write: Write) -> None:
    text = _error(write(f'[run]\nsuite = "s"\nsolvers = ["{"x" * 101}"]\n'))
    assert "must hold names of 100 characters at most" in text


def test_an_unknown_table_names_the_nearest(write: Write) -> None:
    assert """\
error: a run config has no table [solver]

  written in     run.toml
  tables         run, solvers, meters, gateways, auditors, reporters, answerers, selectors, suites, sandboxes, arms
  nearest        solvers

  rename the table, or take it out
""" == _error(write(f"{RUN}[solver.fix]\n"))


def test_an_unknown_table_near_to_none(write: Write) -> None:
    assert "nearest" not in _error(write(f"{RUN}[xyzzy]\n"))


@pytest.mark.parametrize(
    ("line", "way_on"),
    [("jobs = 2", "write it below [run]"), ("argv = 2", "write it below its table")],
)
def test_a_key_outside_every_table_is_refused(write: Write, line: str, way_on: str) -> None:
    key = line.partition(" ")[0]
    assert (
        f"error: “{key}” stands outside every table\n\n  written in     run.toml\n\n  {way_on}\n"
        == _error(write(f"{line}\n{RUN}"))
    )


def test_a_plugins_table_must_be_one(write: Write) -> None:
    assert """\
error: [solvers] fix: expected a table, got “x” (text)

  written in     run.toml

  write [solvers.fix], and its keys below it
""" == _error(write(f'{RUN}[solvers]\nfix = "x"\n'))


def test_a_table_names_its_plugin_by_text(write: Write) -> None:
    assert """\
error: [solvers.fix] plugin: expected text, got 3 (a number)

  written in     run.toml

  write the name of a plugin; `fairtrial plugins list` shows what is installed
""" == _error(write(f"{RUN}[solvers.fix]\nplugin = 3\n"))


def test_a_control_arm_has_no_table(write: Write) -> None:
    assert """\
error: [solvers.noop] can't be configured: “noop” is a control arm of the engine

  written in     run.toml

  give the table another name
""" == _error(write(f"{RUN}[solvers.noop]\n"))


def test_a_misspelt_key_of_run_names_the_nearest(write: Write) -> None:
    text = _error(write(f"{RUN}jbos = 2\n"))
    assert text.startswith(
        "error: [run] jbos: there is no such key\n\n  written in     run.toml\n"
    )
    assert "  nearest        jobs\n" in text


def test_a_run_without_a_suite_or_solvers_says_both(write: Write) -> None:
    assert """\
error: [run]: 2 things can't be used as they are

  written in     run.toml
  suite          is missing, and has no default
  solvers        is missing, and has no default

  correct them there; `fairtrial config schema` lists every key with its type
""" == _error(write(""))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("jobs = 0", "jobs: must be >= 1, got 0"),
        ("limit = -1", "limit: must be >= 0, got -1"),
        ("max_infra_share = 1.5", "max_infra_share: must be <= 1, got 1.5"),
        ('network = "wide"', "network: expected one of “none”, “model-only”, “open”"),
        ('label = "a/b"', "label: must be a name (letters, digits, `.`, `_` and `-` only"),
        ('label = ".."', "label: must be a name"),
        ('meters = ["a", "a"]', "meters: names “a” twice"),
        ('auditors = [""]', "auditors: must hold names"),
        ('gateway = ""', "gateway: its length must be >= 1, got 0"),
        ("budget_usd_total = 0", "budget_usd_total: must be > 0, got 0.0"),
        ("timeout_s = 3e6", "timeout_s: must be <= 2000000, got 3000000.0"),
        ("timeout_s = '600'", "timeout_s: expected a number, got “600” (text)"),
    ],
)
def test_a_value_of_run_that_makes_no_sense_is_refused(
    write: Write, line: str, problem: str
) -> None:
    assert f"error: [run] {problem}" in _error(write(f"{RUN}{line}\n"))


def test_a_solver_can_not_be_named_twice(write: Write) -> None:
    text = _error(write('[run]\nsuite = "a"\nsolvers = ["fix", "noop", "fix"]\n'))
    assert text.startswith("error: [run] solvers: names “fix” twice\n")


def test_a_file_whose_name_can_be_no_label_asks_for_one(write: Write) -> None:
    path = write(RUN, "my run.toml")
    assert """\
error: a run can't be called “my run”, as its config file is

  write label = "…" in [run], or rename the file: letters, digits, `.`, `_`, `-`
""" == _error(path)
    assert "mine" == _run(path, settings=("run.label=mine",)).label


KEYS = [
    "sk-" + "ant-api03-" + "a1B2" * 8,
    "sk-" + "proj-" + "a1B2" * 8,
    "ghp" + "_" + "a1B2" * 9,
    "AI" + "za" + "a1B2-" * 7,
    "AK" + "IA" + "A1B2" * 4,
]


@pytest.mark.parametrize("key", KEYS)
def test_a_key_in_a_config_is_refused_and_not_repeated(write: Write, key: str) -> None:
    path = write(f'{RUN}[solvers.fix]\nargv = ["x", "--key={key}"]\nenv = {{ A = "ok" }}\n')
    text = _error(path)
    assert (
        """\
error: solvers.fix.argv[1] holds what looks like a key

  written in     run.toml

  put the key into an environment variable and name the variable instead; whoever has seen this \
file should get a new key
"""
        == text
    )
    assert key not in text


def test_a_key_in_a_setting_is_refused_too(write: Write) -> None:
    text = _error(write(RUN), settings=(f"solvers.fix.env.TOKEN={KEYS[0]}",))
    assert "  written in     --set\n" in text


def test_a_word_that_only_begins_like_a_key_is_none(write: Write) -> None:
    config = load([write(f'{RUN}[solvers.fix]\nmodel = "sk-short"\n')])
    assert {"model": "sk-short"} == config.table("solvers", "fix").fields


def test_a_config_without_files_calls_itself_after_the_command_line() -> None:
    config = RunConfig(run=RunTable(suite="a", solvers=("b",)), tables={})
    assert "the command line" == config.source
