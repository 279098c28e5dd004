"""The front page: what `fairtrial --help` shows, made without importing typer."""

from collections.abc import Iterable

from fairtrial.cli.commands import COMMANDS, plugin_commands

_INTRO = """\
Usage: fairtrial [OPTIONS] COMMAND [ARGS]...

  A fair trial for coding agents: what they resolve, what that costs, whether
  the score is honest.

      fairtrial run tasks/smoke.toml
"""

_OPTIONS = (
    ("--version", "Show the version and exit."),
    ("--install-completion", "Install completion for the current shell."),
    ("--show-completion", "Show completion for the current shell, to copy or change it."),
    ("-h, --help", "Show this page and exit."),
)

_END = """
`fairtrial COMMAND --help` says what a command takes.
Exit codes: 0 fine, 1 a gate of the run failed, 2 the config, a plugin or the
usage is wrong, 3 the machine can't, 130 interrupted.
"""


def front_page() -> str:
    """Returns the page, ending in a newline."""
    parts = [_INTRO, _section("Options", _OPTIONS), _section("Commands", COMMANDS.items())]
    added = [(name, f"Added by {by}.") for name, by in plugin_commands().items()]
    if added:
        parts.append(_section("Commands of plugins", added))
    return "\n".join(parts) + _END


def _section(title: str, rows: Iterable[tuple[str, str]]) -> str:
    entries = list(rows)
    size = max(len(name) for name, _ in entries)
    lines = "".join(f"  {name:<{size}}  {text}\n" for name, text in entries)
    return f"{title}:\n{lines}"
