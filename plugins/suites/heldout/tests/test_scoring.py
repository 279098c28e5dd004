"""One tree, one companion: where it is laid, what is kept, what can't be tricked."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from fairtrial.api import Fence
from fairtrial.conformance.fakes import ScriptedWorkspace, open_local
from fairtrial_suite_heldout.scoring import Held, score

PYTHON = "from twice import double\n\n\ndef test_others():\n    assert double(7) == 14\n"
NODE = (
    'import assert from "node:assert/strict";\nimport test from "node:test";\n'
    'import { double } from "./twice.js";\n'
    'test("others", () => assert.equal(double(7), 14));\n'
)
RUST = "#[test]\nfn others() {\n    assert_eq!(14, twice::double(7));\n}\n"
GO = (
    'package twice\n\nimport "testing"\n\nfunc TestOthers(t *testing.T) {\n'
    "\tif Double(7) != 14 {\n\t\tt.Fail()\n\t}\n}\n"
)
TREES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "python": (
        PYTHON,
        {"pyproject.toml": "", "twice.py": "def double(n):\n    return n * 2\n"},
    ),
    "node": (
        NODE,
        {
            "package.json": '{"type": "module"}',
            "twice.js": "export const double = (n) => n * 2;\n",
        },
    ),
    "rust": (
        RUST,
        {
            "Cargo.toml": '[package]\nname = "twice"\nversion = "0.1.0"\nedition = "2021"\n',
            "src/lib.rs": "pub fn double(n: i64) -> i64 {\n    n * 2\n}\n",
        },
    ),
    "go": (
        GO,
        {
            "go.mod": "module twice\n\ngo 1.19\n",
            "twice.go": "package twice\n\nfunc Double(n int) int {\n\treturn n * 2\n}\n",
        },
    ),
}


def scored(
    files: Mapping[str, str], companion: str, stack: str = "", timeout_s: float = 120.0
) -> bool | None:
    with open_local("score", Fence()) as workspace:
        lay(workspace.root, files)
        before = names(workspace.root)
        outcome = score(
            Held(id="twice.1", content=companion.encode()), stack, workspace, timeout_s
        )
        assert before <= names(workspace.root)
        assert not [name for name in names(workspace.root) if "heldout" in name.lower()]
        return outcome


def lay(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def names(root: Path) -> set[str]:
    hidden = ("target", "__pycache__")
    found = (str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())
    return {name for name in found if not name.startswith(hidden)}


@pytest.mark.parametrize("stack", TREES)
def test_each_tool_chain_finds_its_companion(stack: str) -> None:
    companion, files = TREES[stack]
    wrong = {name: text.replace("n * 2", "n + 2") for name, text in files.items()}
    assert True is scored(files, companion)
    assert False is scored(wrong, companion)


def test_a_tree_of_no_known_tool_chain_fails() -> None:
    assert False is scored({"twice.py": ""}, PYTHON)


def test_the_tasks_tool_chain_wins_over_a_marker_that_was_planted() -> None:
    files = {**TREES["python"][1], "Cargo.toml": ""}
    assert True is scored(files, PYTHON, stack="python")


@pytest.mark.parametrize(
    ("stack", "link"), [("python", "test_heldout_check.py"), ("rust", "tests")]
)
def test_a_link_in_the_companions_place_fails_and_nothing_is_written_through_it(
    tmp_path: Path, stack: str, link: str
) -> None:
    companion, files = TREES[stack]
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("as it was")
    with open_local("score", Fence()) as workspace:
        lay(workspace.root, files)
        target = outside if stack == "rust" else outside / "file"
        (workspace.root / link).symlink_to(target)
        held = Held(id="twice.1", content=companion.encode())
        assert False is score(held, stack, workspace, 20.0)
        assert (workspace.root / link).is_symlink()
    assert {"file": "as it was"} == {path.name: path.read_text() for path in outside.iterdir()}


def test_a_file_in_the_companions_place_is_replaced() -> None:
    files = {**TREES["python"][1], "test_heldout_check.py": "def test_x():\n    assert True\n"}
    wrong = {**files, "twice.py": "def double(n):\n    return 0\n"}
    with open_local("score", Fence()) as workspace:
        lay(workspace.root, wrong)
        held = Held(id="twice.1", content=PYTHON.encode())
        assert False is score(held, "python", workspace, 20.0)


def test_a_companion_that_loops_fails_in_its_time() -> None:
    loop = "def test_others():\n    while True:\n        pass\n"
    assert False is scored(TREES["python"][1], loop, timeout_s=2.0)


def test_code_that_ends_the_process_well_has_not_passed() -> None:
    files = {**TREES["python"][1], "twice.py": "import os\n\nos._exit(0)\n"}
    assert scored(files, PYTHON) is not True


def test_a_companion_without_a_test_is_not_judged_passed() -> None:
    assert scored(TREES["python"][1], "x = 1\n") is not True


def test_a_program_that_is_missing_says_nothing(tmp_path: Path) -> None:
    lay(tmp_path, TREES["python"][1])
    hollow = ScriptedWorkspace(root=tmp_path, missing=True)
    assert score(Held(id="twice.1", content=PYTHON.encode()), "python", hollow, 5.0) is None


@pytest.mark.parametrize("depth", [0, 1500])
def test_a_folder_put_in_the_companions_place_is_no_fault_of_the_graders(depth: int) -> None:
    code = (
        "import os\n\n\ndef double(n):\n    os.remove('test_heldout_check.py')\n"
        "    os.mkdir('test_heldout_check.py')\n    here = os.getcwd()\n"
        f"    os.chdir('test_heldout_check.py')\n    for _ in range({depth}):\n"
        "        os.mkdir('d')\n        os.chdir('d')\n    os.chdir(here)\n    return 1\n"
    )
    with open_local("score", Fence()) as workspace:
        lay(workspace.root, {**TREES["python"][1], "twice.py": code})
        held = Held(id="twice.1", content=PYTHON.encode())
        assert score(held, "", workspace, 120.0) is False
