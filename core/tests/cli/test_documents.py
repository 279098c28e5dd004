"""What reporters made, and what is said of one that made nothing."""

from collections.abc import Iterator, Sequence

import pytest
from attrs import frozen
from fairtrial.api import Document, PluginError, RunRecord
from fairtrial.api.errors import RunError
from fairtrial.cli.documents import made
from fairtrial.cli.show_error import error_text


@frozen
class Torn:
    """Breaks off once it has made a document."""

    error: BaseException

    def report(self, runs: Sequence[RunRecord]) -> Iterator[Document]:
        del runs
        yield Document(name="a.txt", media_type="text/plain", body=b"")
        raise self.error


@pytest.mark.parametrize(
    ("error", "because"),
    [(RuntimeError("boom"), "RuntimeError: boom"), (SystemExit(0), "SystemExit: 0")],
)
def test_a_reporter_that_breaks_is_named_and_no_new_run_advised(
    error: BaseException, because: str
) -> None:
    with pytest.raises(PluginError) as caught:
        made({"torn": Torn(error)}, [])
    assert (
        "error: the reporter “torn” broke\n"
        "\n"
        f"  because        {because}\n"
        "\n"
        "  nothing of a run is lost; `fairtrial report` with `--reporter torn -v` shows the traceback\n"
    ) == error_text(caught.value)
    assert error is caught.value.__cause__


def test_what_a_reporter_says_itself_is_told_as_it_is() -> None:
    with pytest.raises(RunError, match="two runs"):
        made({"torn": Torn(RunError(problem="give it two runs"))}, [])
