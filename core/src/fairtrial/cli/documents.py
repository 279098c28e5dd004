"""What reporters made: shown on stdout, or written to files."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from attrs import frozen

from fairtrial.api import (
    Document,
    FairtrialError,
    PluginError,
    Reporter,
    RunRecord,
    Unwritable,
)
from fairtrial.cli.log import tell
from fairtrial.cli.streams import emit, emit_bytes, is_terminal, results, shown_as

_PROSE = frozenset({"text/markdown", "text/plain"})
_PAGES = frozenset({"text/html"})


def made(reporters: Mapping[str, Reporter], runs: Sequence[RunRecord]) -> tuple[Document, ...]:
    """
    Lets each reporter report on the runs; in the order of the reporters.

    Raises:
        PluginError: One of them broke.
    """
    return tuple(each for name, one in reporters.items() for each in _reported(name, one, runs))


def _reported(name: str, reporter: Reporter, runs: Sequence[RunRecord]) -> tuple[Document, ...]:
    try:
        return tuple(reporter.report(runs))
    except FairtrialError:
        raise
    except (Exception, SystemExit) as error:
        raise PluginError(
            problem=f"the reporter “{name}” broke",
            facts=(("because", f"{type(error).__name__}: {error}"),),
            way_on="nothing of a run is lost; "
            f"`fairtrial report` with `--reporter {name} -v` shows the traceback",
            kind="reporter",
            name=name,
        ) from error


@frozen(kw_only=True)
class Outlet:
    """
    Where documents go.

    Attributes:
        folder: Where documents are written that nobody would read on a terminal.
        everything: Whether the folder gets every document, and stdout none.
    """

    folder: Path
    everything: bool = False

    def publish(self, documents: Iterable[Document]) -> None:
        """
        Shows prose on stdout and writes the rest.

        Raises:
            Unwritable: A file can't be written.
        """
        for document in documents:
            if document.media_type in _PROSE and not self.everything:
                show(document)
            else:
                path = str(self._write(document))
                tell("document written", f"wrote {path}", path=path)

    def _write(self, document: Document) -> Path:
        name = Path(document.name).name
        path = self.folder / name
        part = self.folder / f".{name}.part"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            # Whole or not at all: a disk that is full must not cost what was reported before.
            part.write_bytes(document.body)
            part.replace(path)
        except OSError as error:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise Unwritable(
                problem=f"“{path}” can't be written",
                facts=(("because", str(error.strerror)),),
                way_on="make room, or choose another place with --out",
            ) from error
        return path


def can_be_shown(document: Document) -> bool:
    """Whether a document may go to stdout: a page for a browser goes into a pipe, to nobody's eyes."""
    return document.media_type not in _PAGES or not results().isatty()


def show(document: Document) -> None:
    """Shows one document on stdout: rendered on a terminal, byte for byte elsewhere."""
    if document.media_type not in _PROSE:
        emit_bytes(document.body)
        return
    text = document.body.decode("utf-8", "replace")
    if document.media_type == "text/markdown" and is_terminal(results()):
        from fairtrial.cli.render import rendered, width

        # What is put plainly is longer, so that columns must be fitted after that.
        text = rendered(shown_as(text), width=width())
    emit(text if text.endswith("\n") else f"{text}\n")
