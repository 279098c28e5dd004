"""From a command line to an exit code: the one place where errors end."""

import os
import re
from collections.abc import Sequence
from itertools import pairwise

import typer

from fairtrial.api.errors import ConfigError
from fairtrial.cli.commands import COMMANDS, COMPLETING
from fairtrial.cli.group import root
from fairtrial.cli.show_error import show_error
from fairtrial.cli.voice import VOICE

_COMPLETION = frozenset({"--install-completion", "--show-completion"})
"""Options of typer's at the root, which end the process by themselves."""


def dispatch(arguments: Sequence[str]) -> int:
    """Runs the command that the arguments name, and turns whatever it raises into text."""
    # Said by hand, since a command line that typer can't take has errors too.
    verbose = not {"-v", "--verbose"}.isdisjoint(arguments)
    VOICE.as_json = "--log=json" in arguments or ("--log", "json") in pairwise(arguments)
    try:
        return _invoke(arguments)
    except typer.TyperException as error:
        return show_error(usage_error(error, arguments), verbose=verbose)
    except (KeyboardInterrupt, typer.Abort):
        return show_error(KeyboardInterrupt(), verbose=False)
    except (Exception, SystemExit) as error:
        # A plugin may raise anything, and may not choose the exit code; typer completes so.
        completes = COMPLETING in os.environ or not _COMPLETION.isdisjoint(arguments[:1])
        if isinstance(error, SystemExit) and completes:
            raise
        return show_error(error, verbose=verbose)


def _invoke(arguments: Sequence[str]) -> int:
    code = root().main(args=list(arguments), prog_name="fairtrial", standalone_mode=False)
    return code if isinstance(code, int) else 0


def usage_error(error: typer.TyperException, arguments: Sequence[str]) -> ConfigError:
    """Returns typer's complaint about a command line as an error of ours."""
    context = getattr(error, "ctx", None)
    if context is not None:
        path = str(context.command_path)
    else:
        path = " ".join(["fairtrial", *(word for word in arguments[:1] if word in COMMANDS)])
    text = error.format_message().replace("Value error, ", "").rstrip(".")
    text = re.sub(r"'([^']*)'", r"“\1”", text)
    usage = "" if context is None else str(context.get_usage()).removeprefix("Usage: ")
    wrong = ConfigError(
        problem=text[:1].lower() + text[1:],
        facts=(("usage", " ".join(usage.split())),) if usage else (),
        way_on=f"`{path} --help` says what it takes",
    )
    wrong.__cause__ = error
    return wrong
