"""
What can go wrong, as objects that know their parts.

Every error carries a first line (`problem`), facts, and one way on. Only the command line turns
them into text, so that a library user can act on the parts. One that adds no part inherits its
attrs methods undecorated, and none has another `repr` than Python's of an exception: every command
imports this, and what attrs makes takes time.
"""

from typing import ClassVar

from attrs import define, field

Facts = tuple[tuple[str, str], ...]
"""Pairs of a short heading and its value, in the order in which they are shown."""


@define(kw_only=True, slots=False, repr=False)
class FairtrialError(Exception):
    """
    Anything that fairtrial refuses or can't do, said so that a user can act on it.

    Attributes:
        problem: What is wrong, one line, quoting the user's own spelling.
        facts: What is known about it.
        way_on: What to do next.
    """

    exit_code: ClassVar[int] = 2

    problem: str
    facts: Facts = ()
    way_on: str = ""

    def __str__(self) -> str:
        """Returns the first line, as `raise` and logs show it."""
        return self.problem


class ConfigError(FairtrialError):
    """A run config, or a command's arguments, that can't be used as they are."""


@define(kw_only=True, slots=False, repr=False)
class PluginError(FairtrialError):
    """
    A plugin that was asked for can't be used.

    Attributes:
        kind: The singular noun of its kind, such as `solver`.
        name: The plugin's name as the user spelt it.
    """

    kind: str
    name: str


class PluginMissing(PluginError):
    """No installed distribution provides a plugin of that name."""


class PluginBroken(PluginError):
    """The plugin is installed, but importing it fails."""


class PluginRefused(PluginError):
    """The plugin loads, but is not what its kind asks for, or will not be built so."""


class PluginAmbiguous(PluginError):
    """Two distributions provide a plugin of one name."""


@define(kw_only=True, slots=False, repr=False)
class SuiteError(FairtrialError):
    """
    Tasks that can't be loaded, or that break a rule of their format.

    Attributes:
        task: The task's id, or None where the suite as a whole is at fault.
    """

    task: str | None = field(default=None)


class BudgetError(FairtrialError):
    """A run that could spend more than it may, or without a limit."""


class RunError(FairtrialError):
    """A run directory that can't be used: another lock, another writer, another version."""


class Unwritable(RunError):
    """A place that takes nothing: a full disk, no permission. What was kept before stays."""

    exit_code: ClassVar[int] = 3


class MachineError(FairtrialError):
    """This machine lacks something that was asked for: a counter, an engine, a program."""

    exit_code: ClassVar[int] = 3


@define(kw_only=True, slots=False, repr=False)
class NeedMissing(MachineError):
    """
    A task needs a program or a package that isn't here.

    The trials of that task become `infra`, with `way_on` as the reason; no other task is touched.

    Attributes:
        need: What is missing, as the task spells it.
    """

    need: str


@define(kw_only=True, slots=False, repr=False)
class ProgramMissing(MachineError):
    """
    A program that is asked for isn't here, can't be started, or is another version.

    Before a run, what its tasks bring is looked at as well, so that only this stops it for good.

    Attributes:
        program: The program, as it would be started.
    """

    program: str


class SandboxDied(MachineError):
    """The sandbox itself broke under an attempt; the trial is `infra`, not a failed agent."""
