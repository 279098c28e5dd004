"""Archives into trees, in memory, trusting nothing that they say of paths, links and sizes."""

import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

from fairtrial_suite_folder.tree import IGNORED, Leaf, leads_out

MOST_BYTES = 512 * 1024 * 1024
"""Most bytes that an archive may unpack to."""

MOST_FILES = 50_000
"""Most files that an archive may hold."""


_UNREADABLE = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    RuntimeError,  # a zip that is encrypted, or packed by a method unknown here
)


class ArchiveRefused(Exception):
    """An archive that can't or must not be unpacked; its text says why."""


def unpack(data: bytes, strip: int) -> dict[PurePosixPath, Leaf]:
    """
    Returns the files and links of a tar (gzip, bzip2, xz or plain) or a zip archive.

    Args:
        data: The archive.
        strip: How many leading folders of each path are left out; paths that have no more than
            that vanish.

    Raises:
        ArchiveRefused: A path is absolute or climbs, a link leads out, there is a device or a
            hard link to nowhere, it is too large, or it is no archive.
    """
    found: dict[PurePosixPath, Leaf] = {}
    try:
        members = _zip(data) if zipfile.is_zipfile(io.BytesIO(data)) else _tar(data)
        for name, leaf in members:
            path = _inside(name, strip)
            if path is None or any(part in IGNORED for part in path.parts):
                continue
            if leaf.link is not None and leads_out(path, leaf.link):
                msg = f"the link “{name}” leads out: “{leaf.link}”"
                raise ArchiveRefused(msg)
            found[path] = leaf
    except _UNREADABLE as error:
        # What tarfile says of bytes that no opener takes has a line for each opener.
        msg = f"it can't be read: {str(error).partition(chr(10))[0].rstrip(':')}"
        raise ArchiveRefused(msg) from error
    _no_path_below_a_leaf(found)
    return dict(sorted(found.items()))


def _inside(name: str, strip: int) -> PurePosixPath | None:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name:
        msg = f"the path “{name}” leads out"
        raise ArchiveRefused(msg)
    parts = path.parts[strip:]
    return PurePosixPath(*parts) if parts else None


def _no_path_below_a_leaf(found: dict[PurePosixPath, Leaf]) -> None:
    """A member below a link of the same archive would be written through that link."""
    for path in found:
        for parent in path.parents:
            if parent in found:
                msg = f"“{path}” lies below “{parent}”, which is no folder"
                raise ArchiveRefused(msg)


def _tar(data: bytes) -> Iterator[tuple[str, Leaf]]:
    total = count = 0
    files: dict[str, Leaf] = {}
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:*") as archive:
        for member in archive:
            count, total = count + 1, total + member.size
            _bounded(count, total)
            if member.isdir():
                continue
            if member.issym():
                yield member.name, Leaf(link=member.linkname)
            elif member.islnk():
                if member.linkname not in files:
                    msg = f"“{member.name}” is a hard link to what isn't there"
                    raise ArchiveRefused(msg)
                yield member.name, files[member.linkname]
            elif member.isfile():
                content = archive.extractfile(member)
                body = content.read() if content else b""
                files[member.name] = Leaf(data=body, executable=bool(member.mode & 0o100))
                yield member.name, files[member.name]
            else:
                msg = f"“{member.name}” is neither a file, a folder nor a link"
                raise ArchiveRefused(msg)


def _zip(data: bytes) -> Iterator[tuple[str, Leaf]]:
    total = 0
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for count, member in enumerate(archive.infolist(), start=1):
            total += member.file_size
            _bounded(count, total)
            if member.is_dir():
                continue
            mode = member.external_attr >> 16
            with archive.open(member) as content:
                body = content.read(member.file_size + 1)
            if stat.S_ISLNK(mode):
                yield member.filename, Leaf(link=body.decode("utf-8", "surrogateescape"))
            else:
                yield member.filename, Leaf(data=body, executable=bool(mode & 0o100))


def _bounded(count: int, total: int) -> None:
    if count > MOST_FILES or total > MOST_BYTES:
        msg = f"it is too large: over {MOST_FILES} files or {MOST_BYTES >> 20} MiB"
        raise ArchiveRefused(msg)
