"""The command group at the root: knows every command by name, imports the one that is asked for."""

import difflib
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, cast

import typer
from typer.core import TyperArgument, TyperGroup
from typer.main import get_command

from fairtrial.api.errors import ConfigError, FairtrialError, PluginBroken
from fairtrial.cli.commands import COMMANDS, GROUP, plugin_commands
from fairtrial.cli.front import front_page
from fairtrial.cli.streams import emit, results_alone

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter, Parameter


class LazyGroup(TyperGroup):
    """Commands by name, each imported when it is first asked for."""

    def list_commands(self, ctx: "Context") -> list[str]:
        """Returns every name, imported or not."""
        return [*COMMANDS, *plugin_commands()]

    def get_command(self, ctx: "Context", cmd_name: str) -> "Command | None":
        """Imports one command; None where there is none of that name."""
        try:
            app = _app(cmd_name)
        except FairtrialError:
            # One broken plugin must not break the completion of all other commands.
            if ctx.resilient_parsing:
                return None
            raise
        if app is None:
            return None
        command = get_command(app)
        command.name = cmd_name
        _settle(command)
        if cmd_name in COMMANDS:
            _keep_stdout(command)
        return command

    def resolve_command(
        self, ctx: "Context", args: list[str]
    ) -> "tuple[str | None, Command | None, list[str]]":
        """Finds the command that a line begins with."""
        if not ctx.resilient_parsing and not args[0].startswith("-"):
            _refuse_unknown(args[0], {**COMMANDS, **plugin_commands()})
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """Writes the front page, the same as without typer."""
        formatter.write(front_page().rstrip("\n"))


def _settle(command: "Command") -> None:
    """
    Shows arguments by their names alone, and summaries of commands whole.

    A command takes `--verbose` even where it has no more to say: whatever breaks in it, the way on
    is the traceback, which `dispatch` then shows. What it takes itself stays its own.
    """
    for param in command.params:
        if isinstance(param, TyperArgument):
            param.display_type_rich = _no_type  # type: ignore[method-assign]  # typer has no setting for it
    if command.help and not command.short_help:
        command.short_help = " ".join(command.help.partition("\n\n")[0].split())
    groups = getattr(command, "commands", None)
    if groups is None and not command.context_settings.get("ignore_unknown_options"):
        command.params += _verbose(command)
    for inner in (groups or {}).values():
        _settle(inner)


def _keep_stdout(command: "Command") -> None:
    """Has a command of ours write nothing to stdout but its results, whatever plugins print."""
    for inner in getattr(command, "commands", {}).values():
        _keep_stdout(inner)
    if command.callback is not None:
        command.callback = results_alone()(command.callback)


def _verbose(command: "Command") -> "Iterator[Parameter]":
    """Yields the option as typer makes it of its declaration, spelt in ways that are free."""
    app = typer.Typer(add_completion=False)
    app.command()(_talkative)
    option = get_command(app).params[0]
    option.expose_value = False
    taken = {name for param in command.params for name in (*param.opts, *param.secondary_opts)}
    option.opts = [name for name in option.opts if name not in taken]
    if option.opts:
        yield option


def _talkative(
    *,
    fairtrial_verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Say more: tracebacks.")
    ] = False,
) -> None:
    """Stands for any command that says more; the name is one that none has itself."""


def _no_type(ctx: "Context") -> None:
    """Says nothing of an argument's type, which its help says in words."""
    del ctx


def root() -> "Command":
    """Returns the root command, completion included."""
    return get_command(_root)


_root = typer.Typer(
    name="fairtrial",
    cls=LazyGroup,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        emit(f"fairtrial {version('fairtrial-core')}\n")
        raise typer.Exit


@_root.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Takes the options that come before a command's name."""


def _app(name: str) -> typer.Typer | None:
    if name in COMMANDS:
        return cast("typer.Typer", import_module(f"fairtrial.cli.{name}").app)
    distribution = plugin_commands().get(name)
    if distribution is None:
        return None
    return _plugin_app(name, distribution)


def _plugin_app(name: str, distribution: str) -> typer.Typer:
    from importlib.metadata import entry_points

    (point, *_) = entry_points(group=GROUP, name=name)
    try:
        app = point.load()
    except (Exception, SystemExit) as error:
        raise PluginBroken(
            problem=f"command group “{name}” is installed but can't be loaded",
            facts=(
                ("provided by", f"{distribution} → {point.value}"),
                ("because", f"{type(error).__name__}: {error}"),
            ),
            way_on="reinstall that distribution with its dependencies",
            kind="command",
            name=name,
        ) from error
    if not isinstance(app, typer.Typer):
        raise PluginBroken(
            problem=f"command group “{name}” is no typer app",
            facts=(("provided by", f"{distribution} → {point.value}"),),
            way_on="ask its author; the other commands work without it",
            kind="command",
            name=name,
        )
    return app


def _refuse_unknown(name: str, known: Mapping[str, str]) -> None:
    if name in known:
        return
    nearest = difflib.get_close_matches(name, known, n=1)
    raise ConfigError(
        problem=f"there is no command “{name}”",
        facts=(("commands", ", ".join(known)), *(("nearest", near) for near in nearest)),
        way_on="`fairtrial --help` says what each of them does",
    )
