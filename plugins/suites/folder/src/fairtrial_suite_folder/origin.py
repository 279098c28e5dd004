"""Where a task's tree comes from: a folder beside it, or a source that is named by its digest."""

import re
from pathlib import Path, PurePosixPath

from attrs import frozen

from fairtrial_suite_folder.table import Table, cut, too_long

NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
NPM_NAME = re.compile(r"(?:@[a-z0-9][a-z0-9._~-]*/)?[a-z0-9][a-z0-9._~-]*")
VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.!+_-]*")
SHA256 = re.compile(r"[0-9a-f]{64}")
REVISION = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
INTEGRITY = re.compile(r"sha512-[A-Za-z0-9+/]{86}==")

SOURCE_KEYS = (
    "pypi",
    "npm",
    "git",
    "archive",
    "version",
    "sha256",
    "integrity",
    "rev",
    "strip",
    "root",
    "include",
    "exclude",
    "plant",
)


@frozen(kw_only=True)
class Source:
    """
    A tree that is fetched once, verified by its digest, and kept.

    Attributes:
        kind: `pypi` (a source distribution), `npm`, `git` or `archive`.
        name: The package's name, the repository's address, or the archive's path.
        version: The package's exact version; empty for the other kinds.
        digest: `sha256-HEX` or `sha512-BASE64` of the archive; `git-HEX` for a revision.
        strip: How many leading folders of each path are left out.
        root: The folder, after stripping, that becomes the root of the tree.
        include: Globs of the paths that are kept; all where there is none.
        exclude: Globs of paths that are left out.
    """

    kind: str
    name: str
    digest: str
    version: str = ""
    strip: int = 1
    root: PurePosixPath = PurePosixPath()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The source in a few words, for messages."""
        return f"{self.name} {self.version}".strip() if self.version else self.name


@frozen(kw_only=True)
class Origin:
    """
    Where a task's tree comes from.

    Attributes:
        before: The folder with the tree; None where a source is named.
        source: What is fetched; None where there is a folder.
        plant: A unified diff that is applied to either, such as one that plants a bug.
    """

    before: Path | None = None
    source: Source | None = None
    plant: Path | None = None


def read_source(table: Table) -> Source:
    """
    Reads `[source]`.

    Raises:
        SuiteError: It names none or several sources, or leaves out the digest.
    """
    table.only(*SOURCE_KEYS)
    kinds = [kind for kind in ("pypi", "npm", "git", "archive") if kind in table.values]
    if len(kinds) != 1:
        named = " and ".join(kinds) or "nothing"
        problem = f"[source] names {named}"
        raise table.fault("", problem, "name exactly one of pypi, npm, git, archive")
    kind = kinds[0]
    strip = table.count("strip")
    root = table.maybe_text("root")
    return Source(
        kind=kind,
        name=_name(table, kind),
        version=_version(table, kind),
        digest=_digest(table, kind),
        strip=(0 if kind == "git" else 1) if strip is None else strip,
        root=table.path("root", root) if root else PurePosixPath(),
        include=table.texts("include"),
        exclude=table.texts("exclude"),
    )


def _name(table: Table, kind: str) -> str:
    name = table.text(kind)
    if kind == "pypi":
        return _matching(table, kind, NAME, "a package's name")
    if kind == "npm":
        return _matching(table, kind, NPM_NAME, "a package's name")
    # Only an archive is a plain path; a repository may be an address, which stays as it is.
    plain = kind == "archive" or ":" not in name
    unprintable = any(ord(char) < ord(" ") for char in name)
    if name.startswith("-") or unprintable or (plain and too_long(name)):
        raise table.fault(kind, f"“{cut(name)}” is no address", "give a path or an address")
    local = table.file.parent / name
    if kind == "archive" or (plain and local.exists()):
        return str(local.resolve())
    return name


def _version(table: Table, kind: str) -> str:
    if kind in ("pypi", "npm"):
        return _matching(table, "version", VERSION, "an exact version")
    return ""


def _digest(table: Table, kind: str) -> str:
    if kind == "git":
        return "git-" + _matching(table, "rev", REVISION, "a full commit id, in lower case")
    if kind == "npm" and "sha256" not in table.values:
        return _matching(table, "integrity", INTEGRITY, "sha512-… as the lock file has it")
    return "sha256-" + _matching(table, "sha256", SHA256, "64 hexadecimal digits, lower case")


def _matching(table: Table, key: str, pattern: re.Pattern[str], what: str) -> str:
    value = table.text(key)
    if not pattern.fullmatch(value):
        raise table.fault(key, f"“{key}” must be {what}, not “{value}”", f"give {what}")
    return value
