import subprocess
from pathlib import Path, PurePosixPath

import pytest
from fairtrial_suite_folder.tree import Leaf
from fairtrial_suite_folder.unified import PatchRefused, apply

A = PurePosixPath("src/a.txt")
TREE = {A: Leaf(data=b"one\ntwo\nthree\nfour\n", executable=True)}

DIFF = b"""\
remarks before the header are fine
--- a/src/a.txt
+++ b/src/a.txt
@@ -1,3 +1,3 @@
 one
-two
+2
 three
"""


def test_a_patch_that_matches_is_applied_and_keeps_the_mode():
    assert {A: Leaf(data=b"one\n2\nthree\nfour\n", executable=True)} == apply(DIFF, TREE)


@pytest.mark.parametrize(
    ("diff", "problem"),
    [
        (b"", "it holds no change"),
        (DIFF.replace(b" one", b" uno"), "the hunk at line 1 of src/a.txt does not match"),
        (DIFF.replace(b"-1,3 ", b"-2,3 "), "the hunk at line 2 of src/a.txt does not match"),
        (DIFF.replace(b"a.txt", b"b.txt"), "src/b.txt is not a file of the tree"),
        (DIFF.replace(b" three\n", b""), "line 8: the hunk is shorter than its header says"),
        (DIFF.replace(b"b/src/a.txt", b"b/../a.txt"), "line 3: “b/../a.txt” is not a path"),
        (DIFF.replace(b"+1,3", b"+1,2"), "line 8: the hunk is longer than its header says"),
        (DIFF + b"+more\n", "line 9: the hunk is longer than its header says"),
        (DIFF.split(b"@@")[0], "a file's header without a hunk"),
        (b"diff --git a/x b/y\nrename from x\n", "only changes of text are supported"),
        (b"--- /dev/null\n+++ b/src/a.txt\n@@ -0,0 +1 @@\n+x\n", "but is there already"),
        (b"--- a/src/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n", "lines would be left"),
    ],
)
def test_a_patch_that_does_not_fit_exactly_is_refused(diff, problem):
    with pytest.raises(PatchRefused) as caught:
        apply(diff, TREE)
    assert problem in str(caught.value)


def test_a_patch_is_never_reversed():
    patched = apply(DIFF, TREE)
    with pytest.raises(PatchRefused):
        apply(DIFF, patched)


def test_files_are_made_and_deleted():
    diff = (
        b"--- a/src/a.txt\n+++ /dev/null\n@@ -1,4 +0,0 @@\n-one\n-two\n-three\n-four\n"
        b"--- /dev/null\n+++ b/new/b.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n"
    )
    assert {PurePosixPath("new/b.txt"): Leaf(data=b"x\ny")} == apply(diff, TREE)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\nb\nc\n", b"a\nB\nc\n"),
        (b"a\nb", b"a\nb\n"),
        (b"a\nb\n", b"a\nb"),
        (b"a\r\nb\r\n", b"a\r\nB\r\n"),
        (b"a\rb\x0cc\n\xff\n", b"a\rb\x0cc\n\xfe\n"),
        (b"", b"x\n"),
        (
            b"\n".join(b"%d" % n for n in range(60)),
            b"\n".join(b"%d" % (n ^ 32) for n in range(60)),
        ),
    ],
)
def test_what_git_writes_is_applied_byte_for_byte(tmp_path: Path, before, after):
    for side, data in (("a", before), ("b", after)):
        (tmp_path / side).mkdir()
        (tmp_path / side / "f").write_bytes(data)
    argv = ["git", "diff", "--no-index", "--no-prefix", "--text", "a/f", "b/f"]
    diff = subprocess.run(argv, cwd=tmp_path, capture_output=True, check=False).stdout
    path = PurePosixPath("f")
    assert {path: Leaf(data=after)} == apply(diff, {path: Leaf(data=before)})
