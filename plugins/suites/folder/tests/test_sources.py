import base64
import hashlib
import http.server
import io
import json
import os
import subprocess
import tarfile
import threading
from pathlib import Path

import pytest
from fairtrial.api import SuiteError
from fairtrial_suite_folder import FolderSuite

PLANT = """\
--- a/clock.py
+++ b/clock.py
@@ -1,2 +1,2 @@
 def tick(at):
-    return at + 1
+    return at
"""

FILES = {
    "clock.py": b"def tick(at):\n    return at + 1\n",
    "tests/__init__.py": b"",
    "tests/test_clock.py": b"import unittest, clock\nclass T(unittest.TestCase):\n"
    b"    def test_a(self): self.assertEqual(2, clock.tick(1))\n",
    "docs/x.md": b"x",
}


def packed(top: str = "clock-1.0/") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, data in FILES.items():
            member = tarfile.TarInfo(top + name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return out.getvalue()


PACKED = packed()
SHA256 = hashlib.sha256(PACKED).hexdigest()


def task(source: str) -> str:
    return (
        'name = "clock"\nprompt = "The clock is one off."\nstack = "python"\n'
        'test_cmd = ["python3", "-m", "unittest", "-q"]\ntest_files = ["tests"]\n'
        f'[source]\n{source}\nplant = "bug.patch"\n'
    )


@pytest.fixture
def sourced(folder):
    def write(source: str) -> None:
        folder.write("clock/task.toml", task(source))
        folder.write("clock/bug.patch", PLANT)

    return write


def refused(suite: FolderSuite) -> SuiteError:
    with pytest.raises(SuiteError) as caught:
        suite.preflight(tuple(suite.tasks()))
    assert caught.value.way_on
    assert "clock" == caught.value.task
    return caught.value


def archive(folder) -> str:
    folder.write("archives/x.tar.gz", PACKED)
    folder.write("archives/task.toml", "")
    (folder.root / "archives").rename(folder.root.parent / "archives")
    return f'archive = "../../archives/x.tar.gz"\nsha256 = "{SHA256}"'


def test_an_archive_with_a_planted_bug_is_a_task(folder, sourced, graded, fix):
    sourced(archive(folder))
    assert False is graded().resolved
    assert ("clock.py",) == fix().paths
    assert True is graded(fix()).resolved


def test_a_second_run_needs_the_source_no_more(folder, sourced, suite, cache):
    sourced(archive(folder))
    suite.preflight(tuple(suite.tasks()))
    (folder.root.parent / "archives/x.tar.gz").unlink()
    again = FolderSuite(path=folder.root / ".." / "suite", cache=cache)
    again.preflight(tuple(again.tasks()))
    assert [SHA256] == [file.name for file in (cache / "sources").iterdir()]


def test_a_torn_file_in_the_cache_is_fetched_anew(folder, sourced, suite, cache):
    sourced(archive(folder))
    kept = folder.write("x", b"torn")
    (cache / "sources").mkdir(parents=True)
    kept.rename(cache / "sources" / SHA256)
    suite.preflight(tuple(suite.tasks()))
    assert PACKED == (cache / "sources" / SHA256).read_bytes()


def test_another_digest_is_refused_and_not_kept(folder, sourced, suite, cache):
    sourced(archive(folder).replace(SHA256, "0" * 64))
    error = refused(suite)
    assert "has another digest than the task says" in error.problem
    assert SHA256 in error.way_on
    assert not (cache / "sources").exists()


def test_a_missing_archive_is_refused(sourced, suite):
    sourced(f'archive = "../no.tar.gz"\nsha256 = "{SHA256}"')
    assert "can't be fetched: No such file or directory" in refused(suite).problem


def test_an_archive_that_is_a_pipe_is_never_read(folder, sourced, suite):
    os.mkfifo(folder.root.parent / "pipe")
    sourced(f'archive = "../../pipe"\nsha256 = "{SHA256}"')
    assert "can't be fetched: it is a named pipe, not a file" in refused(suite).problem


def test_a_cache_that_can_not_be_written_is_refused(folder, sourced, tmp_path: Path):
    sourced(archive(folder))
    (tmp_path / "file").write_text("")
    error = refused(FolderSuite(path=folder.root, cache=tmp_path / "file"))
    assert "can't be kept in the cache: Not a directory" in error.problem
    assert "FAIRTRIAL_CACHE" in error.way_on


def test_a_patch_that_does_not_fit_is_refused(folder, sourced, suite):
    sourced(archive(folder))
    folder.write("clock/bug.patch", PLANT.replace("tick", "tock"))
    assert "“bug.patch” can't be applied: the hunk at line 1" in refused(suite).problem


def test_a_test_file_that_is_not_in_the_source_is_refused(folder, sourced, suite):
    sourced(archive(folder))
    text = (folder.root / "clock/task.toml").read_text()
    folder.write("clock/task.toml", text.replace('["tests"]', '["spec"]'))
    assert "the test file “spec” is not in the source's tree" in refused(suite).problem


def test_a_part_of_a_source_can_be_chosen(folder, sourced, seeded):
    sourced(archive(folder) + '\ninclude = ["*.py"]\nexclude = ["tests/__init__.py"]')
    with seeded() as workspace:
        found = sorted(str(p.relative_to(workspace.root)) for p in workspace.root.rglob("*.py"))
        assert ["clock.py", "tests/test_clock.py"] == found
        assert not (workspace.root / "docs").exists()


def test_nothing_left_of_a_source_is_refused(folder, sourced, suite):
    sourced(archive(folder) + '\nroot = "nowhere"')
    assert "nothing of " in refused(suite).problem


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("strip = 1", "[source] names nothing"),
        ('pypi = "a"\nnpm = "b"', "[source] names pypi and npm"),
        ('pypi = "a"', "the key “version” is missing"),
        ('pypi = "-a"', "“pypi” must be a package's name"),
        ('pypi = "a"\nversion = ">=1"', "“version” must be an exact version"),
        ('pypi = "a"\nversion = "1"', "the key “sha256” is missing"),
        ('pypi = "a"\nversion = "1"\nsha256 = "AB"', "“sha256” must be 64 hexadecimal digits"),
        ('git = "x"\nrev = "main"', "“rev” must be a full commit id"),
        ('git = "--upload-pack=x"\nrev = "main"', "“--upload-pack=x” is no address"),
        ('npm = "a"\nversion = "1"\nintegrity = "sha1-x"', "“integrity” must be sha512-"),
        (
            f'archive = "x"\nsha256 = "{SHA256}"\nroot = "../.."',
            "the path “../..” is not a relative path",
        ),
    ],
)
def test_a_source_that_is_not_pinned_is_refused(sourced, suite, source, problem):
    sourced(source)
    with pytest.raises(SuiteError) as caught:
        tuple(suite.tasks())
    assert problem in caught.value.problem
    assert dict(caught.value.facts)["at"].startswith("[source]")


@pytest.fixture
def repository(tmp_path: Path) -> tuple[Path, str]:
    root = tmp_path / "repository"
    root.mkdir()
    for name, data in FILES.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_bytes(data)
    plain = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        **{
            f"GIT_{who}_{what}": "x"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        },
    }

    def git(*argv: str) -> str:
        done = subprocess.run(
            ["git", *argv], cwd=root, env=plain, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    (root / "later").write_text("the fix")
    git("add", ".")
    git("commit", "-qm", "two")
    return root, git("rev-parse", "HEAD~")


def test_a_revision_of_a_repository_comes_without_its_history(sourced, seeded, repository):
    root, revision = repository
    sourced(f'git = "{root}"\nrev = "{revision}"')
    with seeded() as workspace:
        names = sorted(path.name for path in workspace.root.iterdir())
        assert [".git", "clock.py", "docs", "tests"] == names


def test_a_repository_is_asked_once(sourced, suite, cache, repository, folder):
    root, revision = repository
    sourced(f'git = "{root}"\nrev = "{revision}"')
    suite.preflight(tuple(suite.tasks()))
    root.rename(root.with_name("gone"))
    again = FolderSuite(path=folder.root / ".", cache=cache)
    again.preflight(tuple(again.tasks()))
    assert [f"git-{revision}"] == [file.name for file in (cache / "sources").iterdir()]


def test_hooks_and_attributes_of_a_repository_do_not_run(
    sourced, suite, repository, tmp_path: Path
):
    root, revision = repository
    for hook in ("post-checkout", "pre-auto-gc", "reference-transaction", "fsmonitor"):
        file = root / ".git/hooks" / hook
        file.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
        file.chmod(0o755)
    sourced(f'git = "{root}"\nrev = "{revision}"')
    suite.preflight(tuple(suite.tasks()))
    assert not (tmp_path / "ran").exists()


def test_a_revision_that_is_not_there_is_refused(sourced, suite, repository):
    sourced(f'git = "{repository[0]}"\nrev = "{"0" * 40}"')
    assert "can't be fetched" in refused(suite).problem


class Index:
    """A simple index on this machine, with one package."""

    def __init__(self, *, form: str, file: str = "clock-1.0.tar.gz") -> None:
        self.asked: list[str] = []
        self.form, self.file = form, file
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append(f"{self.path} {self.headers.get('Authorization', '')}".strip())
                kind, body = outer.answer(self.path)
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", kind)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://u:p%40@127.0.0.1:{self.server.server_port}/simple"

    def answer(self, path: str) -> tuple[str, bytes]:
        if path == f"/files/{self.file}":
            return "application/octet-stream", PACKED
        if path != "/simple/my-clock/":
            return "text/plain", b""
        if self.form == "html":
            link = f'<a href="../../files/{self.file}#sha256={SHA256}">x</a>'
            return "text/html", f'<!DOCTYPE html><a href="../../files/x.whl">y</a>{link}'.encode()
        page = {"files": [{"filename": self.file, "url": f"../../files/{self.file}"}]}
        return "application/vnd.pypi.simple.v1+json", json.dumps(page).encode()


@pytest.fixture
def serve(monkeypatch):
    running = []

    def start(form: str, file: str) -> Index:
        index = Index(form=form, file=file)
        threading.Thread(target=index.server.serve_forever, args=(0.01,), daemon=True).start()
        running.append(index)
        for name in ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL"):
            monkeypatch.setenv(name, index.url)
        for name in ("UV_INDEX", "UV_EXTRA_INDEX_URL"):
            monkeypatch.delenv(name, raising=False)
        return index

    yield start
    for index in running:
        index.server.shutdown()
        index.server.server_close()


@pytest.mark.parametrize("form", ["html", "json"])
@pytest.mark.parametrize("file", ["my_clock-1.0.tar.gz", "My.Clock-1.0.tar.gz"])
def test_a_package_comes_from_the_index_that_the_user_set_up(sourced, suite, serve, form, file):
    index = serve(form, file)
    sourced(f'pypi = "My.Clock"\nversion = "1.0"\nsha256 = "{SHA256}"')
    suite.preflight(tuple(suite.tasks()))
    token = base64.b64encode(b"u:p@").decode()
    assert f"/simple/my-clock/ Basic {token}" == index.asked[0]
    assert f"/files/{file}" == index.asked[1].split()[0]


def test_a_version_that_the_index_does_not_have_is_refused(sourced, suite, serve):
    serve("json", "my_clock-1.0.tar.gz")
    sourced(f'pypi = "my-clock"\nversion = "2.0"\nsha256 = "{SHA256}"')
    assert "no source distribution of that version" in refused(suite).problem


def test_a_package_that_the_index_does_not_have_is_refused(sourced, suite, serve):
    serve("json", "my_clock-1.0.tar.gz")
    sourced(f'pypi = "other"\nversion = "2.0"\nsha256 = "{SHA256}"')
    error = refused(suite)
    assert "other 2.0 can't be fetched: the index answered 404" in error.problem


def test_an_index_that_does_not_answer_is_refused(sourced, suite, serve):
    index = serve("json", "x")
    index.server.shutdown()
    index.server.server_close()
    sourced(f'pypi = "clock"\nversion = "1.0"\nsha256 = "{SHA256}"')
    assert "the index can't be reached: " in refused(suite).problem


def test_a_package_of_npm_is_packed_by_npm_itself(sourced, suite, tmp_path: Path, monkeypatch):
    """A stand-in on PATH: it gets the arguments, and writes the archive where it is told."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (tmp_path / "x.tgz").write_bytes(PACKED)
    npm = programs / "npm"
    npm.write_text(
        f'#!/bin/sh\necho "$@" > {tmp_path}/said\nwhile [ "$1" != --pack-destination ]; do shift; done\n'
        f'cp {tmp_path}/x.tgz "$2/"\n'
    )
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    integrity = "sha512-" + base64.b64encode(hashlib.sha512(PACKED).digest()).decode()
    sourced(f'npm = "@x/clock"\nversion = "1.0.0"\nintegrity = "{integrity}"')
    suite.preflight(tuple(suite.tasks()))
    said = (tmp_path / "said").read_text().split()
    assert ["pack", "@x/clock@1.0.0", "--ignore-scripts"] == said[:3]
