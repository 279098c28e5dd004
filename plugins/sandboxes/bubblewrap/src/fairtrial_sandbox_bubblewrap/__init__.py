"""A sandbox for fairtrial: programs in namespaces of their own, by bubblewrap."""

from fairtrial_sandbox_bubblewrap.sandbox import BubblewrapSandbox

__all__ = ["BubblewrapSandbox"]
