"""The front page, and what it may not cost."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from fairtrial.cli.commands import COMMANDS, plugin_commands
from fairtrial.cli.front import front_page

Run = Callable[..., CompletedProcess[str]]

HEAVY = {"typer", "rich", "attrs", "structlog", "stevedore", "cattrs", "importlib.metadata"}


def group(folder: Path, distribution: str, text: str) -> None:
    info = folder / f"{distribution}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Name: {distribution.partition('-')[0]}\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(text)


def test_every_command_is_on_the_front_page(run: Run) -> None:
    said = run("--help")
    assert 0 == said.returncode
    for name, text in COMMANDS.items():
        assert f"  {name} " in said.stdout
        assert text in said.stdout


@pytest.mark.parametrize("argv", [(), ("-h",), ("--help",)])
def test_no_arguments_and_help_show_the_same_page(run: Run, argv: tuple[str, ...]) -> None:
    assert front_page() == run(*argv).stdout


def test_typer_shows_the_same_page(run: Run) -> None:
    assert front_page() == run("--help", "run").stdout


def test_the_front_page_imports_nothing_heavy() -> None:
    code = (
        "import sys; from fairtrial.cli.app import main; main(['--help']);"
        "sys.stderr.write(' '.join(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert set() == HEAVY & loaded
    assert set() == {name for name in loaded if name.startswith("fairtrial.engine")}


@pytest.mark.parametrize(("columns", "widest"), [("", 80), ("60", 60), ("400", 100), ("x", 80)])
def test_no_line_of_the_front_page_is_wider_than_its_terminal(
    monkeypatch: pytest.MonkeyPatch, columns: str, widest: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    page = front_page()
    assert widest - 10 < max(map(len, page.splitlines())) <= widest
    assert [] == [text for text in COMMANDS.values() if text not in " ".join(page.split())]


@pytest.mark.parametrize("group", ["plugins", "energy", "config", "tasks", "heldout"])
def test_summaries_of_commands_are_not_cut(
    run: Run, monkeypatch: pytest.MonkeyPatch, group: str
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    said = run(group, "--help").stdout
    assert "..." not in said.partition("Commands:")[2]


@pytest.mark.parametrize("command", ["trajectory", "compare", "run", "report", "audit"])
def test_arguments_are_shown_by_their_names(run: Run, command: str) -> None:
    said = run(command, "--help").stdout
    assert "<" not in said.partition("Arguments:")[2].partition("Options:")[0]
    assert "[[" not in said
    assert "]]" not in said


def test_groups_of_plugins_are_read_from_metadata_without_importing_them(tmp_path: Path) -> None:
    group(
        tmp_path, "fairtrial_suite_x-0.3.1", "[fairtrial.commands]\nsynth = no.such.module:app\n"
    )
    group(tmp_path, "other-1", "[console_scripts]\nother = other:main\n")
    assert {"synth": "fairtrial-suite-x 0.3.1"} == plugin_commands([str(tmp_path)])


def test_a_group_that_would_hide_a_command_of_ours_is_left_out(tmp_path: Path) -> None:
    group(tmp_path, "rude-1", "[fairtrial.commands]\nrun = rude:app\n")
    assert {} == plugin_commands([str(tmp_path)])


def test_a_broken_group_is_told_by_name_and_breaks_nothing_else(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    group(tmp_path / "site", "torn-1.2", "[fairtrial.commands]\nsynth = no_such_module:app\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert "synth" in run("--help").stdout
    said = run("synth")
    assert 2 == said.returncode
    assert "command group “synth” is installed but can't be loaded" in said.stderr
    assert "torn 1.2 → no_such_module:app" in said.stderr
    assert 0 == run("plugins", "list").returncode


def test_a_group_that_ends_the_process_when_imported_is_broken(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    group(site, "rash-1.2", "[fairtrial.commands]\nsynth = rash_group:app\n")
    (site / "rash_group.py").write_text("raise SystemExit(0)\n")
    monkeypatch.syspath_prepend(str(site))
    said = run("synth")
    assert 2 == said.returncode
    assert "  because        SystemExit: 0\n" in said.stderr


def test_a_group_of_a_plugin_runs(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    group(site, "fine-1.2", "[fairtrial.commands]\nsynth = fine_group:app\n")
    (site / "fine_group.py").write_text(
        "import typer\napp = typer.Typer()\n"
        "@app.command()\ndef one(n: int = 1) -> None:\n    print('one', n)\n"
        "@app.command()\ndef two() -> None: ...\n"
    )
    monkeypatch.syspath_prepend(str(site))
    assert "one 3\n" == run("synth", "one", "--n", "3").stdout


def test_the_version_is_said(run: Run) -> None:
    assert "fairtrial 0.1.0\n" == run("--version").stdout


def test_an_unknown_command_is_answered_with_the_nearest(run: Run) -> None:
    said = run("rnu")
    assert 2 == said.returncode
    assert "error: there is no command “rnu”" in said.stderr
    assert "nearest        run" in said.stderr


def test_completion_offers_commands_and_flags(program: list[str]) -> None:
    def offered(words: str, place: int) -> list[str]:
        env = {
            "_FAIRTRIAL_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(place),
        }
        done = subprocess.run(program, env=env, capture_output=True, text=True, check=False)
        return done.stdout.split()

    assert ["report"] == offered("fairtrial re", 1)
    assert "--rollouts" in offered("fairtrial run --ro", 2)


def test_showing_the_completion_is_no_error(program: list[str]) -> None:
    env = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    command = [*program, "--show-completion", "bash"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stderr)
    assert "_FAIRTRIAL_COMPLETE" in done.stdout


@pytest.mark.parametrize("words", [["plugins", "list"], ["config", "schema"], ["energy", "probe"]])
def test_every_command_takes_verbose_which_its_errors_advise(run: Run, words: list[str]) -> None:
    said = run(*words, "-v", "--help")
    assert (0, 1) == (said.returncode, said.stdout.count("--verbose")), said.stderr


OWN = """
import typer
from typing import Annotated
Text = Annotated[str, typer.Option("-v", "--version-of")]
Flag = Annotated[bool, typer.Option("--verbose/--quiet")]
app = typer.Typer()
@app.command()
def short(version: Text = "none") -> None:
    print(version)
@app.command()
def long(verbose: Flag = False) -> None:
    print(verbose)
@app.command(context_settings={"ignore_unknown_options": True})
def rest(words: list[str]) -> None:
    print(words)
"""


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (["short", "-v", "1.0"], "1.0"),
        (["short", "--verbose"], "none"),
        (["long", "--verbose"], "True"),
        (["long", "-v"], "False"),
        (["rest", "-v", "x"], "['-v', 'x']"),
    ],
)
def test_a_command_of_a_plugin_keeps_the_options_that_it_takes_itself(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], printed: str
) -> None:
    group(tmp_path, "own-1.2", "[fairtrial.commands]\nsynth = own_group:app\n")
    (tmp_path / "own_group.py").write_text(OWN)
    monkeypatch.syspath_prepend(str(tmp_path))
    said = run("synth", *words)
    assert (f"{printed}\n", "") == (said.stdout, said.stderr)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_on_the_front_page_has_help_of_its_own(run: Run, name: str) -> None:
    said = run(name, "--help")
    assert 0 == said.returncode, said.stderr
    assert f"Usage: fairtrial {name}" in said.stdout
    assert "--help" in said.stdout
