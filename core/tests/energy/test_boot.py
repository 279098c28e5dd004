import ctypes

import pytest
from attrs import define, field
from fairtrial.energy.boot import boot_id, session_of
from fairtrial.energy.host import ThisHost

UUID = "5E2D0B5C-2F0A-4D4F-9E4B-0C8C3B1F7A10"


@define
class Kernel:
    """What the C library of macOS does with a name."""

    values: dict[bytes, bytes]
    asked: list[bytes] = field(factory=list)

    def sysctlbyname(self, name, value, size, new, new_size) -> int:
        self.asked.append(name)
        if name not in self.values or new is not None or new_size:
            return -1
        ctypes.memmove(value, self.values[name] + b"\0", len(self.values[name]) + 1)
        return 0


def test_macos_names_its_boot_session() -> None:
    kernel = Kernel({b"kern.bootsessionuuid": UUID.encode()})

    assert UUID == session_of(kernel)


def test_a_kernel_that_refuses_names_no_boot_session() -> None:
    kernel = Kernel({})

    assert "" == session_of(kernel)
    assert [b"kern.bootsessionuuid"] == kernel.asked


@pytest.mark.parametrize(("text", "found"), [("first\n", "first"), (None, "")])
def test_linux_shows_its_boot_in_a_file_and_nobody_else_is_asked(host, text, found) -> None:
    if text is not None:
        host.put("proc/sys/kernel/random/boot_id", text)

    assert found == boot_id(host)


@pytest.mark.skipif(not ThisHost().proc.is_dir(), reason="no /proc")
def test_this_machine_is_asked_for_no_session_where_it_has_files() -> None:
    assert "" == ThisHost().boot_session()
