import time
from pathlib import PurePosixPath

import pytest
from fairtrial.stacks.watched.declared import declared, vanished
from fairtrial.stacks.watched.namesakes import Homes

PYTHON = """
import unittest, pytest

class SumTest(unittest.TestCase):
    def test_a(self): ...
    async def test_b(self): ...
    def helper(self): ...
    @decorated
    def test_unsure(self): ...

class Mixin:
    def test_inherited(self): ...

class TestPlain:
    def test_c(self): ...

class TestMade:
    def __init__(self): ...
    def test_d(self): ...

def test_e(): ...

@pytest.mark.parametrize("x", [1])
def test_f(x): ...

if True:
    def test_g(): ...
"""
GO = "package a\n\nfunc TestA(t *testing.T) {}\nfunc Testing() {}\nfunc Test_b(t *testing.T) {}\n// func TestC(\n"
RUST = "#[test]\nfn a() {}\n\n#[test]\n#[should_panic]\nfn b() {}\n\nfn c() {}\n"
NODE = "test('a', () => {})\nit(\"b\", fn)\n  test('nested', fn)\ntest(`c${1}`, fn)\ntest.only('d', fn)\n"


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("tests/test_a.py", PYTHON, {"SumTest.test_a", "SumTest.test_b"}),
        ("a_test.go", GO, {"TestA", "Test_b"}),
        ("tests/a.rs", RUST, {"a", "b"}),
        ("a.test.mjs", NODE, {"a", "b"}),
        ("broken.py", "def (", set()),
        ("nul.py", "\0", set()),
    ],
)
def test_what_is_surely_a_test_is_found_in_the_text(path, text, names):
    assert names == declared(PurePosixPath(path), text).names


def test_what_is_a_test_under_pytest_alone_is_kept_apart():
    found = declared(PurePosixPath("tests/test_a.py"), PYTHON).functions
    assert {"test_e", "TestPlain.test_c"} == found


CASES = {
    "pytest": (
        "tests/test_a.py",
        "def test_a(): ...\nclass TestB:\n    def test_b(self): ...\n",
        {"tests/test_a.py::test_a[1]": True, "tests/test_a.py::TestB::test_b": True},
        ("python3", "-m", "pytest", "-q"),
    ),
    "unittest": (
        "tests/test_a.py",
        "class A(TestCase):\n    def test_a(self): ...\n    def test_b(self): ...\n",
        {"tests.test_a.A.test_a": True, "tests.test_a.A.test_b": False},
        ("python3", "-m", "unittest", "tests.test_a"),
    ),
    "unittest from its folder": (
        "tests/test_a.py",
        "class A(TestCase):\n    def test_a(self): ...\n",
        {"test_a.A.test_a": True},
        ("python3", "-m", "unittest", "discover", "-s", "tests"),
    ),
    "go": ("a_test.go", GO, {"x/a::TestA": True, "x/a::Test_b": True}, ("go", "test", "./...")),
    "rust": (
        "tests/a.rs",
        RUST,
        {"tests/a.rs::a": True, "tests/a.rs::b": True},
        ("cargo", "test"),
    ),
    "node": (
        "test/a.test.mjs",
        NODE,
        {"test/a.test.mjs::a": True, "test/a.test.mjs::b": True},
        ("node", "--test"),
    ),
}
each = pytest.mark.parametrize("kind", CASES)


@each
def test_where_all_ran_nothing_has_vanished(kind):
    path, text, ran, argv = CASES[kind]
    assert () == vanished({PurePosixPath(path): text}, ran, argv)


@each
def test_a_test_that_did_not_run_has_vanished(kind):
    path, text, ran, argv = CASES[kind]
    if kind == "unittest from its folder":
        ran = {"test_a.A.test_other": True, **ran}
    for gone in [name for name in ran if "other" not in name]:
        rest = {name: passed for name, passed in ran.items() if name != gone}
        if rest:
            assert vanished({PurePosixPath(path): text}, rest, argv)


@each
def test_a_skip_that_the_file_does_not_speak_of_is_a_test_that_vanished(kind):
    path, text, ran, argv = CASES[kind]
    skipped = dict.fromkeys(ran)
    assert vanished({PurePosixPath(path): text}, skipped, argv)
    speaks = {PurePosixPath(path): text + "\n# skip\n"}
    assert not [name for name in vanished(speaks, skipped, argv) if name.endswith("(skipped)")]


def test_a_file_that_was_named_and_told_nothing_has_vanished_as_a_whole():
    path, text, _, argv = CASES["unittest"]
    other = {"tests.test_other.T.test_x": True}
    expected = ("tests/test_a.py: A.test_a", "tests/test_a.py: A.test_b")
    assert expected == vanished({PurePosixPath(path): text}, other, argv)
    assert () == vanished({PurePosixPath(path): text}, other, (*argv[:3], "tests.test_other"))


@pytest.mark.parametrize(
    "argv",
    [
        ("python3", "-m", "pytest", "-k", "a"),
        ("python3", "-m", "pytest", "--deselect=tests/test_a.py::test_a"),
        ("pytest", "tests/test_a.py::test_b"),
        ("python3", "-m", "unittest", "-k", "a"),
        ("python3", "-m", "unittest", "tests.test_a.A"),
    ],
)
def test_a_command_that_chooses_says_nothing_of_the_others(argv):
    files = {PurePosixPath("tests/test_a.py"): CASES["unittest"][1]}
    assert () == vanished(files, {"tests.test_a.A.test_a": True}, argv)


MANY = 50_000
SOON_S = 5.0
"""Seconds; where each file is compared with each result, minutes would go by."""
FLOODS = {
    "results of elsewhere": (
        "a{}/test_a.py",
        CASES["pytest"][1],
        [f"x::t{n}" for n in range(MANY)],
    ),
    "results of a name that all files have": (
        "a{}/test_a.py",
        CASES["unittest"][1],
        ["test_a.A.test_b", *(f"test_a.A.t{n}" for n in range(MANY))],
    ),
    "results of Go": ("a{}/a_test.go", GO, ["TestA", *(f"p/TestA/{n}" for n in range(MANY))]),
    "functions of Go": (
        "a{}/a_test.go",
        "".join(f"func Test{n}(\n" for n in range(200)),
        [f"p::Test{n}" for n in range(MANY)],
    ),
}


@pytest.mark.parametrize("passed", [True, None])
@pytest.mark.parametrize("kind", FLOODS)
def test_what_vanished_is_found_at_once_among_results_without_end(kind, passed):
    path, text, names = FLOODS[kind]
    files = {PurePosixPath(path.format(at)): text for at in range(500)}
    start = time.process_time()
    gone = vanished(files, dict.fromkeys(names, passed), ("python3", "-m", "pytest"))
    assert time.process_time() - start < SOON_S
    assert len(gone) == len(set(gone))


CASE = {PurePosixPath("tests/test_a.py"): CASES["unittest"][1]}
OTHER = {"tests.test_other.T.test_x": True}


@pytest.mark.parametrize(
    "skipped",
    [
        "tests/test_a.py",
        "tests/__init__.py",
        "tests",
        "unittest.loader.ModuleSkipped.tests.test_a",
        "unittest.loader.ModuleSkipped.test_a",
        "unittest.loader.ModuleSkipped.tests",
    ],
)
def test_a_file_that_was_skipped_as_a_whole_has_vanished(skipped):
    argv = ("python3", "-m", "pytest", "-q")
    ran = {**OTHER, skipped: None}
    assert ("tests/test_a.py (skipped as a whole)",) == vanished(CASE, ran, argv)
    assert ("tests/test_a.py (skipped as a whole)",) == vanished(CASE, ran, (*argv, "-k", "x"))
    speaks = {path: text + "\nimportorskip\n" for path, text in CASE.items()}
    assert () == vanished(speaks, ran, argv)


@pytest.mark.parametrize(
    "skipped", ["tests/test_b.py", "test", "unittest.loader.ModuleSkipped.te"]
)
def test_another_file_that_was_skipped_says_nothing_of_this_one(skipped):
    assert () == vanished(CASE, {**OTHER, skipped: None}, ("python3", "-m", "pytest", "-q"))


@pytest.mark.parametrize(
    ("name", "full", "is_elsewhere"),
    [
        ("tests.test_a.A.test_a", "tests.test_a.A.test_a", False),
        ("test_a", "tests.test_a.A.test_a", False),
        ("A.test_a", "test_a.A.test_a", False),
        ("tests/test_a.py::A::test_a", "shop/tests/test_a.py::A::test_a", True),
        ("tests.test_a.A.test_a", "shop.tests.test_a.A.test_a", True),
        ("test_a", "shop/mine_test.py::test_a", True),
        ("test_unknown", "shop/mine_test.py::test_unknown", False),
    ],
)
def test_a_test_of_a_known_name_must_stand_where_it_is_declared(name, full, is_elsewhere):
    assert ({full} if is_elsewhere else set()) == Homes.read(CASE).elsewhere(name, {full})
