"""Keep the handlers of hardware faults that other libraries have installed in this process."""

from __future__ import annotations

import ctypes
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL") if hasattr(signal, name))
_BYTES = 256
"""Larger than a ``struct sigaction`` on any system."""


@contextmanager
def kept_fault_handlers() -> Iterator[None]:
    """Restore the fault handlers at the end of the block.

    A Java virtual machine, which CapyMOA runs, handles SIGSEGV as part of its normal work. Ray replaces the handler
    when it connects, and removes it when it disconnects; the next fault of the Java code would then end the process.
    """
    if sys.platform == "win32":
        yield
        return
    sigaction = ctypes.CDLL(None).sigaction
    kept = {number: ctypes.create_string_buffer(_BYTES) for number in _SIGNALS}
    for number, handler in kept.items():
        sigaction(number, None, handler)
    try:
        yield
    finally:
        for number, handler in kept.items():
            sigaction(number, handler, None)
