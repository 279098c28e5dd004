import io
import itertools
import random
import re
import stat
import tarfile
import zipfile
from pathlib import PurePosixPath

import pytest
from fairtrial_suite_folder import unpack as module
from fairtrial_suite_folder.tree import Leaf
from fairtrial_suite_folder.unpack import ArchiveRefused, unpack


def tar(*members: tuple[str, object], compression: str = "gz") -> bytes:
    """Bytes are a file; `("sym", target)` and the like make other members."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=f"w:{compression}") as archive:
        for name, what in members:
            member = tarfile.TarInfo(name)
            if isinstance(what, bytes):
                member.size = len(what)
                archive.addfile(member, io.BytesIO(what))
                continue
            kind, target = what
            member.type = {
                "sym": tarfile.SYMTYPE,
                "hard": tarfile.LNKTYPE,
                "fifo": tarfile.FIFOTYPE,
            }[kind]
            member.linkname = target
            archive.addfile(member)
    return out.getvalue()


def zipped(*members: tuple[str, bytes, int]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data, mode in members:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            archive.writestr(info, data)
    return out.getvalue()


@pytest.mark.parametrize("compression", ["", "gz", "bz2", "xz"])
def test_a_tar_becomes_a_tree_without_its_leading_folder(compression):
    data = tar(
        ("p-1/a.txt", b"a"), ("p-1/d/b", b"b"), ("p-1/l", ("sym", "d/b")), compression=compression
    )
    expected = {
        PurePosixPath("a.txt"): Leaf(data=b"a"),
        PurePosixPath("d/b"): Leaf(data=b"b"),
        PurePosixPath("l"): Leaf(link="d/b"),
    }
    assert expected == unpack(data, 1)


def test_a_zip_becomes_a_tree_with_its_modes_and_links():
    data = zipped(
        ("p/run", b"x", stat.S_IFREG | 0o755),
        ("p/l", b"run", stat.S_IFLNK | 0o777),
        ("p/d/", b"", stat.S_IFDIR | 0o755),
    )
    expected = {
        PurePosixPath("l"): Leaf(link="run"),
        PurePosixPath("run"): Leaf(data=b"x", executable=True),
    }
    assert expected == unpack(data, 1)


def test_a_hard_link_inside_is_a_file_of_its_own():
    data = tar(("a", b"x"), ("b", ("hard", "a")))
    assert Leaf(data=b"x") == unpack(data, 0)[PurePosixPath("b")]


@pytest.mark.parametrize(
    "data",
    [
        tar(("../a", b"x")),
        tar(("/etc/a", b"x")),
        tar(("p/../../a", b"x")),
        tar(("p/l", ("sym", "/etc/passwd"))),
        tar(("p/l", ("sym", "../../x"))),
        tar(("p/l", ("hard", "/etc/passwd"))),
        tar(("p/f", ("fifo", ""))),
        tar(("p/l", ("sym", "d")), ("p/l/x", b"through")),
        zipped(("../a", b"x", 0o644)),
        zipped(("a\\..\\b", b"x", 0o644)),
        zipped(("p/l", b"../../x", stat.S_IFLNK | 0o777)),
        tar(("a", b"x"))[:-20],
        b"no archive",
        b"",
    ],
    # By number: an archive's bytes hold the time at which it was made.
    ids=itertools.count(),
)
def test_an_archive_that_leads_out_or_is_none_is_refused(data):
    with pytest.raises(ArchiveRefused):
        unpack(data, 0)


@pytest.mark.parametrize("compression", ["bz2", "xz"])
def test_an_archive_with_a_fault_in_its_middle_is_refused(compression):
    digits = bytes(random.Random(1).choices(b"0123456789", k=200_000))
    data = tar(("a", digits), compression=compression)
    middle = len(data) // 2
    data = data[:middle] + b"\xff" * 64 + data[middle + 64 :]
    with pytest.raises(ArchiveRefused, match="it can't be read: "):
        unpack(data, 0)


def test_a_zip_that_is_encrypted_is_refused():
    data = zipped(("a", b"x", 0o644))
    # The first of the general flags, in the file's header and in the directory.
    data = re.sub(rb"(PK\x03\x04..).", b"\\1\x01", data, flags=re.DOTALL)
    data = re.sub(rb"(PK\x01\x02....).", b"\\1\x01", data, flags=re.DOTALL)
    with pytest.raises(ArchiveRefused, match=r"it can't be read: .*encrypted"):
        unpack(data, 0)


def test_what_is_no_archive_is_told_in_one_line():
    with pytest.raises(ArchiveRefused) as caught:
        unpack(b"no archive", 0)
    assert "it can't be read: file could not be opened successfully" == str(caught.value)


def test_an_archive_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 10)
    with pytest.raises(ArchiveRefused, match="too large"):
        unpack(tar(("a", b"x" * 11)), 0)
    with pytest.raises(ArchiveRefused, match="too large"):
        unpack(zipped(("a", b"x" * 11, 0o644)), 0)


def test_histories_and_leftovers_are_left_out():
    data = tar(("p/.git/config", b"x"), ("p/__pycache__/a.pyc", b"x"), ("p/a", b"x"))
    assert [PurePosixPath("a")] == list(unpack(data, 1))
