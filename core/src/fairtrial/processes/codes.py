"""Exit codes as shells, `bwrap` and container engines tell them."""

from attrs import evolve

from fairtrial.api.sandbox import EndedBy, Finished

_SIGNALLED = 128
_LAST_SIGNAL = 64


def as_shells_tell(done: Finished, code: int) -> Finished:
    """
    Returns how a program ended, where a code above 128 stands for a signal.

    A program that exits by itself with such a code is taken for one that a signal ended.

    Args:
        done: What else is known of it.
        code: Its exit code, or 128 plus the signal's number.
    """
    if _SIGNALLED < code <= _SIGNALLED + _LAST_SIGNAL:
        return evolve(done, code=None, ended_by=EndedBy.SIGNAL, signal=code - _SIGNALLED)
    return evolve(done, code=code, ended_by=EndedBy.EXIT, signal=None)
