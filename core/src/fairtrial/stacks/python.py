"""Python, with unittest and pytest."""

from pathlib import PurePosixPath

from fairtrial.stacks.counts import pytest_ran, unittest_ran
from fairtrial.stacks.results import junit, unittest_verbose
from fairtrial.stacks.stack import Companion, Runner, Stack

_COMPILED = (".so", ".*.so", ".pyd", ".*.pyd")
"""What else an interpreter takes for a module, and takes first."""

_SHADOWS = (
    "sitecustomize",
    "usercustomize",
    "pytest",
    "_pytest",
    "pluggy",
    "iniconfig",
    "unittest",
)

PYTHON = Stack(
    name="python",
    markers=("pyproject.toml", "setup.py", "setup.cfg"),
    source=("*.py", "*.pyi", "*.pyx"),
    tests=("test_*.py", "*_test.py", "tests", "test", "testing", "conftest.py"),
    tooling=(
        "pyproject.toml",
        "setup.cfg",
        "tox.ini",
        "noxfile.py",
        ".pre-commit-config.yaml",
        "requirements*.txt",
        "*.lock",
    ),
    executed=(
        "conftest.py",
        "pytest.ini",
        ".pytest.ini",
        "pytest.toml",
        ".pytest.toml",
        "tox.ini",
        "tox.toml",
        "setup.cfg",
        "setup.py",
        "pyproject.toml",
        "noxfile.py",
        ".coveragerc",
        ".coveragerc.toml",
        "sitecustomize.py",
        "sitecustomize",
        "usercustomize.py",
        "usercustomize",
        "*.pth",
        "*.egg-link",
        "*.dist-info",
        "*.egg-info",
        "pyvenv.cfg",
        "python._pth",
        "__editable__*",
        # Modules of these names would be imported in place of the runner's own.
        "pytest.py",
        "_pytest",
        "pluggy.py",
        "iniconfig.py",
        "unittest.py",
        "/pluggy",
        "/pytest",
        "/unittest",
        "/src/pluggy",
        "/src/pytest",
        "/src/unittest",
        "/iniconfig",
        "/src/iniconfig",
        *(f"{name}{ending}" for name in _SHADOWS for ending in _COMPILED),
        "/doctest.py",
        "/runpy.py",
        "/site.py",
    ),
    test_command=("python3", "-m", "pytest", "-q", "-p", "no:cacheprovider"),
    runners=(
        Runner(
            name="pytest",
            words=("pytest",),
            ran=pytest_ran,
            results=junit,
            report=("--junitxml={report}",),
        ),
        Runner(
            name="unittest",
            words=("-m", "unittest"),
            ran=unittest_ran,
            results=unittest_verbose,
        ),
    ),
    companion=Companion(
        place=PurePosixPath("test_heldout_check.py"),
        command=("python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "{check}"),
    ),
    environment={
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": "",
        "PYTEST_ADDOPTS": "",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "",
    },
)
