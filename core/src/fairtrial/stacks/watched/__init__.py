"""
Running a graded tree's tests so that what they say can be believed as far as may be.

The command of a known runner is not taken at its word. It runs with tests of ours in its own
process: canaries, whose names nobody can guess and whose outcome is known, and, where the runner
allows it, a twin of each test, which bears the same name and must fail. Its report goes to a file
that was open, and nameless, before any of the graded code ran. Code that patches an assertion, a
runner, a result or an exit status changes what the canaries say as well, and is found out.

It can't be more than that: code that runs in a process can, given enough work, say anything in
that process's name. A check that must hold against such code is a probe, see
`fairtrial.stacks.probes`.
"""

from collections.abc import Mapping

from attrs import evolve, frozen

from fairtrial.api import EndedBy, Finished, Workspace
from fairtrial.stacks.watched import cargo, go, node, python
from fairtrial.stacks.watched.judge import Expected, judge
from fairtrial.stacks.watched.outcome import Account, Outcome, Plan
from fairtrial.stacks.watched.redirect import started
from fairtrial.stacks.watched.room import Room, room_in

__all__ = ["Expected", "Outcome", "hindrance", "watch", "watch_script", "watchable"]

NOT_FOUND = 127
"""What a shell ends with where a program isn't there."""

LOOKING_S = 20.0
"""Seconds that looking for a program may take."""


def watchable(argv: tuple[str, ...]) -> bool:
    """Tells whether a command is of a form that can be watched."""
    program = argv[0].rpartition("/")[2] if argv else ""
    return (
        python.split(argv) is not None
        or (program == "node" and "--test" in argv)
        or (program in ("go", "cargo") and argv[1:2] == ("test",))
    )


def hindrance(argv: tuple[str, ...]) -> str:
    """
    Says why a command is believed by its exit status alone; empty where it can be watched.

    What the tree holds may hinder it, too, such as a folder without tests.
    """
    if not watchable(argv):
        return "its test runner isn't known"
    chooser = {"node": node, "go": go, "cargo": cargo}.get(argv[0].rpartition("/")[2], python)
    word = chooser.choosing(argv)
    return f"with “{word}” no test of the grader's can run among its own" if word else ""


def watch(
    argv: tuple[str, ...],
    workspace: Workspace,
    *,
    timeout_s: float,
    env: Mapping[str, str],
    expected: Expected,
) -> Outcome | None:
    """
    Runs a test command with canaries; None where it is none that can be watched.

    Raises:
        FileNotFoundError: The program isn't there.
        SandboxDied: The sandbox broke.
    """
    if not watchable(argv):
        return None
    with room_in(workspace) as room:
        plan = _plan(argv, room, workspace, env)
        if plan is None:
            return None
        ran = _run(plan, workspace, room, timeout_s, env)
        return ran.outcome(argv, expected)


def watch_script(
    argv: tuple[str, ...],
    script: str,
    workspace: Workspace,
    *,
    timeout_s: float,
    env: Mapping[str, str],
) -> Outcome | None:
    """
    Runs a check that is a script of Python or node; None where it is none that can be watched.

    It has passed where it came to its own end with status 0; the code that it calls can't end it
    in its name.

    Raises:
        FileNotFoundError: The program isn't there.
        SandboxDied: The sandbox broke.
    """
    program = argv[0].rpartition("/")[2]
    before = argv[1 : argv.index(script)] if script in argv else ("",)
    if "--test" in before or not all(one.startswith("-") for one in before):
        return None
    with room_in(workspace) as room:
        if program.startswith("python"):
            plan = python.plan_script(argv, script, room, env)
        elif program == "node":
            plan = node.plan_script(argv, script, room)
        else:
            return None
        return _run(plan, workspace, room, timeout_s, env).of_script()


def _plan(
    argv: tuple[str, ...], room: Room, workspace: Workspace, env: Mapping[str, str]
) -> Plan | None:
    return (
        python.plan_tests(argv, room, env)
        or node.plan_tests(argv, room, workspace.root)
        or go.plan_tests(argv, room, workspace.root)
        or cargo.plan_tests(argv, room, workspace.root)
    )


@frozen(kw_only=True)
class _Ran:
    """How a planned run ended; `ended` where there is nothing more to judge."""

    plan: Plan
    account: Account
    code: int | None
    printed: str
    ended: Outcome | None = None

    def of_script(self) -> Outcome:
        """Judges the run of a check that is a script, which speaks for itself."""
        outcome = self.outcome((), Expected())
        if outcome.code in ("failed", "tampered") and self.account.whole:
            note = "".join(one.note for one in self.account.seen)
            code = "tampered" if note else outcome.code
            outcome = evolve(outcome, code=code, why=f"{note}\n{self.printed}".strip())
        return evolve(outcome, tests={}, output=self.printed)

    def outcome(self, argv: tuple[str, ...], expected: Expected) -> Outcome:
        """Judges it."""
        if self.ended is not None:
            return self.ended
        outcome = judge(self.plan, self.account, self.code, argv, expected)
        if outcome.passed is True or outcome.tests:
            return outcome
        # What was printed is all there is to say of a run that told nothing.
        printed = f"{self.account.output}\n{self.printed}".strip()
        return evolve(outcome, why=f"{outcome.why}\n{printed}".strip(), output=printed)


def _run(
    plan: Plan, workspace: Workspace, room: Room, timeout_s: float, env: Mapping[str, str]
) -> _Ran:
    ran = _Ran(plan=plan, account=Account(), code=None, printed="")
    try:
        room.lay(plan.files)
    except OSError as error:
        return evolve(ran, ended=_tampered(f"the tree is in the way: {error}"))
    finished = workspace.run(
        plan.argv, timeout_s=timeout_s, env={**env, **plan.env}, stdin=plan.stdin
    )
    # Nothing may write the report any more when it is read.
    workspace.settle()
    printed = _text(finished)
    ran = evolve(ran, account=plan.read(room.told()), code=finished.code, printed=printed)
    if finished.code == NOT_FOUND and not _is_there(started(plan.argv), workspace, env):
        raise FileNotFoundError(plan.runner)
    if finished.ended_by in (EndedBy.TIMEOUT, EndedBy.IDLE):
        why = f"did not end within {timeout_s:g} s\n{printed}"
        return evolve(ran, ended=Outcome(passed=False, code="timeout", why=why, output=printed))
    if finished.ended_by in (EndedBy.INTERRUPT, EndedBy.CALLER):
        why = "was stopped before it ended"
        return evolve(ran, ended=Outcome(passed=None, code="grader", why=why))
    if room.touched():
        return evolve(ran, ended=_tampered("a file of the grader's was changed while it ran"))
    return ran


def _is_there(program: str, workspace: Workspace, env: Mapping[str, str]) -> bool:
    """Tells whether a program can be started; the graded code may have ended it with any status."""
    look = ("sh", "-c", 'command -v "$1"', "sh", program)
    return workspace.run(look, timeout_s=LOOKING_S, env=env).code == 0


def _tampered(why: str) -> Outcome:
    return Outcome(passed=False, code="tampered", why=why)


def _text(finished: Finished) -> str:
    parts = (finished.stdout, finished.stderr)
    return "\n".join(
        part.decode("utf-8", "replace").rstrip() for part in parts if part.strip()
    ).replace("\r\n", "\n")
