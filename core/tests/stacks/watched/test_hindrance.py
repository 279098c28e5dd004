"""Commands that no test of the grader's can run beside."""

import pytest
from fairtrial.stacks.watched import hindrance


@pytest.mark.parametrize(
    "line",
    [
        "go test ./...",
        "go test -v -count=1 ./shop",
        "cargo test --offline --test prices",
        "cargo test -- --test-threads=1",
        "node --test test/",
        "python3 -m pytest -q -k split tests",
        "python3 -m unittest -q tests.test_prices",
        "pytest -x",
    ],
)
def test_a_command_that_runs_whole_files_can_be_watched(line: str) -> None:
    assert "" == hindrance(tuple(line.split()))


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("go test -run TestSplit ./...", "-run"),
        ("go test --skip=Slow ./...", "-skip"),
        ("cargo test split", "split"),
        ("cargo test --workspace", "--workspace"),
        ("cargo test -- --exact split", "--exact split"),
        ("node --test --test-name-pattern=split", "--test-name-pattern"),
        ("pytest -n 4", "-n"),
        ("python3 -m pytest --junitxml=x.xml", "--junitxml"),
    ],
)
def test_the_word_that_hinders_is_named(line: str, word: str) -> None:
    said = f"with “{word}” no test of the grader's can run among its own"
    assert said == hindrance(tuple(line.split()))


@pytest.mark.parametrize("line", ["make test", "sh run.sh", "cargo nextest run", "go vet ./..."])
def test_an_unknown_runner_is_said_to_be_unknown(line: str) -> None:
    assert "its test runner isn't known" == hindrance(tuple(line.split()))
