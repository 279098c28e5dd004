"""
The harness reads an agent's tree without git, so that nothing of the tree's can make git run it.

The trap is set so that every git command of a person's would spring it; then all that the engine
does to a tree is done.
"""

import os
import subprocess
from pathlib import Path

import pytest
from fairtrial.api import Brief, Task
from fairtrial.engine.cleanroom import admit, lay, readable
from fairtrial.engine.patchfile import unified
from fairtrial.engine.snapshot import difference, snapshot

CONFIG = """
[core]
\trepositoryformatversion = 0
\tbare = false
\tfsmonitor = {trap} fsmonitor
\thooksPath = hooks
\tpager = {trap} pager
\teditor = {trap} editor
\tsshCommand = {trap} ssh
\tattributesFile = attributes
[alias]
\tstatus = !{trap} alias
\tdiff = !{trap} alias
[filter "evil"]
\tclean = {trap} clean
\tsmudge = {trap} smudge
\trequired = true
[diff "evil"]
\ttextconv = {trap} textconv
\tcommand = {trap} diff
[diff]
\texternal = {trap} external
[credential]
\thelper = !{trap} credential
[gc]
\tauto = 1
[include]
\tpath = ../included
[includeIf "gitdir:**"]
\tpath = ../included
"""
HOOKS = (
    "pre-commit",
    "post-checkout",
    "post-index-change",
    "reference-transaction",
    "pre-auto-gc",
)


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    script = tmp_path / "trap.sh"
    script.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/sprung\ncat\n')
    script.chmod(0o755)
    return script


@pytest.fixture
def tree(tmp_path: Path, trap: Path) -> Path:
    root = tmp_path / "tree"
    root.mkdir()
    quiet = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(["git", "init", "-q", "."], cwd=root, env=quiet, check=True)
    (root / "a.txt").write_text("one\n")
    (root / ".git/config").write_text(CONFIG.format(trap=trap))
    (root / ".gitattributes").write_text("* filter=evil diff=evil\n")
    (root / "included").write_text(f"[core]\n\tfsmonitor = {trap} included\n")
    for folder in (root / "hooks", root / ".git/hooks"):
        folder.mkdir(exist_ok=True)
        for name in HOOKS:
            (folder / name).write_text(f"#!/bin/sh\n{trap} {name}\n")
            (folder / name).chmod(0o755)
    return root


def test_the_trap_is_a_real_one(tree: Path, tmp_path: Path) -> None:
    subprocess.run(["git", "add", "a.txt"], cwd=tree, check=False, capture_output=True, timeout=30)
    assert (tmp_path / "sprung").exists()


def test_nothing_that_the_engine_does_to_a_tree_springs_it(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tree)
    before = snapshot(tree)
    (tree / "a.txt").write_text("two\n")
    (tree / "b.txt").write_text("new\n")
    (tree / ".git/hooks/pre-push").write_text("#!/bin/sh\n")
    left = difference(before, tree)
    assert (".git/hooks/pre-push", "a.txt", "b.txt") == left.patch.paths
    brief = Brief(prompt="mend it", timeout_s=10)
    admission = admit(left.patch, Task(id="t", family="t", brief=brief, digest="d"))
    assert {".git/hooks/pre-push": "history or hooks"} == admission.dropped
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    assert () == lay(admission.admitted, fresh)
    assert b"+two" in unified(readable(left.patch), {"a.txt": b"one\n"}.get)
    assert not (tmp_path / "sprung").exists()
