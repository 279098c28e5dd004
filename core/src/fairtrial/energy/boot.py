"""Which boot of a machine this is: Linux shows it in a file, macOS tells it by a call."""

import sys
from functools import cache
from typing import Protocol, runtime_checkable

from fairtrial.api.meter import Host

_FILE = "sys/kernel/random/boot_id"
_SESSION = b"kern.bootsessionuuid"
_MOST_BYTES = 64


@runtime_checkable
class BootHost(Protocol):
    """A host that can be asked which boot it is in, where no file says so."""

    def boot_session(self) -> str:
        """Returns what names this boot and no other; empty where that is not known."""


class Sysctl(Protocol):
    """The part of the C library of macOS that is used."""

    def sysctlbyname(
        self, name: bytes, value: object, size: object, new: None, new_size: int, /
    ) -> int:
        """Fills a buffer and its size; 0 where it did."""


def boot_id(host: Host) -> str:
    """Returns what names this boot and no other; empty where nobody knows."""
    try:
        found = (host.proc / _FILE).read_text().strip()
    except (OSError, ValueError):
        found = ""
    return found or (host.boot_session() if isinstance(host, BootHost) else "")


@cache
def this_session() -> str:
    """Returns the same of this machine; only macOS is asked, once in a process."""
    if sys.platform != "darwin":
        return ""
    import ctypes  # noqa: PLC0415 - milliseconds, needed on one platform

    try:
        return session_of(ctypes.CDLL(None))
    except (OSError, AttributeError):
        return ""


def session_of(library: Sysctl) -> str:
    """Returns the UUID of the boot session; empty where the kernel has none."""
    import ctypes  # noqa: PLC0415 - as above

    buffer = ctypes.create_string_buffer(_MOST_BYTES)
    size = ctypes.c_size_t(_MOST_BYTES)
    refused = library.sysctlbyname(_SESSION, buffer, ctypes.byref(size), None, 0)
    return "" if refused else buffer.value.decode("ascii", "replace").strip()
