"""
The tool chains that tasks and checks are written in.

One frozen value a stack: what marks a project's root, which files are source, tests or tooling,
which ones a test runner executes, and how its output is read.
"""

from pathlib import Path

from fairtrial.stacks.go import GO
from fairtrial.stacks.node import NODE
from fairtrial.stacks.python import PYTHON
from fairtrial.stacks.results import Results
from fairtrial.stacks.rust import RUST
from fairtrial.stacks.stack import Companion, Runner, Stack

__all__ = [
    "ANYWHERE",
    "GO",
    "NODE",
    "PYTHON",
    "RUST",
    "STACKS",
    "Companion",
    "Results",
    "Runner",
    "Stack",
    "detect",
    "executed_by",
    "runner_of",
]

STACKS = {stack.name: stack for stack in (RUST, GO, PYTHON, NODE)}
"""
All stacks by name, in the order in which a root is asked for them.

A crate with a Python face has both markers and is built by Cargo; a Python project with a
`package.json` keeps it for its tools.
"""

ANYWHERE = (
    ".git",
    ".gitmodules",
    ".gitattributes",
    ".hg",
    ".githooks",
    ".husky",
    ".envrc",
    ".env",
    ".tool-versions",
    ".mise.toml",
    "Makefile",
    "GNUmakefile",
    # What make reads by itself, or makes those of by rules that it was born with.
    "*.mk",
    "Makefile.*",
    "GNUmakefile.*",
    "*Makefile,v",
    "s.*Makefile",
    "RCS",
    "SCCS",
    "justfile",
    "Taskfile.y*ml",
)
"""Globs of files that are executed or obeyed whatever the stack is."""


def detect(root: Path) -> Stack | None:
    """Returns the stack whose marker lies at a root; None where none does."""
    for stack in STACKS.values():
        if any((root / marker).is_file() for marker in stack.markers):
            return stack
    return None


def executed_by(stack: str) -> tuple[str, ...]:
    """
    Returns the globs of what a stack's runner or interpreter executes or obeys.

    Where the stack is not known by name (it may be empty), those of all stacks together.
    """
    if stack in STACKS:
        return ANYWHERE + STACKS[stack].executed
    return ANYWHERE + tuple(glob for known in STACKS.values() for glob in known.executed)


def runner_of(argv: tuple[str, ...]) -> Runner | None:
    """Returns the test runner that a command starts; None where it is none that is known."""
    runners = (runner for stack in STACKS.values() for runner in stack.runners)
    return next((runner for runner in runners if runner.runs_in(argv)), None)
