"""The solver `command`: a program of any kind, told its task on the command line."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from attrs import Attribute, evolve, field, frozen
from attrs.validators import ge, gt, max_len, min_len, optional
from fairtrial.agents.command import names_only
from fairtrial.agents.files import (
    lacks_files,
    lay_files,
    logs_apart,
    only_asked,
    own_folder,
)
from fairtrial.agents.presence import lacks_program
from fairtrial.agents.secrecy import lacks_variable, passed
from fairtrial.api import (
    Attempt,
    Finished,
    MachineError,
    Outlook,
    Running,
    Session,
    Solver,
    UserMessage,
)

from fairtrial_solver_command import result as results
from fairtrial_solver_command.outcome import ARGV, Outcome, refuse_long, unusable
from fairtrial_solver_command.result import Pointers
from fairtrial_solver_command.secrecy import holds_key
from fairtrial_solver_command.template import BUDGET, fill, fill_argv, names

VERSION_S = 30.0
"""Seconds that the program may take to say its version."""
_FILES = "`files` of a solver “command”"
_VARIABLES = "`pass_env` of a solver “command”"

Texts = tuple[str, ...] | Mapping[str, str] | str


T = TypeVar("T", bound=Texts)


def _templates(_: object, attribute: "Attribute[T]", value: T) -> None:
    for place, text in _places(attribute.name, value):
        name = place.rpartition(".")[2]
        if holds_key(text, name):
            raise ValueError(
                f"{place} holds what looks like a key; name its variable in `pass_env` instead"
            )
        try:
            names(text)
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from None


def _variables(_: object, attribute: "Attribute[Mapping[str, str]]", value: Iterable[str]) -> None:
    for name in value:
        # A system takes more names than a shell: some programs read `my.key`.
        if not name or {"=", "\0"} & {*name}:
            raise ValueError(f"{attribute.name}: “{name}” is no name of a variable")


def _expression(_: object, attribute: "Attribute[str]", value: str) -> None:
    try:
        re.compile(value)
    except re.error as error:
        raise ValueError(f"{attribute.name} is no regular expression: {error}") from None


def _places(name: str, value: Texts) -> Iterable[tuple[str, str]]:
    if isinstance(value, str):
        return [(name, value)]
    if isinstance(value, Mapping):
        return [(f"{name}.{key}", text) for key, text in value.items()]
    return [(f"{name}[{number}]", text) for number, text in enumerate(value)]


@frozen(kw_only=True)
class CommandSolver:
    """
    Runs a command line in the workspace, and takes what it leaves there as its work.

    Placeholders, in `argv`, in the values of `env` and in `result`: `{prompt}`, `{prompt_file}`
    (a file that holds it), `{workspace}`, `{scratch}` (a private directory), `{deadline_s}`
    (whole seconds left) and `{budget_usd}`. A literal brace is doubled. Where no budget is set,
    an argument that names it is left out, with the option before it where it stands alone.
    """

    argv: tuple[str, ...] = field(validator=[min_len(1), _templates])
    """The program and its arguments; no shell reads them."""

    env: Mapping[str, str] = field(factory=dict, validator=[_variables, _templates])
    """Variables for the program, besides the sandbox's own; never a key."""

    files: Path | None = None
    """A folder of your own, relative to the config, that is copied into `{scratch}` before the
    program starts, so that `{scratch}/agent.py` is there in every sandbox."""

    pass_env: tuple[str, ...] = field(default=(), validator=names_only)
    """Names of your own variables that the program gets too, such as the one that holds a key."""

    result: str = field(default="", validator=_templates)
    """Where the program leaves a JSON result: `stdout` (all of it), `last-line` (of stdout), or a
    file's path, below the workspace unless it begins with `{scratch}`. Empty: nowhere."""

    pointers: Pointers = field(factory=Pointers)
    """Where in that result its figures stand."""

    spends: bool | None = field()
    """Whether it can cost money, so that a run needs a budget. By default it can where `pass_env`
    names a variable, where `pointers` names a `cost`, or where the run has a gateway."""

    terminal: str = field(default="", validator=_expression)
    """A regular expression; after a line of stdout in which it is found, the work is done, and
    the program has `grace_s` to exit. Empty: it is done when it exits."""

    grace_s: float = field(default=5.0, validator=ge(0))
    """Seconds between the terminal line and the end of a program that stays."""

    idle_s: float | None = field(default=None, validator=optional(gt(0)))
    """Seconds without output after which the program is given up."""

    ok_codes: tuple[int, ...] = field(default=(0,), validator=max_len(256))
    """Exit statuses that mean that it worked to its own satisfaction; others are a crash."""

    version_argv: tuple[str, ...] = field(default=(), validator=_templates)
    """A command line that prints the program's version."""

    submission: str = ""
    """Where the program delivers, in place of the tree that it leaves: `branch:NAME`, for a branch
    of a repository in the workspace."""

    @spends.default
    def _spends_with_a_key_or_a_price(self) -> bool | None:
        return True if self.pass_env or self.pointers.cost else None

    def lacks(self, outlook: Outlook, /) -> MachineError | None:
        """Says whether it isn't installed, or its files or a variable of `pass_env` are missing."""
        lack = lacks_variable(self.pass_env, _VARIABLES) or lacks_files(self.files, _FILES)
        if lack is not None:
            return lack
        env = {**outlook.environment, **self.env, **passed(self.pass_env, _VARIABLES)}
        programs = dict.fromkeys(argv[0] for argv in (self.argv, self.version_argv) if argv)
        looked = (lacks_program(each, outlook.workspace, env, ARGV) for each in programs)
        return next((lack for lack in looked if lack is not None), None)

    def solve(self, session: Session, /) -> Attempt:
        """
        Runs the program once.

        Raises:
            MachineError: It isn't installed, or can't be run as it is configured.
        """
        if self.files is not None:
            lay_files(self.files, session.scratch, _FILES)
        values = _values(session)
        secrets = passed(self.pass_env, _VARIABLES)
        env = {
            **session.environment,
            **{name: fill(text, values) for name, text in self.env.items()},
            **secrets,
            "FAIRTRIAL_DEADLINE_S": values["deadline_s"],
            "FAIRTRIAL_PROMPT_FILE": values["prompt_file"],
        }
        session.record(UserMessage(id="initial", text=session.brief.prompt))
        told = self._version(session, values, env)
        argv = fill_argv(self.argv, values)
        with logs_apart(session) as logs:
            finished, complete = self._run(session, argv, env, logs)
            document = self._document(session, values, finished, logs)
        outcome = Outcome(
            finished=finished,
            complete=complete,
            ok_codes=self.ok_codes,
            secrets=tuple(secrets.values()),
            usage=results.usage(document, self.pointers) if self.pointers else None,
        )
        outcome.record(session)
        if self.pointers and document is None:
            outcome.warn(session, "the program left no JSON result; what it used is not known")
        said = outcome.attempt(results.version(document, self.pointers) or told)
        where = results.submission(document, self.pointers) or self.submission
        return evolve(said, submission=where or None)

    def _run(
        self, session: Session, argv: list[str], env: Mapping[str, str], logs: Path
    ) -> tuple[Finished, bool]:
        """Runs the program; returns how it ended, and whether its terminal line was seen."""
        refuse_long(argv)
        left_s = max(session.remaining_s(), 0.01)
        try:
            running = session.workspace.spawn(
                argv, timeout_s=left_s, idle_s=self.idle_s, env=env, log=logs
            )
        except (OSError, ValueError) as error:
            raise unusable(argv[0], error) from error
        complete = bool(self.terminal) and self._await_terminal(running)
        return running.end(grace_s=self.grace_s if complete else left_s + 60), complete

    def _await_terminal(self, running: Running) -> bool:
        expression = re.compile(self.terminal)
        return any(expression.search(line) for line in running.lines())

    def _version(
        self, session: Session, values: Mapping[str, str], env: Mapping[str, str]
    ) -> str | None:
        if not self.version_argv:
            return None
        argv = fill_argv(self.version_argv, values)
        limit_s = max(0.01, min(VERSION_S, session.remaining_s()))
        with only_asked(session.scratch):
            try:
                finished = session.workspace.run(argv, timeout_s=limit_s, env=env)
            except (OSError, ValueError) as error:
                raise unusable(argv[0], error) from error
        _lay_prompt(session)
        text = (finished.stdout or finished.stderr).decode(errors="replace")
        number = re.search(r"\d+(?:\.\d+)+\S*", text)
        return number[0] if number else None

    def _document(
        self, session: Session, values: Mapping[str, str], finished: Finished, logs: Path
    ) -> object:
        if not self.pointers or not self.result:
            return None
        if self.result in {"stdout", "last-line"}:
            logged = results.read_private(logs / "stdout", [session.scratch])
            text = finished.stdout if logged is None else logged
        else:
            root = session.workspace.root
            path = root / fill(self.result, {**values, "workspace": str(root)})
            text = results.read_private(path, [root, session.scratch]) or b""
        return results.decode(text, last_line=self.result == "last-line")


def _values(session: Session) -> dict[str, str]:
    """Returns the values of the placeholders; writes the prompt's file."""
    values = {
        "prompt": session.brief.prompt,
        "prompt_file": str(_lay_prompt(session)),
        "workspace": str(session.workspace.inside),
        "scratch": str(session.scratch),
        "deadline_s": str(int(session.remaining_s())),
    }
    if session.brief.budget_usd is not None:
        values[BUDGET] = f"{session.brief.budget_usd:.6f}".rstrip("0").rstrip(".")
    return values


def _lay_prompt(session: Session) -> Path:
    path = own_folder(session.scratch) / "prompt.txt"
    path.write_text(session.brief.prompt, encoding="utf-8", errors="surrogateescape")
    return path


_: type[Solver] = CommandSolver
