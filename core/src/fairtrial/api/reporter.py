"""The kind `reporter`: what turns records into something to read."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from attrs import frozen

from fairtrial.api.record import RunRecord


@frozen(kw_only=True)
class Document:
    """
    One thing that a reporter made.

    Attributes:
        name: A file name without directories, such as `frontier.md`.
        media_type: Such as `text/markdown`; the command line prints text and writes the rest.
        body: The bytes.
    """

    name: str
    media_type: str
    body: bytes


class Reporter(Protocol):
    """
    Makes documents of runs.

    Pure: it reads records and figures, writes nothing, and equal records give equal bytes. What
    is not known is shown as `–`, never as zero.
    """

    def report(self, runs: Sequence[RunRecord], /) -> Iterable[Document]:
        """
        Yields documents; the core shows or writes them.

        Raises:
            ConfigError: It was given more or fewer runs than it can use.
        """
