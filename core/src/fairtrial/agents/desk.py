"""
The desk at which any agent can ask: `fairtrial-ask QUESTION [OPTION]...`, on its PATH.

For agents that have no way of their own to ask. The helper is a small shell script that lays a
slip into a folder of the attempt's scratch and rings a bell (a FIFO) there; no network and no
interpreter is needed, so that it works inside of any sandbox that binds the scratch.
"""

import os
import re
import select
import stat
import threading
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from types import TracebackType
from typing import Self

from fairtrial.api import Answer, LogMessage, Option, Question, Session

HELPER = "fairtrial-ask"
"""What the program is called."""
_SLIP = re.compile(rb"[A-Za-z0-9]{8}")
_LONGEST_BYTES = 64 * 1024
_JOIN_S = 2.0
_UNANSWERED = 3


class Desk:
    """
    Answers what is asked through `fairtrial-ask`, from `with` to its end, in a thread.

    What an agent lays into the folder is not trusted: no link is followed, and nothing but a
    short plain file is read.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._folder = session.scratch / "ask"
        self._thread = threading.Thread(target=self._serve, name="desk", daemon=True)
        self._handles: list[int] = []

    def __enter__(self) -> Self:
        """Opens the desk; the helper is laid down beforehand, since it belongs on the PATH."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        bell = self._folder / "bell"
        with suppress(FileExistsError):
            os.mkfifo(bell, 0o600)
        # Open at both ends, so that a writer that leaves is no end of the stream.
        self._bell = os.open(bell, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        self._place = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._leave, self._left = os.pipe()
        self._handles = [self._bell, self._place, self._leave, self._left]
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Closes it; a question that is still with the answerer is left to itself."""
        with suppress(OSError):
            (self._folder / "bell").unlink()
        os.write(self._left, b".")
        self._thread.join(_JOIN_S)
        if not self._thread.is_alive():
            for handle in self._handles:
                os.close(handle)

    def _serve(self) -> None:
        heard = b""
        while True:
            ready, _, _ = select.select([self._bell, self._leave], [], [])
            if self._leave in ready:
                return
            with suppress(BlockingIOError):
                heard += os.read(self._bell, 4096)
            *slips, heard = heard.split(b"\n")
            heard = heard[-64:]
            for slip in slips:
                if _SLIP.fullmatch(slip):
                    self._take(slip.decode())

    def _take(self, slip: str) -> None:
        try:
            folder = os.open(
                slip,
                os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC,
                dir_fd=self._place,
            )
        except OSError:
            return
        try:
            question = _question(folder)
            answer = None if question is None else self._session.ask(question)
            _hand_over(folder, answer)
        except OSError as error:
            message = f"{HELPER}: {error.strerror or error}"
            self._session.record(LogMessage(level="warn", message=message))
        finally:
            os.close(folder)


def lay_helper(scratch: Path) -> Path:
    """Lays the helper into a private directory; returns the folder that belongs on PATH."""
    folder = scratch / "bin"
    folder.mkdir(exist_ok=True)
    # Whatever the user's own mask is: in some sandboxes an agent is another user.
    folder.chmod(0o755)
    place = folder / HELPER
    place.write_bytes(files("fairtrial.agents").joinpath(HELPER).read_bytes())
    place.chmod(0o755)
    return folder


def _question(folder: int) -> Question | None:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with os.fdopen(os.open("question", flags, dir_fd=folder), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return None
        parts = file.read(_LONGEST_BYTES).decode(errors="replace").split("\0")[:-1]
    if len(parts) < 3:  # noqa: PLR2004 - the two flags and the question
        return None
    multi, header, text, *labels = parts
    options = tuple(Option(label=label) for label in dict.fromkeys(labels) if label)
    return Question(text=text, header=header, options=options, multi_select=bool(multi))


def _hand_over(folder: int, answer: Answer | None) -> None:
    said = "" if answer is None else "\n".join(answer.picked) or answer.text
    if said:
        # Whoever asks may be another user than this one, inside of a sandbox.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open("answer", flags, 0o644, dir_fd=folder), "wb") as file:
            file.write(f"{said}\n".encode(errors="replace"))
    flags = os.O_WRONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open("word", flags, dir_fd=folder), "wb") as word:
        word.write(b"0\n" if said else b"%d\n" % _UNANSWERED)
