"""
The Python package index, asked through its simple interface (PEP 503, PEP 691).

Which index is asked is the user's choice: the addresses come from the package manager that is set
up here (uv, else pip), so that mirrors, private indexes and the default one need no word of ours.
"""

import base64
import json
import re
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

from fairtrial_suite_folder import fetch

TIMEOUT_S = 60.0
"""Seconds that the index may stay silent."""

MOST_BYTES = 256 * 1024 * 1024
"""Most bytes of a page or a file that are read."""

ACCEPT = "application/vnd.pypi.simple.v1+json, text/html;q=0.5"

# pip has no command that prints the index it would use; its option parser knows, after having
# read its files and the environment.
_ASK_PIP = (
    "from pip._internal.commands import create_command as c;"
    "o = c('download').parse_args([])[0];"
    "print(o.index_url, *o.extra_index_urls, sep='\\n')"
)


class IndexFailed(Exception):
    """The index can't be asked, or doesn't have the file; its text says why."""


def addresses() -> tuple[str, ...]:
    """
    Returns the simple indexes that the user's package manager is set up for, first one first.

    Raises:
        IndexFailed: Neither uv nor pip can tell.
    """
    return _from_uv() or _from_pip()


def _from_uv() -> tuple[str, ...]:
    uv = fetch.which("uv")
    if uv is None:
        return ()
    argv = (uv, "pip", "compile", "-", "--emit-index-url", "--no-header", "--offline", "--quiet")
    ran = fetch.run(argv, timeout_s=TIMEOUT_S)
    if ran.code != 0:
        return ()
    lines = ran.stdout.decode("utf-8", "replace").splitlines()
    pattern = re.compile(r"--(?:extra-)?index-url (\S+)")
    return tuple(found[1] for line in lines if (found := pattern.fullmatch(line.strip())))


def _from_pip() -> tuple[str, ...]:
    complaint = ""
    for python in (sys.executable, fetch.which("python3")):
        if python is None:
            continue
        ran = fetch.run((python, "-c", _ASK_PIP), timeout_s=TIMEOUT_S)
        lines = ran.stdout.decode("utf-8", "replace").split()
        if ran.code == 0 and lines:
            return tuple(lines)
        complaint = ran.complaint
    msg = f"neither uv nor pip can say which package index to ask ({complaint})"
    raise IndexFailed(msg)


def sdist(name: str, version: str, indexes: Sequence[str]) -> bytes:
    """
    Returns the source distribution of an exact version, from the first index that has it.

    Raises:
        IndexFailed: None has it, or none can be reached.
    """
    reasons = []
    for address in indexes:
        try:
            link = _find(name, version, address)
            if link is not None:
                return _fetch(link)[0]
            reasons.append("no source distribution of that version")
        except IndexFailed as error:
            reasons.append(str(error))
    raise IndexFailed("; ".join(dict.fromkeys(reasons)) or "no index is set up")


def _find(name: str, version: str, address: str) -> str | None:
    page = f"{address.rstrip('/')}/{normal(name)}/"
    body, kind, base = _fetch(page)
    links = _from_json(body) if "json" in kind else _from_html(body)
    wanted = {
        f"{stem}-{version}{ending}"
        for stem in (name, normal(name), normal(name).replace("-", "_"))
        for ending in (".tar.gz", ".zip", ".tar.bz2")
    }
    folded = {file.casefold() for file in wanted}
    for file, link in links:
        if file.casefold() in folded:
            return urllib.parse.urljoin(base, link).partition("#")[0]
    return None


def normal(name: str) -> str:
    """Returns a package's name in the index's spelling (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _from_json(body: bytes) -> list[tuple[str, str]]:
    try:
        page = json.loads(body)
        return [(str(file["filename"]), str(file["url"])) for file in page["files"]]
    except (ValueError, KeyError, TypeError) as error:
        msg = "the index's answer can't be read"
        raise IndexFailed(msg) from error


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        link = dict(attrs).get("href") if tag == "a" else None
        if link:
            path = urllib.parse.urlsplit(link).path
            self.found.append((urllib.parse.unquote(path.rpartition("/")[2]), link))


def _from_html(body: bytes) -> list[tuple[str, str]]:
    parser = _Links()
    parser.feed(body.decode("utf-8", "replace"))
    return parser.found


def _fetch(link: str) -> tuple[bytes, str, str]:
    parts = urllib.parse.urlsplit(link)
    if parts.scheme == "file":
        return _local(Path(urllib.request.url2pathname(parts.path)), link)
    if parts.scheme not in ("http", "https"):
        msg = f"an address of the kind “{parts.scheme}” is not followed"
        raise IndexFailed(msg)
    request = urllib.request.Request(_bare(parts), headers=_headers(parts))  # noqa: S310 - checked
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310 - checked
            body = answer.read(MOST_BYTES + 1)
            kind, base = answer.headers.get_content_type(), answer.geturl()
    except urllib.error.HTTPError as error:
        msg = f"the index answered {error.code}"
        raise IndexFailed(msg) from error
    except (OSError, ValueError) as error:
        msg = f"the index can't be reached: {getattr(error, 'reason', None) or error}"
        raise IndexFailed(msg) from error
    if len(body) > MOST_BYTES:
        msg = f"the answer is larger than {MOST_BYTES >> 20} MiB"
        raise IndexFailed(msg)
    return body, kind, base


def _local(path: Path, link: str) -> tuple[bytes, str, str]:
    file = path / "index.html" if path.is_dir() else path
    try:
        return file.read_bytes(), "text/html", link
    except OSError as error:
        msg = f"it is not in the index at “{path.parent}”"
        raise IndexFailed(msg) from error


def _bare(parts: urllib.parse.SplitResult) -> str:
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _headers(parts: urllib.parse.SplitResult) -> dict[str, str]:
    headers = {"Accept": ACCEPT, "User-Agent": "fairtrial"}
    if parts.username:
        user = urllib.parse.unquote(parts.username)
        word = urllib.parse.unquote(parts.password or "")
        token = base64.b64encode(f"{user}:{word}".encode()).decode()
        headers["Authorization"] = f"Basic {token}"
    return headers
