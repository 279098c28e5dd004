"""What crosses into the clean room, and how it is laid there."""

from pathlib import Path, PurePosixPath

import pytest
from fairtrial.api import Brief, Change, Patch, Task
from fairtrial.engine.cleanroom import admit, lay, readable


def task(**settings: object) -> Task:
    brief = Brief(prompt="mend it", timeout_s=10)
    return Task(id="t", family="t", brief=brief, digest="d", stack="python", **settings)  # type: ignore[arg-type]  # a test's shorthand


def change(path: str, after: bytes | None = b"x", link: str | None = None) -> Change:
    return Change(path=PurePosixPath(path), after=None if link else after, link=link)


def test_what_git_writes_by_itself_is_nobodys_change() -> None:
    names = ("index", "objects/ab/cdef", "logs/HEAD", "refs/heads/main", "HEAD", "COMMIT_EDITMSG")
    patch = Patch(changes=tuple(change(f".git/{name}") for name in names))
    admission = admit(patch, task())
    assert (Patch(), {}) == (admission.admitted, admission.dropped)
    assert Patch() == readable(patch)


@pytest.mark.parametrize("path", [".git/hooks/pre-commit", ".git/config", "sub/.git/index"])
def test_what_git_obeys_is_dropped_and_named(path: str) -> None:
    patch = Patch(changes=(change(path),))
    assert {path: "history or hooks"} == admit(patch, task()).dropped
    assert patch == readable(patch)


def test_an_ordinary_change_crosses() -> None:
    patch = Patch(changes=(change("src/a.py"), change("src/gone.py", None)))
    assert patch == admit(patch, task()).admitted


@pytest.mark.parametrize(
    "path",
    [
        "conftest.py",
        "tests/conftest.py",
        "pytest.ini",
        "sitecustomize.py",
        "evil.pth",
        "setup.cfg",
        "tox.ini",
        ".git/hooks/pre-commit",
        "lib/.git/config",
        "CONFTEST.py",
        "sitecustomize.cpython-311-x86_64-linux-gnu.so",
        "pytest.so",
        "iniconfig/__init__.py",
        "Makefile.sh",
        "makefile.c",
        "rules/common.mk",
        "RCS/Makefile,v",
    ],
)
def test_what_a_runner_executes_stays_outside_and_is_named(path: str) -> None:
    admission = admit(Patch(changes=(change(path),)), task())
    assert not admission.admitted
    assert [path] == list(admission.dropped)


def test_a_task_can_open_a_path_that_it_is_about() -> None:
    patch = Patch(changes=(change("tests/conftest.py"),))
    assert patch == admit(patch, task(open_paths=("tests/conftest.py",))).admitted


def test_a_protected_path_stays_outside_even_if_opened() -> None:
    patch = Patch(changes=(change("tests/test_a.py", None),))
    admission = admit(patch, task(protected=("tests/**",), open_paths=("tests/**",)))
    assert {"tests/test_a.py": "protected by the task"} == admission.dropped


def test_an_unknown_stack_keeps_out_what_any_runner_executes() -> None:
    paths = ["conftest.py", "package.json", "build.rs", "go.work"]
    patch = Patch(changes=tuple(change(path) for path in paths))
    brief = Brief(prompt="x", timeout_s=1)
    bare = Task(id="t", family="t", brief=brief, digest="d")
    assert paths == list(admit(patch, bare).dropped)


def test_caches_are_dropped_without_a_word() -> None:
    patch = Patch(changes=(change("src/__pycache__/a.cpython-311.pyc"), change("b.pyc")))
    admission = admit(patch, task())
    assert (Patch(), {}) == (admission.admitted, admission.dropped)


@pytest.mark.parametrize("target", ["/etc/passwd", "../outside", "a/../../outside", ".."])
def test_a_link_out_stays_outside(target: str) -> None:
    admission = admit(Patch(changes=(change("ln", link=target),)), task())
    assert {"ln": "a link out of the workspace"} == admission.dropped


def test_a_link_within_crosses() -> None:
    patch = Patch(changes=(change("a/ln", link="../b/c"),))
    assert patch == admit(patch, task()).admitted


def test_a_patch_is_laid_byte_for_byte(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"old")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/deep").write_bytes(b"x")
    patch = Patch(
        changes=(
            change("folder", b"now a file"),
            change("folder/deep", None),
            change("ln", link="new/x"),
            Change(path=PurePosixPath("new/x"), after=b"\0\xff", mode=0o755),
            change("old", None),
        )
    )
    assert () == lay(patch, tmp_path)
    assert b"now a file" == (tmp_path / "folder").read_bytes()
    assert b"\0\xff" == (tmp_path / "ln").read_bytes()
    assert 0o755 == (tmp_path / "new/x").stat().st_mode & 0o777
    assert not (tmp_path / "old").exists()


def test_nothing_is_written_through_a_link_of_the_fresh_tree(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    root = tmp_path / "root"
    root.mkdir()
    (root / "ln").symlink_to(outside)
    assert ("ln/x",) == lay(Patch(changes=(change("ln/x"),)), root)
    assert [] == list(outside.iterdir())


def test_a_file_replaces_a_link_instead_of_writing_through_it(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"safe")
    root = tmp_path / "root"
    root.mkdir()
    (root / "f").symlink_to(victim)
    assert () == lay(Patch(changes=(change("f", b"new"),)), root)
    assert (b"safe", b"new") == (victim.read_bytes(), (root / "f").read_bytes())


def test_a_file_does_not_replace_a_directory_that_still_has_files(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d/kept").write_bytes(b"")
    assert ("d",) == lay(Patch(changes=(change("d", b"x"),)), tmp_path)


def test_links_that_lead_out_together_are_refused(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    (tmp_path / "secret").write_text("not theirs")
    links = (
        change("a/b/c/top", link="../../.."),
        change("a/b/c/up", link="top/.."),
        change("open", link="a/b/c/up/secret"),
        change("a/near", link="../file"),
        change("file"),
    )
    patch = Patch(changes=links)
    assert patch == admit(patch, task()).admitted
    assert {"a/b/c/up", "open"} == set(lay(patch, root))
    assert b"x" == (root / "a/near").read_bytes()
    assert not (root / "open").is_symlink()
    assert not (root / "a/b/c/up").is_symlink()


def test_a_chain_of_links_that_the_kernel_gives_up_on_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    chain = [change(f"l/{at + 1}", link=str(at)) for at in range(1500)]
    around = (change("a", link="b"), change("b", link="a"))
    patch = Patch(changes=(change("l/0"), *chain, *around))
    refused = {f"l/{at}" for at in range(41, 1501)} | {"a", "b"}
    assert refused == set(lay(patch, root))
    assert b"x" == (root / "l/40").read_bytes()


def test_a_link_to_a_name_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    assert {"l"} == set(lay(Patch(changes=(change("l", link="a" * 300),)), root))
    assert not (root / "l").is_symlink()
