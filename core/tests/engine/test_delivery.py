"""A branch delivered in the workspace, by a repository that can't be trusted."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from attrs import evolve, frozen
from fairtrial.api import Attempt, Ending, Session, SuiteError, Task, Trial
from fairtrial.conformance.fakes import ScriptedSolver, ThreeTaskSuite, sample_task
from fairtrial.engine import artifacts
from fairtrial.engine.branch import NAME
from fairtrial.engine.plan import Cell
from fairtrial.engine.room import Room
from fairtrial.engine.trial import run_trial

MakeRoom = Callable[..., Room]
MakeCell = Callable[..., Cell]

AS_AGENT = "git -c user.name=a -c user.email=a@example.org -c commit.gpgsign=false"
BEGIN = ("git init -q -b main .", "git add -A", f"{AS_AGENT} commit -q -m start")
WORK = (
    "git checkout -q -b work",
    "echo 5 > answer.txt",
    f"{AS_AGENT} commit -q -a -m answer",
    "git checkout -q main",
)


@frozen(kw_only=True)
class Agent:
    """Runs shell lines in its workspace, and says where it delivered."""

    lines: Sequence[str]
    submission: str | None = "branch:work"

    def solve(self, session: Session, /) -> Attempt:
        for line in self.lines:
            done = session.workspace.run(["sh", "-c", line], timeout_s=30)
            if done.code != 0:
                raise RuntimeError(line + done.stderr.decode())
        return Attempt(ending=Ending.FINISHED, submission=self.submission)


@pytest.fixture
def tried(make_room: MakeRoom, make_cell: MakeCell) -> Callable[..., Trial]:
    def run(*lines: str, submission: str | None = "branch:work", **parts: object) -> Trial:
        solver = Agent(lines=(*BEGIN, *WORK, *lines), submission=submission)
        task = sample_task(allowed=None)
        return run_trial(make_cell("s", task), make_room({"s": solver}, **parts))

    return run


def failures(trial: Trial) -> list[str]:
    assert trial.verdict is not None, trial.note
    return [check.code for check in trial.verdict.failures]


def test_a_branch_is_graded_in_place_of_the_tree(tried: Callable[..., Trial]) -> None:
    trial = tried("echo wrong > answer.txt")
    assert (True, ("answer.txt",), "branch:work") == (
        trial.resolved,
        trial.changed,
        trial.submission,
    )


def test_without_a_branch_the_tree_counts(tried: Callable[..., Trial]) -> None:
    trial = tried("echo 6 > answer.txt", submission=None)
    assert (False, ["hidden-check"]) == (trial.resolved, failures(trial))


def test_an_address_that_nobody_fetches_leaves_the_tree_to_count(
    tried: Callable[..., Trial],
) -> None:
    trial = tried("echo 5 > answer.txt", submission="https://example.org/pull/3")
    assert (True, "https://example.org/pull/3") == (trial.resolved, trial.submission)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("none", "has no branch “none”"),
        ("../../etc", "can't be a branch's name"),
        ("main", ""),
    ],
)
def test_a_branch_that_holds_nothing_is_no_submission(
    tried: Callable[..., Trial], name: str, why: str
) -> None:
    trial = tried(submission=f"branch:{name}")
    assert ["no-submission"] == failures(trial)
    assert why in trial.note
    assert trial.submission is None


def test_work_on_the_first_branch_does_not_hide_a_change(tried: Callable[..., Trial]) -> None:
    trial = tried(
        "echo x > other.txt; git add other.txt",
        f"{AS_AGENT} commit -q -m aside",
        f"git checkout -q work; {AS_AGENT} merge -q main -m join",
    )
    assert "other.txt" in trial.changed


def test_packed_branches_and_objects_are_found(tried: Callable[..., Trial]) -> None:
    assert tried("git pack-refs --all", "git gc -q").resolved is True


TRAP = "touch {mark}"


@pytest.mark.parametrize(
    "lines",
    [
        ("git config core.fsmonitor '{trap}'", "git config core.hooksPath hooks"),
        ("git config filter.evil.smudge '{trap}; cat'", "git config core.attributesFile x"),
        ("git config core.pager '{trap}'", "git config alias.read-tree '!{trap}'"),
        ("mkdir -p .git/hooks; printf '#!/bin/sh\\n{trap}\\n' > .git/hooks/post-checkout",),
        ("git config remote.origin.url 'ext::sh -c {trap}'",),
    ],
)
def test_nothing_of_the_agents_configuration_runs(
    tried: Callable[..., Trial], tmp_path: Path, lines: Sequence[str]
) -> None:
    mark = tmp_path / "mark"
    trap = TRAP.format(mark=mark)
    attributes = (
        "git checkout -q work; echo '*.txt filter=evil' > .gitattributes; git add .gitattributes",
        f"{AS_AGENT} commit -q -m attributes; git checkout -q main",
    )
    trial = tried(*attributes, *(line.format(trap=trap) for line in lines), "rm -f " + str(mark))
    assert trial.resolved is True
    assert not mark.exists()


def test_bytes_come_out_as_they_went_in(tried: Callable[..., Trial], make_room: MakeRoom) -> None:
    trial = tried(
        "git checkout -q work; printf '* text=auto eol=crlf\\nx ident\\n' > .gitattributes",
        "printf 'a\\nb $Id$\\n' > x; printf '\\000\\377' > y; ln -s answer.txt z",
        f"git add -A; {AS_AGENT} commit -q -m more; git checkout -q -f main",
    )
    room = make_room()
    left = artifacts.tree(room.directory.trial("add", "s", 1))
    found = {str(change.path): change.link or change.after for change in left.changes}
    assert b"a\nb $Id$\n" == found["x"]
    assert (b"\x00\xff", "answer.txt") == (found["y"], found["z"])
    assert trial.resolved is True


def test_objects_of_other_repositories_are_not_read(
    tried: Callable[..., Trial], tmp_path: Path
) -> None:
    other = tmp_path / "other"
    trial = tried(
        f"mkdir {other}; cp -r .git {other}/.git",
        f"rm -rf .git/objects/??; echo {other}/.git/objects > .git/objects/info/alternates",
        "git rev-parse work",
    )
    assert ["no-submission"] == failures(trial)
    assert "can't be read" in trial.note


@pytest.mark.parametrize("where", ["link", "file"])
def test_a_repository_elsewhere_is_not_followed(
    tried: Callable[..., Trial], tmp_path: Path, where: str
) -> None:
    other = tmp_path / "elsewhere"
    line = {
        "link": f"mv .git {other}; ln -s {other} .git",
        "file": f"mv .git {other}; echo 'gitdir: {other}' > .git",
    }[where]
    trial = tried(line)
    assert ["no-submission"] == failures(trial)
    assert "holds no repository of its own" in trial.note


@frozen(kw_only=True)
class Fetching(ThreeTaskSuite):
    """A suite that fetches what lies in another directory."""

    source: Path
    commit: str | None

    def receive(self, task: Task, submission: str, repository: Path, /) -> str | None:
        if submission == "broken":
            raise SuiteError(problem="the forge is away")
        for path in (self.source / "objects").glob("??/*"):
            target = repository / "objects" / path.parent.name
            target.mkdir(exist_ok=True)
            (target / path.name).write_bytes(path.read_bytes())
        return self.commit


def test_a_suite_may_fetch_what_was_delivered_elsewhere(
    tried: Callable[..., Trial], tmp_path: Path
) -> None:
    away = tmp_path / "away"
    first = tried(f"cp -r .git {away}; cp .git/refs/heads/work {tmp_path}/id")
    assert first.resolved is True
    commit = (tmp_path / "id").read_text().strip()
    suite = Fetching(source=away, commit=commit)
    trial = tried("echo 7 > answer.txt", submission="pull/3", suite=suite)
    assert (True, "pull/3") == (trial.resolved, trial.submission)
    broken = tried(submission="broken", suite=suite)
    assert (Ending.INFRA, "the forge is away") == (broken.ending, broken.note)


@frozen(kw_only=True)
class Stopped(Fetching):
    """A suite that fetches nothing, since the user ends everything meanwhile."""

    stop: Callable[[], None]

    def receive(self, task: Task, submission: str, repository: Path, /) -> str | None:
        self.stop()
        return super().receive(task, submission, repository)


def test_a_delivery_that_is_cut_off_is_not_held_against_the_agent(
    make_room: MakeRoom, make_cell: MakeCell, tmp_path: Path
) -> None:
    room = make_room({"s": Agent(lines=(), submission="pull/3")})
    suite = Stopped(source=tmp_path, commit="0" * 40, stop=room.stop.set)

    trial = run_trial(make_cell("s"), evolve(room, suite=suite))

    assert (Ending.INTERRUPTED, "the run was stopped by the user") == (trial.ending, trial.note)


@pytest.mark.parametrize("name", ["a", "bench/x-1", "feature/a.b_c+d"])
def test_branch_names_that_are_plain_are_taken(name: str) -> None:
    assert NAME.fullmatch(name)


@pytest.mark.parametrize(
    "name", ["", "-x", "a..b", "a//b", "a/", "a.", "/a", "a.lock", "a/.b", "a b", "a\n", "@{1}"]
)
def test_other_branch_names_are_refused(name: str) -> None:
    assert not NAME.fullmatch(name)


def test_a_control_arm_delivers_its_tree(make_room: MakeRoom, make_cell: MakeCell) -> None:
    assert True is run_trial(make_cell("reference"), make_room({"s": ScriptedSolver()})).resolved
