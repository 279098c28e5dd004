import subprocess
import sys
from pathlib import Path

import pytest
from fairtrial.stacks.results import cargo, go_json, junit, unittest_verbose

JUNIT = """<?xml version="1.0"?><testsuites><testsuite name="pytest">
<testcase classname="tests.test_a.TestA" name="test_x[1]" />
<testcase classname="tests.test_a" name="test_y"><failure message="no">tail</failure></testcase>
<testcase classname="tests.test_a" name="test_z"><skipped/></testcase>
<testcase classname="tests.test_a" name="test_e"><error/></testcase>
<testcase classname="test" name="adds" />
</testsuite></testsuites>"""


def test_junit_names_each_test():
    expected = {
        "tests.test_a.TestA::test_x[1]": True,
        "tests.test_a::test_y": False,
        "tests.test_a::test_z": None,
        "tests.test_a::test_e": False,
        "adds": True,
    }
    assert expected == junit(JUNIT)


def test_a_failure_wins_over_a_pass_of_the_same_name():
    case = '<testcase name="a"/>'
    text = f"<s>{case}<testcase name='a'><failure/></testcase>{case}</s>"
    assert {"a": False} == junit(text)


@pytest.mark.parametrize(
    "text", ['<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>', "<x>", "", "no report"]
)
def test_a_report_that_is_none_is_refused(text):
    with pytest.raises(ValueError, match="report"):
        junit(text)


def test_pytest_writes_what_junit_reads(tmp_path: Path):
    (tmp_path / "test_it.py").write_text(
        "import pytest\ndef test_a(): pass\ndef test_b(): assert 0\n@pytest.mark.skip\ndef test_c(): 1\n"
    )
    report = tmp_path / "report.xml"
    argv = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
    subprocess.run([*argv, "test_it.py"], cwd=tmp_path, check=False, capture_output=True)
    expected = {"test_it::test_a": True, "test_it::test_b": False, "test_it::test_c": None}
    assert expected == junit(report.read_text())


def test_go_tests_are_kept_by_the_package_of_the_event():
    text = "\n".join(  # noqa: FLY002 - one event a line
        [
            '{"Action":"run","Package":"a.b/c","Test":"TestX"}',
            '{"Action":"pass","Package":"a.b/c","Test":"TestX"}',
            '{"Action":"fail","Package":"a.b/c","Test":"TestX/v1.2"}',
            '{"Action":"skip","Package":"a.b/c","Test":"TestY"}',
            '{"Action":"fail","Package":"a.b/c"}',
            "not json",
            "[1]",
            '{"Action":"fail","Package":"broken"}',
        ]
    )
    expected = {
        "a.b/c::TestX": True,
        "a.b/c::TestX/v1.2": False,
        "a.b/c::TestY": None,
        "broken": False,
    }
    assert expected == go_json(text)


def test_cargo_tests_are_kept_by_target():
    text = (
        "     Running unittests src/lib.rs (target/debug/deps/x-1)\n"
        "test tests::adds ... ok\ntest tests::panics - should panic ... ok\n"
        "     Running tests/it.rs (target/debug/deps/it-1)\n"
        "test tests::adds ... FAILED\ntest slow ... ignored\n   Doc-tests x\ntest src/lib.rs - f (line 3) ... ok\n"
    )
    expected = {
        "src/lib.rs::tests::adds": True,
        "src/lib.rs::tests::panics": True,
        "tests/it.rs::tests::adds": False,
        "tests/it.rs::slow": None,
        "x::src/lib.rs - f (line 3)": True,
    }
    assert expected == cargo(text)


def test_unittest_names_each_test(tmp_path: Path):
    (tmp_path / "test_it.py").write_text(
        "import unittest\nclass T(unittest.TestCase):\n"
        "    def test_a(self):\n        'Says what it does.'\n"
        "    def test_b(self): self.fail()\n"
        "    @unittest.skip('x')\n    def test_c(self): pass\n"
    )
    argv = [sys.executable, "-m", "unittest", "-v", "test_it"]
    done = subprocess.run(argv, cwd=tmp_path, check=False, capture_output=True, text=True)
    expected = {
        "test_a (test_it.T.test_a)": True,
        "test_b (test_it.T.test_b)": False,
        "test_c (test_it.T.test_c)": None,
    }
    assert expected == unittest_verbose(done.stderr)
