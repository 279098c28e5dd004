"""
IOReport by ctypes: the private library that Apple's own tools read energy from, without sudo.

The package that exists for this keeps one die's `CPU Energy` of a chip that has two, and rounds the
GPU's nanojoules to millijoules, so that it can't be used here. Functions and arguments are those of
`libIOReport.dylib`; all objects are CoreFoundation's and are released by who copied them.
"""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

from attrs import define
from fairtrial.api import MachineError

from fairtrial_meter_apple.channels import Channel

if TYPE_CHECKING:
    import ctypes

GROUP = "Energy Model"

_UTF8 = 0x08000100
_TEXT_BYTES = 256


class Channels(Protocol):
    """Where channels come from."""

    def sample(self) -> list[Channel]:
        """Returns every channel as it is now."""

    def close(self) -> None:
        """Lets go."""


@runtime_checkable
class ChannelHost(Protocol):
    """A host that brings channels of its own, so that every case runs without a Mac."""

    def open_channels(self) -> Channels:
        """Returns the channels to use in place of IOReport's."""


@define(kw_only=True, eq=False)
class IOReport:
    """A subscription to the channels of energy."""

    core: "ctypes.CDLL"
    report: "ctypes.CDLL"
    channels: int
    subscription: int
    key: int

    @classmethod
    def open(cls) -> Self:
        """
        Subscribes to the channels.

        Raises:
            MachineError: This is no Mac with Apple silicon.
        """
        if sys.platform != "darwin":
            raise _absent(f"this is {sys.platform}, not macOS")
        import ctypes  # noqa: PLC0415 - a meter is imported in milliseconds, on every machine

        try:
            core, report = _libraries()
        except (OSError, AttributeError) as error:
            raise _absent(str(error)) from error
        group = core.CFStringCreateWithCString(None, GROUP.encode(), _UTF8)
        channels = report.IOReportCopyChannelsInGroup(group, None, 0, 0, 0)
        core.CFRelease(group)
        if not channels:
            raise _absent(f"IOReport has no group “{GROUP}”; Macs with Intel have none")
        mutable = core.CFDictionaryCreateMutableCopy(
            None, core.CFDictionaryGetCount(channels), channels
        )
        core.CFRelease(channels)
        subscribed = ctypes.c_void_p()
        subscription = report.IOReportCreateSubscription(
            None, mutable, ctypes.byref(subscribed), 0, None
        )
        if not subscription:
            core.CFRelease(mutable)
            raise _absent("IOReport refused the subscription")
        key = core.CFStringCreateWithCString(None, b"IOReportChannels", _UTF8)
        return cls(core=core, report=report, channels=mutable, subscription=subscription, key=key)

    def sample(self) -> list[Channel]:
        """Returns every channel as it is now; none where the library gives no sample."""
        sample = self.report.IOReportCreateSamples(self.subscription, self.channels, None)
        if not sample:
            return []
        try:
            return list(self._channels(sample))
        finally:
            self.core.CFRelease(sample)

    def close(self) -> None:
        """Lets go of the subscription; may be called twice."""
        for name in ("subscription", "channels", "key"):
            held = getattr(self, name)
            setattr(self, name, 0)
            if held:
                self.core.CFRelease(held)

    def _channels(self, sample: int) -> Iterator[Channel]:
        array = self.core.CFDictionaryGetValue(sample, self.key)
        for index in range(self.core.CFArrayGetCount(array) if array else 0):
            item = self.core.CFArrayGetValueAtIndex(array, index)
            yield Channel(
                name=self._text(self.report.IOReportChannelGetChannelName(item)),
                unit=self._text(self.report.IOReportChannelGetUnitLabel(item)),
                value=int(self.report.IOReportSimpleGetIntegerValue(item, 0)),
            )

    def _text(self, string: int) -> str:
        import ctypes  # noqa: PLC0415 - loaded by now

        buffer = ctypes.create_string_buffer(_TEXT_BYTES)
        if not string or not self.core.CFStringGetCString(string, buffer, _TEXT_BYTES, _UTF8):
            return ""
        return buffer.value.decode("utf-8", errors="replace")


def _libraries() -> "tuple[ctypes.CDLL, ctypes.CDLL]":
    """Loads both libraries and declares what is used of them."""
    import ctypes  # noqa: PLC0415 - loaded by now

    pointer, number, text = ctypes.c_void_p, ctypes.c_long, ctypes.c_char_p
    core = ctypes.CDLL("/System/Library/Frameworks/CoreFoundation.framework/CoreFoundation")
    report = ctypes.CDLL("/usr/lib/libIOReport.dylib")
    u32, u64 = ctypes.c_uint32, ctypes.c_uint64
    declared = {
        (core, "CFRelease"): (None, [pointer]),
        (core, "CFStringCreateWithCString"): (pointer, [pointer, text, u32]),
        (core, "CFStringGetCString"): (ctypes.c_bool, [pointer, text, number, u32]),
        (core, "CFDictionaryGetCount"): (number, [pointer]),
        (core, "CFDictionaryGetValue"): (pointer, [pointer, pointer]),
        (core, "CFDictionaryCreateMutableCopy"): (pointer, [pointer, number, pointer]),
        (core, "CFArrayGetCount"): (number, [pointer]),
        (core, "CFArrayGetValueAtIndex"): (pointer, [pointer, number]),
        (report, "IOReportCopyChannelsInGroup"): (pointer, [pointer, pointer, u64, u64, u64]),
        (report, "IOReportCreateSubscription"): (
            pointer,
            [pointer, pointer, ctypes.POINTER(pointer), u64, pointer],
        ),
        (report, "IOReportCreateSamples"): (pointer, [pointer, pointer, pointer]),
        (report, "IOReportChannelGetChannelName"): (pointer, [pointer]),
        (report, "IOReportChannelGetUnitLabel"): (pointer, [pointer]),
        (report, "IOReportSimpleGetIntegerValue"): (ctypes.c_int64, [pointer, ctypes.c_int32]),
    }
    for (library, name), (result, arguments) in declared.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return core, report


def _absent(why: str) -> MachineError:
    return MachineError(
        problem="no energy counter of Apple silicon can be read here",
        facts=(("because", why),),
        way_on="use another meter",
    )
