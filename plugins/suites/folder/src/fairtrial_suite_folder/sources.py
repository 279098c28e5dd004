"""Trees that are named by their digest: fetched once, verified each time, offline from then on."""

import base64
import hashlib
import os
import tempfile
from pathlib import Path, PurePosixPath

from fairtrial.api.errors import SuiteError
from fairtrial.stacks.globs import matches

from fairtrial_suite_folder import registries
from fairtrial_suite_folder.origin import Source
from fairtrial_suite_folder.registries import FetchFailed
from fairtrial_suite_folder.tree import Leaf
from fairtrial_suite_folder.unpack import ArchiveRefused, unpack

_FETCH = {
    "pypi": registries.pypi,
    "npm": registries.npm,
    "git": registries.git,
    "archive": registries.archive,
}


def tree(source: Source, cache: Path, task: str) -> dict[PurePosixPath, Leaf]:
    """
    Returns a source's tree, from the cache or, the first time, from where it is published.

    Raises:
        SuiteError: It can't be had, has another digest, or can't be unpacked.
    """
    data = _archive(source, cache, task)
    try:
        found = unpack(data, source.strip)
    except ArchiveRefused as refused:
        problem = f"the archive of {source.title} can't be used: {refused}"
        raise _fault(source, task, problem, "name another source") from refused
    chosen = dict(_chosen(source, found))
    if not chosen:
        problem = f"nothing of {source.title} is left after strip, root, include and exclude"
        raise _fault(source, task, problem, "mend these keys of [source]")
    return chosen


def _chosen(source: Source, found: dict[PurePosixPath, Leaf]) -> list[tuple[PurePosixPath, Leaf]]:
    kept = []
    for path, leaf in found.items():
        if not path.is_relative_to(source.root) or path == source.root:
            continue
        below = path.relative_to(source.root)
        wanted = not source.include or matches(str(below), source.include)
        if wanted and not matches(str(below), source.exclude):
            kept.append((below, leaf))
    return kept


def _archive(source: Source, cache: Path, task: str) -> bytes:
    kept = cache / "sources" / _key(source)
    if kept.is_file():
        data = kept.read_bytes()
        # A torn or tampered file is fetched anew, never used.
        if source.kind == "git" or _matches(source, data):
            return data
    try:
        data = _FETCH[source.kind](source)
    except FetchFailed as failed:
        problem = f"{source.title} can't be fetched: {failed}"
        way_on = "see that the source is there and the network is up, then start again"
        raise _fault(source, task, problem, way_on) from failed
    if source.kind != "git" and not _matches(source, data):
        problem = f"{source.title} has another digest than the task says"
        found = hashlib.sha256(data).hexdigest()
        raise _fault(source, task, problem, f"it is sha256 {found}; trust it only if you know why")
    _keep(data, kept, source, task)
    return data


def _key(source: Source) -> str:
    # base64 holds slashes; one hexadecimal name for all kinds is plainer.
    algorithm, _, value = source.digest.partition("-")
    if algorithm == "sha512":
        value = base64.b64decode(value).hex()
    return value if algorithm == "sha256" else f"{algorithm}-{value}"


def _matches(source: Source, data: bytes) -> bool:
    algorithm, _, value = source.digest.partition("-")
    if algorithm == "sha512":
        return base64.b64encode(hashlib.sha512(data).digest()).decode() == value
    return hashlib.sha256(data).hexdigest() == value


def _keep(data: bytes, kept: Path, source: Source, task: str) -> None:
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=kept.parent, prefix=".part-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).replace(kept)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        problem = f"{source.title} can't be kept in the cache: {error.strerror}"
        facts = f"free or open “{kept.parent}”, or set FAIRTRIAL_CACHE to another folder"
        raise _fault(source, task, problem, facts) from error


def _fault(source: Source, task: str, problem: str, way_on: str) -> SuiteError:
    return SuiteError(
        problem=f"task “{task}”: {problem}",
        facts=(("source", f"{source.kind} {source.title}"), ("digest", source.digest)),
        way_on=way_on,
        task=task,
    )
