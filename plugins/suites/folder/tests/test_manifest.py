import json
import os
import shutil

import pytest
from fairtrial.api import CheckKind, SuiteError
from fairtrial.conformance.fakes.workspace import open_local
from fairtrial.conformance.tree import lay
from fairtrial_suite_folder import FolderSuite

MANIFEST = {
    "fixture": "fixture",
    "tasks": [
        {
            "id": "cart",
            "family": "money",
            "title": "Prices do not add up",
            "body": "Three of them should make 0.40.",
            "answer": {"prefer": ["round up", "ceil"]},
            "expect": {
                "pr": True,
                "check": "checks/cart.py",
                "regression": True,
                "changed_within": ["cart.py"],
                "questions": 0,
            },
        },
        {
            "id": "typo",
            "title": "A typo",
            "body": "In the README.",
            "expect": {
                "check": "checks/typo.py",
                "changed_within": ["README.md"],
                "questions": None,
            },
        },
    ],
}

TOML = """
fixture = "fixture"
[[tasks]]
id = "cart"
family = "money"
title = "Prices do not add up"
body = "Three of them should make 0.40."
answer = { prefer = ["round up", "ceil"] }
expect = { pr = true, check = "checks/cart.py", regression = true, changed_within = ["cart.py"], questions = 0 }
"""


def changed(**changes: object) -> str:
    """The manifest with its first task changed: `expect_x` goes into its `expect`."""
    manifest = json.loads(json.dumps(MANIFEST))
    first = manifest["tasks"][0]
    for name, value in changes.items():
        if name.startswith("expect_"):
            first["expect"][name.removeprefix("expect_")] = value
        else:
            first[name] = value
    return json.dumps(manifest)


@pytest.fixture
def many(folder):
    def write(text: str | None = None, name: str = "tasks.json"):
        folder.write(name, text or json.dumps(MANIFEST))
        folder.write("fixture/pyproject.toml", "[project]\nname = 'x'\nversion = '1'\n")
        folder.write("fixture/cart.py", "def total(a):\n    return sum(a) + 1\n")
        folder.write("fixture/test_cart.py", "def test_a():\n    import cart\n")
        folder.write("fixture/README.md", "wrong\n")
        folder.write("checks/cart.py", "import cart; raise SystemExit(cart.total([1]) != 1)")
        folder.write("checks/typo.py", "raise SystemExit('wrong' in open('README.md').read())")
        folder.write("reference/cart/cart.py", "def total(a):\n    return sum(a)\n")
        folder.write("reference/typo/README.md", "right\n")
        return folder

    return write


def test_a_manifest_is_read_in_its_order(many, suite):
    many()
    cart, typo = suite.tasks()
    assert ("cart", "money", "python") == (cart.id, cart.family, cart.stack)
    assert "Prices do not add up\n\nThree of them should make 0.40.\n" == cart.brief.prompt
    assert (("cart.py",), 0, True) == (
        cart.allowed,
        cart.questions_expected,
        cart.submission_expected,
    )
    assert ("round up", "ceil") == cart.preferences
    assert ("typo", "typo", None, ()) == (
        typo.id,
        typo.family,
        typo.questions_expected,
        typo.preferences,
    )
    assert 1200.0 == typo.brief.timeout_s


def test_toml_and_json_say_the_same(many, suite):
    many(TOML, "tasks.toml")
    (from_toml,) = suite.tasks()
    (suite.path / "tasks.toml").unlink()
    many(json.dumps({**MANIFEST, "tasks": MANIFEST["tasks"][:1]}))
    (from_json,) = FolderSuite(path=suite.path / "tasks.json").tasks()
    assert from_toml == from_json


@pytest.mark.parametrize(("said", "there"), [({}, True), ({"git": False}, False)])
def test_its_trees_are_repositories_unless_it_says_otherwise(many, suite, said, there):
    many(json.dumps({**said, **MANIFEST}))
    with open_local("test") as workspace:
        suite.seed(suite.tasks()[0], workspace)
        assert there == (workspace.root / ".git/refs/heads/main").is_file()


def test_its_regression_is_the_stack_s_own_test_command(many, suite):
    many()
    cart, typo = suite.tasks()
    assert suite.entry(cart).oracle.regression_cmd[:3] == ("python3", "-m", "pytest")
    assert () == suite.entry(typo).oracle.regression_cmd


def test_its_check_fails_before_and_passes_with_the_reference(many, suite):
    many()
    _, typo = suite.tasks()
    outcomes = []
    for patch in (None, suite.reference(typo)):
        with open_local("test") as workspace:
            suite.seed(typo, workspace)
            if patch:
                lay(patch, workspace.root)
            verdict = suite.grade(typo, workspace)
            outcomes += [(check.kind, check.passed) for check in verdict.checks]
    assert [(CheckKind.VISIBLE, False), (CheckKind.VISIBLE, True)] == outcomes


@pytest.mark.parametrize(
    ("text", "problem", "place"),
    [
        ("{", "“tasks.json” is not well-formed JSON", ""),
        ("[]", "“tasks.json” holds no table", ""),
        ('{"fixture": "no", "tasks": []}', "the folder “no” is missing", "fixture"),
        ('{"fixture": "fixture"}', "“tasks” must be a list of tables", "tasks"),
        ('{"fixture": "fixture", "tasks": [1]}', "“tasks” must be a table", "tasks"),
        (
            '{"tasks": [{"id": "a", "id": "b"}]}',
            'not well-formed JSON: the key “id” is given twice, as "a" and as "b"',
            "",
        ),
        (
            changed(expect_check="checks"),
            "the check “checks” is a folder, not a file",
            "tasks[0][expect] check",
        ),
        (changed(id="a b"), "“a b” is no id", "tasks[0] id"),
        (changed(id="../x"), "“../x” is no id", "tasks[0] id"),
        (changed(id="i" * 101), "the id has 101 characters, and 100 are the most", "tasks[0] id"),
        (changed(id="TYPO"), "two tasks have the id “typo”", ""),
        (changed(title=""), "“title” is empty", "tasks[0] title"),
        (changed(timeout_s=3e6), "“timeout_s” must be at most 2000000", "tasks[0] timeout_s"),
        (
            json.dumps({**MANIFEST, "timeout_s": 3e6}),
            "“timeout_s” must be at most 2000000",
            "timeout_s",
        ),
        (changed(extra=1), "unknown key “extra”", "tasks[0] extra"),
        (
            changed(answer={"prefr": ["round up"]}),
            "task “cart”: unknown key “prefr”",
            "tasks[0][answer] prefr",
        ),
        (changed(body="a\0"), "“body” holds a NUL character", "tasks[0] body"),
        (changed(title="a\ud800"), "“title” holds half a character", "tasks[0] title"),
        (changed(expect_checks=1), "unknown key “checks”", "tasks[0][expect] checks"),
        (
            changed(expect_check="checks/no.py"),
            "“checks/no.py” is missing",
            "tasks[0][expect] check",
        ),
        (
            changed(expect_check="fixture/cart.py"),
            "must lie beside the fixture",
            "tasks[0][expect] check",
        ),
        (
            changed(expect_questions="0"),
            "“questions” must be a whole number",
            "tasks[0][expect] questions",
        ),
        (
            changed(expect_changed_within=["/a"]),
            "the path “/a” is not a relative path",
            "tasks[0][expect] changed_within[0]",
        ),
    ],
)
def test_a_broken_manifest_is_refused_with_its_place(many, suite, text, problem, place):
    many(text)
    with pytest.raises(SuiteError) as caught:
        tuple(suite.tasks())
    assert problem in caught.value.problem
    assert place == dict(caught.value.facts).get("at", "")


def test_an_id_that_no_folder_can_bear_hides_no_other_task(many, suite):
    many(changed(id="i" * 300))
    (fault,) = (fault for fault in suite.faults() if not fault.warning)
    assert ("i" * 99 + "…", "format") == (fault.task, fault.rule)
    assert ["typo"] == [task.id for task in suite.readable()]


def test_a_task_is_named_whatever_is_wrong_with_it(many, suite):
    many(changed(fixture=3))
    assert ["cart"] == [fault.task for fault in suite.faults() if not fault.warning]


def test_an_empty_manifest_is_refused(many, suite):
    many('{"fixture": "fixture", "tasks": []}')
    with pytest.raises(SuiteError) as caught:
        tuple(suite.tasks())
    assert "the suite “suite” has no tasks" == caught.value.problem


@pytest.mark.parametrize("place", ["fixture", "reference/cart", "reference"])
def test_a_folder_behind_a_link_is_refused(many, suite, place):
    many()
    folder = suite.path / place
    folder.rename(suite.path.parent / "moved")
    folder.symlink_to(suite.path.parent / "moved")
    error = next(fault for fault in suite.faults() if fault.rule == "format").problem
    assert f"“{place}” is a link, not a folder" in error or "“reference/cart” leads out" in error


def test_a_fixture_behind_a_linked_folder_is_refused(many, suite):
    many()
    (suite.path / "behind").symlink_to(suite.path.parent)
    many(json.dumps({**MANIFEST, "fixture": f"behind/{suite.path.name}/fixture"}))
    assert () != suite.readable()
    (suite.path / "behind").unlink()
    (suite.path.parent / "other").mkdir()
    (suite.path / "fixture").rename(suite.path.parent / "other/fixture")
    (suite.path / "behind").symlink_to(suite.path.parent / "other")
    many(json.dumps({**MANIFEST, "fixture": "behind/fixture"}))
    with pytest.raises(SuiteError, match="“behind/fixture” leads out of the folder"):
        FolderSuite(path=suite.path).tasks()


def test_a_manifest_that_is_a_pipe_is_never_read(many, suite):
    many()
    (suite.path / "tasks.json").unlink()
    os.mkfifo(suite.path / "tasks.json")
    with pytest.raises(SuiteError, match="is a named pipe, not a file"):
        suite.tasks()


def test_what_a_manifest_says_of_all_its_tasks_is_refused_once(many, suite):
    many(json.dumps({**MANIFEST, "timeout_s": 3e6}))
    (fault,) = suite.faults()
    assert "" == fault.task


def test_two_manifests_are_refused(many, suite):
    many()
    many(TOML, "tasks.toml")
    with pytest.raises(SuiteError) as caught:
        tuple(suite.tasks())
    assert "“suite” holds two manifests" == caught.value.problem


def test_a_digest_covers_fixture_check_and_reference(many, suite):
    many()
    before = [task.digest for task in suite.tasks()]
    shutil.rmtree(suite.path / "reference/typo")
    after = [task.digest for task in FolderSuite(path=suite.path).tasks()]
    assert [True, False] == [old == new for old, new in zip(before, after, strict=True)]
    (suite.path / "fixture/new").write_text("")
    last = [task.digest for task in FolderSuite(path=suite.path).tasks()]
    assert [False, False] == [old == new for old, new in zip(after, last, strict=True)]


PROBE = """
from fairtrial_probe import serve


def total(*prices):
    import cart

    return cart.total(prices)


serve(total)
"""
CASES = '[[cases]]\ncall = "total"\nargs = [1, 2]\nexpect = 3\n'


@pytest.fixture
def probing(many, folder):
    def write(**probe: object):
        asked = {"file": "checks/probe.py", "cases": "checks/cases.toml", **probe}
        folder.write("checks/probe.py", PROBE)
        folder.write("checks/cases.toml", CASES)
        manifest = json.loads(changed(expect_probe=asked, expect_regression=False))
        del manifest["tasks"][0]["expect"]["check"]
        many(json.dumps({**manifest, "tasks": manifest["tasks"][:1]}))

    return write


def test_a_probe_may_stand_in_a_checks_place(probing, suite):
    probing()
    (task,) = suite.tasks()
    outcomes = []
    for change in (None, suite.reference(task)):
        with open_local("test") as workspace:
            suite.seed(task, workspace)
            if change:
                lay(change, workspace.root)
            verdict = suite.grade(task, workspace)
            outcomes.append([(check.name, check.passed) for check in verdict.checks])
    assert [[("probe", False)], [("probe", True)]] == outcomes
    assert not [fault for fault in suite.faults() if not fault.warning]


def test_a_probe_beside_a_check_is_asked_too(many, folder, suite):
    folder.write("checks/probe.py", PROBE)
    folder.write("checks/cases.toml", CASES)
    many(changed(expect_probe={"file": "checks/probe.py", "cases": "checks/cases.toml"}))
    cart, _ = suite.tasks()
    with open_local("test") as workspace:
        suite.seed(cart, workspace)
        names = [check.name for check in suite.grade(cart, workspace).checks]
    assert ["probe", "hidden check", "regression"] == names


def test_what_a_probe_expects_is_part_of_the_task(probing, folder, suite, cache):
    probing()
    (before,) = suite.tasks()
    folder.write("checks/cases.toml", CASES.replace("3", "4"))
    (after,) = FolderSuite(path=suite.path, cache=cache).tasks()
    assert before.digest != after.digest


@pytest.mark.parametrize(
    ("probe", "problem"),
    [
        ({"cases": "fixture/cases.toml"}, "must lie beside the fixture"),
        ({"file": "checks/none.py"}, "“checks/none.py” is missing"),
        ({"file": "../probe.py"}, "not a relative path that stays inside"),
        ({"isolated": True}, "isolated"),
    ],
)
def test_a_probe_that_can_not_be_used_is_refused(probing, folder, suite, probe, problem):
    folder.write("fixture/cases.toml", CASES)
    probing(**probe)
    with pytest.raises(SuiteError, match=problem):
        suite.tasks()


def test_a_task_that_nothing_grades_is_refused(many, suite):
    manifest = json.loads(changed())
    del manifest["tasks"][0]["expect"]["check"]
    many(json.dumps(manifest))
    with pytest.raises(SuiteError, match="nothing says how the task is graded"):
        suite.tasks()
