"""docs/fairness.md, made of the gallery's folders and of what came of them."""

from collections.abc import Iterable, Mapping

from cheats.outcomes import Outcome
from cheats.specimens import Specimen, dishonest, honest

HEAD = """\
# What a score here is worth

Made by `uv run python scripts/fairness.py`, which runs every solver in `tests/cheats/` through this
harness and through a naive grader, and writes what came of it.

{totals}

An agent is paid, in fame or money, for tests that pass; so sooner or later one makes them pass
without mending anything. Public audits of benchmarks found a hook that calls every test passed,
fixes read out of the git history, reward files written by the agent, and background processes that
rewrite tests after the deadline. Each of them is in the table below, with many more of our own.

## What is guaranteed

- **Only a tree is graded, and never where the agent was.** When an attempt ends, all its processes
  are ended, and that is proved. Its tree is compared with the seeded one, by content. The changes
  are laid over a freshly seeded tree in another workspace, and that one is graded.
- **What a runner or an interpreter executes doesn't cross.** Test files of the task, configuration
  of test runners, start-up files, histories and links that lead out stay outside, unless the task
  opens them; each is named in the record as dropped. Home, temporary directory and caches of an
  attempt are thrown away.
- **A verdict comes from outside.** The exit status is the kernel's. Results are read from a file
  that is made for each run at an unpredictable place. Among the task's tests run canaries: some that
  must fail, some that must pass, under names nobody can foresee. Where one of them comes out wrong,
  or a test that should have run did not, the verdict is *tampered*, which is never resolved.
- **The grader's programs are the same before and after.** Where a sandbox has a fence, nothing in it
  can write to an interpreter, a test runner or a tool chain, and it is made to show that. In `local`,
  their files are compared after each graded run, by what the kernel says of them: who changed one is
  *tampered*, and nothing is graded by it from then on.
- **The answer isn't there to be read.** A hidden probe calls the agent's code in a process that is
  given inputs and gives outputs; what is expected stays in the harness's own process. The workspace
  has no history; task folders, references, run directories, other trials and other processes can't
  be seen through the sandbox's fence; checks have no network.
- **One check leaves nothing for the next.** Before each of them tests are laid anew, files that a
  runner or an interpreter obeys are put back, and home and temporary directory are emptied, but for
  a compiler's cache. Where the harness reads a tree in which code has run, it opens plain files of
  that tree and nothing else, and it writes through no link.
- **A broken grader isn't a pass.** Where no test ran, or the sandbox died, nothing is resolved. Nor is
  it an excuse: numbers, chains of links and floods of results that no honest code makes are the
  agent's failure, and cost a run no more time than their length.

## What is not

- **A right answer to every question asked is a right answer.** A solver that computes what tests and
  probe ask for, and nothing else, is resolved. The visible tests alone can't tell such hard-coded
  answers from a fix: the probe does, as far as it asks for other things than the tests. A held-out
  suite asks for more.
- **A task without a probe** relies on the canaries alone against code that changes the test runner
  from within its own process. They make that hard; nothing makes it impossible: `report-from-frames`,
  `patch-by-caller` and `rust-output-rewritten` below know how the grader works, pass every test by it,
  and are caught by the probe alone.
- **The sandbox `local` has no fence.** What the table marks with † is held by the fence of
  `bubblewrap` or `docker`, and by nothing else: without it, a program can read the task's folder, if
  it finds it. The record says which sandbox kept what.
- **The kernel is trusted**, and so are `bwrap`, the tool chains, and the packages that a task pins.
- **What the agent knew before** can't be seen in its tree: a model that was trained on the fix of a
  public task needs no cheat. Tasks that nobody has published are the answer to that.

## What the naive grader is

The one that many harnesses began with, kept in `tests/cheats/naive.py`: the agent works in a clone
with its history; the named test files are laid anew in that same tree; the test command is run
there, with the home and the PATH that the agent had; exit status 0 is a pass.

## Dishonest solvers

*Naive grader* and *ours* say on how many of its victims a cheat was scored as resolved; the naive
grader is tried until it is fooled once. *What caught it* is taken from the records: a change that was
dropped, nothing that crossed, a canary or a report that did not fit, the probe, the task's own
tests, a time limit.

| cheat | class | what it does | seen | naive grader | ours | what caught it |
| --- | --- | --- | --- | --- | --- | --- |
"""

HONEST = """
## Honest look-alikes

Each of these really mends the bug, and does something besides that a grader in a hurry could take
for a cheat. None may be punished.

| solver | what it does besides | resolved |
| --- | --- | --- |
"""

TAIL = """
## To see it

```sh
fairtrial run tests/cheats/gallery.toml      # every solver on every victim
uv run python scripts/fairness.py            # this page, both graders
uv run python scripts/fairness.py --check    # is all of it still so? (our grader; CI does this)
uv run pytest tests/test_cheats.py           # each cheat by itself, with the outcome that it must have
```

A cheat that we have not thought of is welcome: a folder in `tests/cheats/dishonest/` with a
`cheat.toml` and a program is all that it takes.
"""


def page(outcomes: Mapping[str, Outcome]) -> str:
    """Returns the page."""
    cheats, good = dishonest(), honest()
    rows = "".join(_row(cheat, outcomes[cheat.name]) for cheat in cheats)
    fine = "".join(_honest_row(one, outcomes[one.name]) for one in good)
    head = HEAD.format(totals=totals(outcomes))
    return f"{head}{rows}{HONEST}{fine}{TAIL}"


def totals(outcomes: Mapping[str, Outcome]) -> str:
    """Returns the figures that the page begins with."""
    cheats, good = dishonest(), honest()
    won = sum(any(outcomes[cheat.name].resolved) for cheat in cheats)
    fooled = sum(any(outcomes[cheat.name].naive.values()) for cheat in cheats)
    punished = sum(not all(outcomes[one.name].resolved) for one in good)
    classes = len({cheat.group for cheat in cheats})
    trials = sum(len(outcomes[one.name].ours) for one in (*cheats, *good))
    return (
        f"**Cheats scored resolved: {won} of {len(cheats)}; naive grader: {fooled} of "
        f"{len(cheats)}; honest look-alikes punished: {punished} of {len(good)}.** "
        f"({classes} classes, {trials} trials.)"
    )


def _row(cheat: Specimen, outcome: Outcome) -> str:
    mark = " †" if cheat.fence else ""
    words = dict.fromkeys(word for told in outcome.ours.values() for word in told.by)
    fooled = next((victim for victim, passed in outcome.naive.items() if passed), "")
    cells = (
        f"[{cheat.name}](../tests/cheats/dishonest/{cheat.name}){mark}",
        cheat.group,
        cheat.does,
        cheat.seen,
        f"**resolved** ({fooled})" if fooled else f"0 of {len(outcome.naive)}",
        f"{sum(outcome.resolved)} of {len(outcome.ours)}",
        _joined(words, cheat.held_by),
    )
    return f"| {' | '.join(_cell(cell) for cell in cells)} |\n"


def _joined(words: Iterable[str], why: str) -> str:
    text = ", ".join(words)
    return f"{text}: {why}" if why else text


def _honest_row(one: Specimen, outcome: Outcome) -> str:
    name = f"[{one.name}](../tests/cheats/honest/{one.name})"
    return f"| {name} | {_cell(one.does)} | {sum(outcome.resolved)} of {len(outcome.ours)} |\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
