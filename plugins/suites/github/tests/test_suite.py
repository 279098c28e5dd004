"""Seeding, receiving and cleaning, by the real `gh` and the real `git`."""

import subprocess
from pathlib import Path

import pytest
from fairtrial.api import SuiteError, Task, Workspace
from fairtrial.conformance import SuiteConformance
from fairtrial.conformance.fakes import ThreeTaskSuite
from fairtrial_suite_github import GithubSuite

REPO = "me/scratch"


class TestGithub(SuiteConformance):
    entry_point = "github"
    composes = True

    @pytest.fixture
    def suite(self, hub) -> GithubSuite:
        suite = GithubSuite(inner=ThreeTaskSuite(), repo=REPO)
        suite.publish(tuple(suite.tasks()))
        return suite

    @pytest.fixture
    def plugin(self, suite) -> GithubSuite:
        return suite


def git(where: Path, *arguments: str) -> str:
    line = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
    done = subprocess.run(line, cwd=where, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def seeded(suite: GithubSuite) -> tuple[Task, ...]:
    tasks = tuple(suite.tasks())
    suite.publish(tasks)
    return tasks


def test_seeding_makes_a_repository_one_commit_and_an_issue_a_task(hub, suite) -> None:
    done = suite.publish(tuple(suite.tasks()))
    assert [
        "made me/scratch",
        "pushed one commit to main of me/scratch",
        "opened #1 for add",
        "opened #2 for length",
        "opened #3 for upper",
    ] == done
    assert ["refs/heads/main"] == hub.refs()
    assert "1" == git(hub.git, "rev-list", "--count", "main")
    assert "Begin fairtrial N" == git(hub.git, "log", "--format=%s %an %G?", "main")
    assert "Write the sum of 2 and 3 into answer.txt." == hub.issues[0]["title"]
    assert str(hub.issues[0]["body"]).endswith("<!-- fairtrial task: add -->\n")


def test_seeding_twice_does_nothing_the_second_time(hub, suite) -> None:
    tasks = seeded(suite)
    before, commit = hub.writes(), git(hub.git, "rev-parse", "main")
    assert [] == suite.publish(tasks)
    assert (before, commit) == (hub.writes(), git(hub.git, "rev-parse", "main"))


def test_a_closed_issue_is_opened_again_and_not_made_twice(hub, suite) -> None:
    tasks = seeded(suite)
    hub.issues[1]["state"] = "closed"
    assert ["reopened #2 for length"] == suite.publish(tasks)
    assert (3, "open") == (len(hub.issues), hub.issues[1]["state"])


def test_what_is_in_the_repository_is_left_as_it_is(hub, suite, tmp_path: Path) -> None:
    tasks = seeded(suite)
    git(tmp_path, "clone", "-q", str(hub.git), "mine")
    (tmp_path / "mine/own.txt").write_text("mine")
    git(tmp_path / "mine", "add", ".")
    git(tmp_path / "mine", "commit", "-q", "-m", "mine")
    git(tmp_path / "mine", "push", "-q", "origin", "HEAD:main")
    assert [] == suite.publish(tasks)
    assert "own.txt" in git(hub.git, "ls-tree", "--name-only", "main")


def test_an_issue_is_found_beyond_the_first_page_and_pulls_are_none(hub, suite) -> None:
    tasks = seeded(suite)
    noise = [{"number": 10 + n, "state": "open", "body": None, "title": "x"} for n in range(150)]
    pull = {"number": 200, "state": "open", "body": "<!-- fairtrial task: add -->"}
    hub.issues[:] = [{**pull, "pull_request": {}}, *noise, *hub.issues]
    assert [] == suite.publish(tasks)


def test_tasks_of_different_trees_need_repositories_of_their_own(hub) -> None:
    class TwoTrees(ThreeTaskSuite):
        def seed(self, task: Task, workspace: Workspace, /) -> None:
            super().seed(task, workspace)
            (workspace.root / "note.txt").write_text(task.id)

    suite = GithubSuite(inner=TwoTrees(), repo=REPO)
    with pytest.raises(SuiteError, match="“add” and “length” start from different trees"):
        suite.publish(tuple(suite.tasks()))
    assert [] == hub.issues


def test_a_run_needs_an_open_issue_for_every_task(hub, suite) -> None:
    tasks = tuple(suite.tasks())
    with pytest.raises(SuiteError, match="no open issue for add, length, upper"):
        suite.preflight(tasks)
    suite.publish(tasks)
    suite.preflight(tasks)
    hub.issues[2]["state"] = "closed"
    with pytest.raises(SuiteError, match="no open issue for upper"):
        suite.preflight(tasks)


def branch(hub, tmp_path: Path, name: str, number: int) -> str:
    """Pushes a branch and has a pull request made of it."""
    clone = tmp_path / f"clone-{number}"
    git(tmp_path, "clone", "-q", str(hub.git), clone.name)
    (clone / "answer.txt").write_text(f"{number}\n")
    git(clone, "commit", "-q", "-a", "-m", "answer")
    git(clone, "push", "-q", "origin", f"HEAD:refs/heads/{name}")
    commit = git(clone, "rev-parse", "HEAD")
    git(hub.git, "update-ref", f"refs/pull/{number}/head", commit)
    head = {"ref": name, "repo": {"full_name": REPO}}
    hub.pulls.append({"number": number, "state": "open", "head": head})
    return commit


@pytest.mark.parametrize(
    "address",
    ["https://github.com/me/scratch/pull/4", "https://GitHub.com/Me/Scratch/pull/4/files", "#4"],
)
def test_a_pull_request_is_fetched_by_its_address(
    hub, suite, tmp_path: Path, address: str
) -> None:
    tasks = seeded(suite)
    commit = branch(hub, tmp_path, "fairtrial/add", 4)
    bare = tmp_path / "bare"
    git(tmp_path, "init", "-q", "--bare", str(bare))
    assert commit == suite.receive(tasks[0], address, bare)
    assert "4" == git(bare, "show", f"{commit}:answer.txt")


@pytest.mark.parametrize(
    "address",
    [
        "https://github.com/me/other/pull/4",
        "https://example.org/me/scratch/pull/4",
        "https://github.com/me/scratch/issues/4",
        "me/scratchy#4",
        "#0",
        "branch:main",
    ],
)
def test_any_other_address_is_not_its_business(hub, suite, tmp_path: Path, address: str) -> None:
    task = next(iter(suite.tasks()))
    assert suite.receive(task, address, tmp_path) is None
    assert [] == hub.asked


@pytest.mark.usefixtures("hub")
def test_a_pull_request_that_is_not_there_is_told(suite, tmp_path: Path) -> None:
    tasks = seeded(suite)
    with pytest.raises(SuiteError, match="pull request “#9” isn't there"):
        suite.receive(tasks[0], "#9", tmp_path)


def test_cleaning_touches_nothing_that_is_anybody_elses(hub, suite, tmp_path: Path) -> None:
    seeded(suite)
    branch(hub, tmp_path, "fairtrial/add", 4)
    branch(hub, tmp_path, "feature", 5)
    fork = {"ref": "fairtrial/add", "repo": {"full_name": "you/scratch"}}
    hub.pulls.append({"number": 6, "state": "open", "head": fork})
    hub.pulls.append({"number": 7, "state": "open", "head": {"ref": "fairtrial/x", "repo": None}})
    assert ["closed #4", "deleted fairtrial/add"] == suite.withdraw()
    assert [5, 6, 7] == [pull["number"] for pull in hub.pulls if pull["state"] == "open"]
    assert ["refs/heads/feature", "refs/heads/main"] == [
        ref for ref in hub.refs() if ref.startswith("refs/heads/")
    ]
    assert [] == suite.withdraw()


def test_a_forge_that_is_out_of_order_is_named_with_what_was_asked(hub, suite) -> None:
    hub.broken = True
    with pytest.raises(SuiteError, match="did not do what was asked") as caught:
        suite.publish(tuple(suite.tasks()))
    assert ("asked for", "GET repos/me/scratch") == caught.value.facts[0]
    assert "500" in caught.value.facts[1][1]


@pytest.mark.parametrize("prefix", ["", "main", "/", "-x/"])
def test_a_prefix_must_set_branches_apart(prefix: str) -> None:
    with pytest.raises(ValueError, match="branch_prefix"):
        GithubSuite(inner=ThreeTaskSuite(), repo=REPO, branch_prefix=prefix)


@pytest.mark.parametrize("repo", ["scratch", "a/b/c", "me/", "me/a b"])
def test_a_repository_has_an_owner_and_a_name(repo: str) -> None:
    with pytest.raises(ValueError, match="repo"):
        GithubSuite(inner=ThreeTaskSuite(), repo=repo)


CONFIG = """
[run]
suite = "forge"
solvers = ["noop"]

[suites.forge]
plugin = "github"
inner = "plain"
repo = "me/scratch"

[suites.plain]
plugin = "folder"
path = "tasks"
"""


@pytest.mark.usefixtures("hub")
def test_the_command_line_seeds_and_cleans(tmp_path: Path) -> None:
    task = tmp_path / "tasks/one"
    (task / "before").mkdir(parents=True)
    (task / "before/a.txt").write_text("a\n")
    (task / "task.toml").write_text(
        'name = "one"\nprompt = "Do it.\\nNow."\ntest_cmd = ["false"]\n'
    )
    (tmp_path / "run.toml").write_text(CONFIG)

    def fairtrial(*arguments: str) -> subprocess.CompletedProcess[str]:
        line = ["fairtrial", "issues", *arguments]
        return subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)

    first = fairtrial("seed", "run.toml")
    assert 0 == first.returncode, first.stderr
    assert "made me/scratch\npushed one commit to main of me/scratch\nopened #1 for one\n" == (
        first.stdout
    )
    assert ("", "nothing to do: every task is there\n") == (
        (again := fairtrial("seed", "run.toml")).stdout,
        again.stderr,
    )
    assert "nothing to do: nothing is open\n" == fairtrial("clean", "run.toml").stderr
    plain = fairtrial("seed", "run.toml", "--suite", "plain")
    assert 2 == plain.returncode
    assert "suite “plain” has no forge to put tasks on" in plain.stderr


def test_every_task_of_a_suite_that_cannot_read_a_part_is_read(suite) -> None:
    assert tuple(suite.tasks()) == tuple(suite.readable())
