"""How each kind of source is fetched: never with a build, a script or a hook of what it holds."""

import tempfile
from pathlib import Path

from fairtrial_suite_folder import fetch, index
from fairtrial_suite_folder.origin import Source
from fairtrial_suite_folder.standing import FILE, found_at

FETCH_S = 600.0
"""Seconds that fetching one source may take."""

# Nothing that a repository holds, and nothing of the user's own set-up, may run or be asked.
QUIET_GIT = (
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "gc.auto=0",
    "-c",
    "maintenance.auto=false",
    "-c",
    "protocol.ext.allow=never",
    "-c",
    "core.attributesFile=/dev/null",
    "-c",
    "tar.umask=0022",
)
GIT_ENVIRONMENT = {
    "GIT_DIR": "",
    "GIT_WORK_TREE": "",
    "GIT_INDEX_FILE": "",
    "GIT_OBJECT_DIRECTORY": "",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES": "",
    "GIT_EXTERNAL_DIFF": "",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "true",
    "GIT_NO_REPLACE_OBJECTS": "1",
}


class FetchFailed(Exception):
    """A source that can't be had; its text says why."""


def archive(source: Source) -> bytes:
    """Reads an archive on this machine."""
    found = found_at(Path(source.name))
    if found not in ("", FILE):
        msg = f"it is {found}, not {FILE}"
        raise FetchFailed(msg)
    try:
        return Path(source.name).read_bytes()
    except OSError as error:
        raise FetchFailed(error.strerror or str(error)) from error


def pypi(source: Source) -> bytes:
    """
    Downloads the source distribution of an exact version, as the index names it.

    pip's own `download` would run the package's build to read its metadata; the index is asked
    directly instead, at the addresses that the user's package manager is set up for.
    """
    try:
        addresses = index.addresses()
        return index.sdist(source.name, source.version, addresses)
    except index.IndexFailed as error:
        raise FetchFailed(str(error)) from error


def npm(source: Source) -> bytes:
    """Lets npm download a package; none of its scripts run."""
    with tempfile.TemporaryDirectory(prefix="fairtrial-npm-") as folder:
        argv = (
            "npm",
            "pack",
            f"{source.name}@{source.version}",
            "--ignore-scripts",
            "--silent",
            "--pack-destination",
            folder,
        )
        ran = fetch.run(argv, timeout_s=FETCH_S, cwd=Path(folder))
        files = sorted(Path(folder).glob("*.tgz"))
        if ran.code != 0 or len(files) != 1:
            raise FetchFailed(ran.complaint)
        return files[0].read_bytes()


def git(source: Source) -> bytes:
    """
    Exports one revision as a tar, without any history.

    The revision is a full commit id, which git itself checks against what it was sent.
    """
    revision = source.digest.removeprefix("git-")
    with tempfile.TemporaryDirectory(prefix="fairtrial-git-") as folder:
        _git(folder, "init", "--quiet", "--bare", "--template=", ".")
        _git(
            folder,
            "fetch",
            "--quiet",
            "--depth=1",
            "--no-tags",
            "--no-recurse-submodules",
            "--end-of-options",
            source.name,
            revision,
        )
        _git(folder, "fsck", "--no-dangling", "--no-progress")
        return _git(folder, "archive", "--format=tar", revision)


def _git(folder: str, *arguments: str) -> bytes:
    argv = ("git", *QUIET_GIT, *arguments)
    ran = fetch.run(argv, timeout_s=FETCH_S, cwd=Path(folder), environment=GIT_ENVIRONMENT)
    if ran.code != 0:
        raise FetchFailed(ran.complaint)
    return ran.stdout
